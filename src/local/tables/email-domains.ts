/**
 * Services that forward an alias to its owner's real inbox. Their local parts are random by design, which says
 * nothing about the person.
 */
export const RELAY_DOMAINS: ReadonlySet<string> = new Set([
  "addy.io",
  "aleeas.com",
  "anonaddy.com",
  "anonaddy.me",
  "duck.com",
  "mozmail.com",
  "passinbox.com",
  "passmail.com",
  "passmail.net",
  "privaterelay.appleid.com",
  "simplelogin.co",
  "simplelogin.com",
  "simplelogin.io",
  "slmail.me",
]);

/** Providers where an address made of digits is the ordinary kind. */
export const NUMERIC_LOCAL_DOMAINS: ReadonlySet<string> = new Set([
  "126.com",
  "139.com",
  "163.com",
  "foxmail.com",
  "qq.com",
  "sina.com",
  "yeah.net",
]);

/** Mailboxes that come with a paid internet line: a contract and an address stand behind them. */
export const LINE_PROVIDER_DOMAINS: ReadonlySet<string> = new Set([
  "att.net",
  "bellsouth.net",
  "bigpond.com",
  "bluewin.ch",
  "btinternet.com",
  "charter.net",
  "comcast.net",
  "cox.net",
  "free.fr",
  "libero.it",
  "ntlworld.com",
  "optusnet.com.au",
  "orange.fr",
  "rogers.com",
  "sbcglobal.net",
  "sfr.fr",
  "shaw.ca",
  "sky.com",
  "skynet.be",
  "t-online.de",
  "talktalk.net",
  "telenet.be",
  "telia.com",
  "telus.net",
  "tin.it",
  "verizon.net",
  "virginmedia.com",
  "wanadoo.fr",
  "xs4all.nl",
  "ziggo.nl",
]);

/**
 * Institutions that check who gets an address. A domain counts when it is one of these or ends in one after a dot.
 */
export const INSTITUTION_SUFFIXES: readonly string[] = [
  "edu",
  "gov",
  "mil",
  "ac.uk",
  "gov.uk",
  "edu.au",
  "ac.jp",
];

/**
 * Providers whose misspellings are worth recognising. Short names are left out: too many real domains lie one
 * letter away from them.
 */
export const LARGE_PROVIDER_DOMAINS: readonly string[] = [
  "gmail.com",
  "googlemail.com",
  "hotmail.com",
  "icloud.com",
  "outlook.com",
  "protonmail.com",
  "yahoo.com",
];

/** Real mail services that happen to lie one letter from a large provider. */
export const LOOKALIKE_REAL_DOMAINS: ReadonlySet<string> = new Set([
  "email.com",
  "fmail.com",
  "gmail.com",
  "hotmail.co",
  "mail.com",
  "rocketmail.com",
  "ymail.com",
  "zmail.com",
]);

/**
 * Names that can never receive mail.
 *
 * Source: RFC 2606 and RFC 6761.
 */
export const RESERVED_DOMAINS: readonly string[] = [
  "example",
  "example.com",
  "example.net",
  "example.org",
  "invalid",
  "localhost",
  "test",
];

/** Local parts that stand for a desk, not a person. */
export const ROLE_NAMES: ReadonlySet<string> = new Set([
  "accounting",
  "accounts",
  "admin",
  "billing",
  "buchhaltung",
  "contact",
  "einkauf",
  "finance",
  "hello",
  "info",
  "kontakt",
  "mail",
  "me",
  "office",
  "order",
  "orders",
  "post",
  "purchasing",
  "sales",
  "service",
  "shop",
  "support",
  "team",
  "webmaster",
]);

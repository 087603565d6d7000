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

/** Providers where addresses consisting of digits are normal. */
export const NUMERIC_LOCAL_DOMAINS: ReadonlySet<string> = new Set([
  "126.com",
  "139.com",
  "163.com",
  "foxmail.com",
  "qq.com",
  "sina.com",
  "yeah.net",
]);

/** Mailboxes of paid internet connections, which require a contract and an address. */
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
 * Labels of institutions that check who gets an address, directly before the country or alone: `harvard.edu`, `ox.ac.uk`,
 * `usp.edu.br`, `city.gov.in`.
 */
export const INSTITUTION_LABELS: ReadonlySet<string> = new Set(["edu", "gov", "mil", "ac", "gob", "gouv"]);

/** Free mail providers of all regions. Using one says nothing about a person; only a company should have its own domain. */
export const FREE_PROVIDER_DOMAINS: ReadonlySet<string> = new Set(
  (
    "gmail.com googlemail.com yahoo.com yahoo.co.uk yahoo.co.in yahoo.co.jp yahoo.co.id yahoo.com.br yahoo.com.ar yahoo.com.mx " +
    "yahoo.com.au yahoo.com.ph yahoo.com.sg yahoo.com.vn yahoo.com.hk yahoo.com.tw yahoo.de yahoo.es yahoo.fr yahoo.it yahoo.ca " +
    "yahoo.in ymail.com rocketmail.com hotmail.com hotmail.co.uk hotmail.fr hotmail.de hotmail.it hotmail.es hotmail.com.br " +
    "hotmail.com.ar hotmail.nl hotmail.be hotmail.ca hotmail.se outlook.com outlook.de outlook.fr outlook.es outlook.it outlook.jp " +
    "outlook.com.br outlook.com.au outlook.in outlook.sa live.com live.co.uk live.fr live.de live.nl live.it live.ca live.com.mx " +
    "live.com.au live.se live.no live.dk live.be msn.com icloud.com me.com mac.com aol.com aol.de aim.com gmx.com gmx.de gmx.net " +
    "gmx.at gmx.ch gmx.fr web.de freenet.de mail.de email.de posteo.de mailbox.org mail.com email.com proton.me protonmail.com " +
    "pm.me tutanota.com tuta.io tuta.com zoho.com zohomail.com zohomail.in fastmail.com hey.com yandex.com yandex.ru ya.ru mail.ru " +
    "inbox.ru list.ru bk.ru rambler.ru ukr.net i.ua meta.ua seznam.cz email.cz centrum.cz post.cz azet.sk zoznam.sk centrum.sk wp.pl " +
    "o2.pl onet.pl op.pl interia.pl interia.eu gazeta.pl tlen.pl freemail.hu citromail.hu abv.bg mail.bg dir.bg inbox.lv inbox.lt " +
    "mail.ee walla.co.il walla.com laposte.net voila.fr virgilio.it tiscali.it alice.it email.it terra.com.br uol.com.br bol.com.br " +
    "ig.com.br globo.com globomail.com rediffmail.com sify.com indiatimes.com qq.com foxmail.com 163.com 126.com yeah.net sina.com " +
    "sina.cn sohu.com 139.com 189.cn aliyun.com 21cn.com naver.com daum.net hanmail.net nate.com kakao.com docomo.ne.jp ezweb.ne.jp " +
    "au.com softbank.ne.jp i.softbank.jp nifty.com excite.co.jp goo.ne.jp hinet.net pchome.com.tw mynet.com mail.com.tr windowslive.com " +
    "passport.com sapo.pt iol.pt netcabo.pt luukku.com suomi24.fi spray.se home.nl hotmail.no op.pl lycos.com lycos.co.uk " +
    "myway.com juno.com netzero.net usa.com inbox.com hushmail.com runbox.com disroot.org riseup.net"
  ).split(" "),
);

/**
 * Top-level domains with very cheap names that are at the top of abuse lists. Country codes are left out: those that were
 * free (.tk, .ml, .ga, .cf, .gq) no longer are, and people in those countries use them.
 */
export const RISKY_TLDS: ReadonlySet<string> = new Set(
  "top xyz click work buzz rest cam icu monster quest bond sbs cfd loan win bid download racing stream".split(
    " ",
  ),
);

/** Providers whose misspellings are recognized. Short names are left out, because too many real domains are one letter away. */
export const LARGE_PROVIDER_DOMAINS: readonly string[] = [
  "gmail.com",
  "googlemail.com",
  "hotmail.com",
  "icloud.com",
  "outlook.com",
  "protonmail.com",
  "yahoo.com",
];

/** Real mail services whose names are one letter away from a large provider's. */
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

/** Local parts for a role, not a person. */
export const ROLE_NAMES: ReadonlySet<string> = new Set([
  "accounting",
  "accounts",
  "accueil",
  "achats",
  "acquisti",
  "admin",
  "administracion",
  "administratie",
  "amministrazione",
  "bestellingen",
  "bestellung",
  "bestilling",
  "billing",
  "biuro",
  "buchhaltung",
  "buero",
  "commandes",
  "compras",
  "comptabilite",
  "contabilidad",
  "contact",
  "contacto",
  "contato",
  "direccion",
  "direction",
  "einkauf",
  "finance",
  "financeiro",
  "hello",
  "info",
  "inkoop",
  "inkop",
  "innkjop",
  "kontakt",
  "mail",
  "me",
  "office",
  "order",
  "orders",
  "ordini",
  "pedidos",
  "post",
  "procurement",
  "purchasing",
  "reception",
  "redazione",
  "sales",
  "secretary",
  "sekretariat",
  "service",
  "shop",
  "staff",
  "support",
  "team",
  "vendas",
  "verwaltung",
  "webmaster",
  "zakupy",
  "zamowienia",
]);

/**
 * Real providers that the list of disposable domains contains by mistake. fantasymail.de and nurfuerspam.de are GMX's,
 * royal.net is mail.com's.
 *
 * Source: the domains of Thunderbird's directory of providers, of public-email-providers-domains, and of 550 providers
 * collected by hand, where they appear on the list.
 */
export const REAL_PROVIDER_DOMAINS: ReadonlySet<string> = new Set([
  "21cn.com",
  "gawab.com",
  "mail.by",
  "mail333.com",
  "sify.com",
  "fantasymail.de",
  "nurfuerspam.de",
  "royal.net",
]);

import { disposableEmailBlocklistSet } from "disposable-email-domains-js";

/**
 * On the list of disposable domains, although people have had their mail there for decades. fantasymail.de and nurfuerspam.de are
 * GMX's, royal.net is mail.com's.
 *
 * Source: the domains of Thunderbird's directory of providers, of public-email-providers-domains, and of 550 providers listed by hand
 * that the list names.
 */
const REAL_PROVIDERS: ReadonlySet<string> = new Set([
  "21cn.com",
  "gawab.com",
  "mail.by",
  "mail333.com",
  "sify.com",
  "fantasymail.de",
  "nurfuerspam.de",
  "royal.net",
]);

let disposableDomains: ReadonlySet<string> | undefined;

/** Whether a domain provides disposable inboxes. The list is read when it is first needed: the package builds a new set at every call. */
export function isDisposableDomain(domain: string): boolean {
  disposableDomains ??= disposableEmailBlocklistSet();
  return disposableDomains.has(domain) && !REAL_PROVIDERS.has(domain);
}

import { disposableEmailBlocklistSet } from "disposable-email-domains-js";
import { isTooLong } from "../order/email-address.ts";
import { FREE_PROVIDER_DOMAINS, LINE_PROVIDER_DOMAINS, RELAY_DOMAINS } from "./tables/email-domains.ts";

/**
 * Real providers that the list of disposable domains contains by mistake. fantasymail.de and nurfuerspam.de are GMX's,
 * royal.net is mail.com's.
 *
 * Source: the domains of Thunderbird's directory of providers, of public-email-providers-domains, and of 550 providers
 * collected by hand, where they appear on the list.
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

/** Load the list on first use and keep it, because the package builds a new set at every call. */
function isDisposable(domain: string): boolean {
  disposableDomains ??= disposableEmailBlocklistSet();
  return disposableDomains.has(domain) && !REAL_PROVIDERS.has(domain);
}

/**
 * The domain and all its parents except the top level: `a.b.com` → `a.b.com`, `b.com`. Empty if the text is too long for a
 * domain.
 */
function toParents(domain: string): readonly string[] {
  if (isTooLong(domain)) return [];
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_, start) => labels.slice(start).join("."));
}

/** Whether mail to a domain is forwarded to an inbox that stays hidden. */
export function isRelay(domain: string): boolean {
  return toParents(domain).some((parent) => RELAY_DOMAINS.has(parent));
}

/** The service that provides throw-away inboxes at a domain, if one does. */
export function findDisposable(domain: string): string | undefined {
  // Lists of throw-away services also name services that forward to a real inbox.
  if (isRelay(domain)) return undefined;
  return toParents(domain).find(isDisposable);
}

/** Whether many unrelated people share a domain, so that it may be shown. */
export function isPublicDomain(domain: string): boolean {
  return (
    FREE_PROVIDER_DOMAINS.has(domain) ||
    LINE_PROVIDER_DOMAINS.has(domain) ||
    isRelay(domain) ||
    isDisposable(domain)
  );
}

/** Whether strangers share a domain: at a free, paid or throw-away provider, or behind a relay. */
export function isSharedDomain(domain: string): boolean {
  return isPublicDomain(domain) || findDisposable(domain) !== undefined;
}

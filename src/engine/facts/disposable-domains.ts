import { disposableEmailBlocklistSet } from "disposable-email-domains-js";
import { isTooLong } from "../../order/email-address.ts";
import {
  FREE_PROVIDER_DOMAINS,
  LINE_PROVIDER_DOMAINS,
  REAL_PROVIDER_DOMAINS,
  RELAY_DOMAINS,
} from "../tables/email-domains.ts";

let disposableDomains: ReadonlySet<string> | undefined;

/** Load the list on first use and keep it, because the package builds a new set at every call. */
function isDisposable(domain: string): boolean {
  disposableDomains ??= disposableEmailBlocklistSet();
  return disposableDomains.has(domain) && !REAL_PROVIDER_DOMAINS.has(domain);
}

/**
 * The first of the domain and its parents except the top level (`a.b.com`, `b.com`) that passes. Undefined if the text is too
 * long for a domain.
 */
function findParent(domain: string, passes: (parent: string) => boolean): string | undefined {
  if (isTooLong(domain)) return undefined;
  for (let parent = domain; parent.includes("."); parent = parent.slice(parent.indexOf(".") + 1)) {
    if (passes(parent)) return parent;
  }
  return undefined;
}

/** Whether mail to a domain is forwarded to an inbox that stays hidden. */
export function isRelay(domain: string): boolean {
  return findParent(domain, (parent) => RELAY_DOMAINS.has(parent)) !== undefined;
}

/** The service that provides throw-away inboxes at a domain, if one does. */
export function findDisposable(domain: string): string | undefined {
  // Lists of throw-away services also name services that forward to a real inbox.
  if (isRelay(domain)) return undefined;
  return findParent(domain, isDisposable);
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

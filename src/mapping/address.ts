import { cleanText, joinText } from "../order/text.ts";
import { PLACEHOLDER } from "../order/complete-order.ts";
import { REQUEST_LIMITS } from "../order/request-limits.ts";
import type { OrderAddress } from "../order/request.ts";

/** The parts of a platform's address. Each may be missing, null or blank. */
export interface AddressParts {
  /** One line, or several that belong together. */
  readonly street?: unknown;
  readonly city?: unknown;
  /** A name or a code; `US-TX` becomes `TX`. */
  readonly state?: unknown;
  readonly postalCode?: unknown;
  /** An ISO 3166-1 code in any case, or a name. */
  readonly country?: unknown;
}

const ALPHA_2 = /^[A-Za-z]{2}$/;

/**
 * An address as the verification service takes it: texts cut to its limits, a two-letter country in upper case, a state
 * without its country's prefix, `N/A` where a part is missing. Hong Kong has no postal codes, and most countries no states.
 *
 * Undefined if there is no country, or nothing but a country and a state. Never throws: a part that isn't text counts
 * as missing.
 */
export function toAddress(parts: AddressParts): OrderAddress | undefined {
  const { street, city, postalCode, country } = readParts(parts);
  return country === undefined || (street ?? city ?? postalCode) === undefined
    ? undefined
    : toKnownAddress(parts);
}

/** Like {@link toAddress}, and undefined only if no part is known: an address keeps what it has. */
export function toKnownAddress(parts: AddressParts): OrderAddress | undefined {
  const known = readParts(parts);
  if (Object.values(known).every((part) => part === undefined)) return undefined;
  const { street = PLACEHOLDER, city = PLACEHOLDER, state = PLACEHOLDER } = known;
  const { postalCode = PLACEHOLDER, country = PLACEHOLDER } = known;
  return { street, city, state, postalCode, country };
}

/** Whether an address says more than a country and a state. */
export function hasPlace({ street, city, postalCode }: OrderAddress): boolean {
  return [street, city, postalCode].some((part) => part !== PLACEHOLDER);
}

function readParts(parts: AddressParts) {
  const lines = Array.isArray(parts.street) ? (parts.street as readonly unknown[]) : [parts.street];
  const country = toCountry(parts.country);
  return {
    street: joinText(REQUEST_LIMITS.street, ", ", ...lines),
    city: cleanText(parts.city, REQUEST_LIMITS.city),
    state: toState(parts.state, country),
    postalCode: cleanText(parts.postalCode, REQUEST_LIMITS.postalCode),
    country,
  };
}

function toCountry(value: unknown): string | undefined {
  const country = cleanText(value, REQUEST_LIMITS.country);
  return country !== undefined && ALPHA_2.test(country) ? country.toUpperCase() : country;
}

/** ISO 3166-2 writes the country before the state. */
function toState(value: unknown, country: string | undefined): string | undefined {
  const state = cleanText(value, REQUEST_LIMITS.state);
  const hasPrefix = state?.slice(0, 3).toUpperCase() === `${country}-`;
  return hasPrefix && state.length > 3 ? state.slice(3) : state;
}

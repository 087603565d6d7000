import { isSupportedCountry, parsePhoneNumberFromString, type PhoneNumber } from "libphonenumber-js/max";
import { REQUEST_LIMITS } from "../../order/request.ts";
import { toMeaningful } from "./place.ts";
import { readText } from "./plain-order.ts";
import { foldText } from "../text/text-shape.ts";

/** A phone number, according to its country's numbering plan. */
export interface PhoneFacts {
  /** Digits without extension; empty if the given text has none. */
  readonly digits: string;
  /**
   * `assigned`: in an assigned range. `unassigned`: a possible length, but not in an assigned range. `impossible`: not a
   * number anywhere. Undefined if that can't be known: without a country code, in an unknown country.
   */
  readonly plan: "assigned" | "unassigned" | "impossible" | undefined;
  /** ISO 3166-1 code of the number's country; undefined if unknown, and for numbers without a country. */
  readonly country: string | undefined;
  readonly type: PhoneType | undefined;
}

/** Kinds of number, by the names of libphonenumber. */
export type PhoneType =
  | "PREMIUM_RATE"
  | "TOLL_FREE"
  | "SHARED_COST"
  | "VOIP"
  | "PERSONAL_NUMBER"
  | "PAGER"
  | "UAN"
  | "VOICEMAIL"
  | "FIXED_LINE_OR_MOBILE"
  | "FIXED_LINE"
  | "MOBILE";

function parsePhone(text: string, country?: string): PhoneNumber | undefined {
  if (country !== undefined && !isSupportedCountry(country)) return undefined;
  return parsePhoneNumberFromString(text, {
    ...(country === undefined ? {} : { defaultCountry: country }),
    extract: false,
  });
}

/**
 * Read a phone number; undefined if none was given. `countries` are the order's, most likely first. If one of them is
 * unknown, nothing counts against the number, because it could be from that country.
 */
export function toPhoneFacts(
  value: unknown,
  countries: readonly (string | undefined)[],
): PhoneFacts | undefined {
  const text = readText(value, REQUEST_LIMITS.customerPhone);
  // Convert digits of other scripts. They would be lost below, and the number would look too short.
  if (text === undefined || /(?![0-9])\p{Nd}/u.test(text)) return undefined;
  const folded = foldText(text).replace(/(?:x|ext\.?|#) ?\d{1,6}$/, "");
  const digits = folded.replaceAll(/\D/g, "");
  if (digits === "") {
    return toMeaningful(text) === undefined ? undefined : { ...UNREADABLE, digits, plan: "impossible" };
  }
  const international = /^\(?\+/.test(folded)
    ? digits
    : /^00[1-9]/.test(digits)
      ? digits.slice(2)
      : undefined;
  return { ...judge(digits, international, countries), digits };
}

/** E.164 allows fifteen digits. Two more are for an international prefix. */
const LONGEST = 17;
const UNREADABLE = { plan: undefined, country: undefined, type: undefined } as const;

function judge(
  digits: string,
  international: string | undefined,
  countries: readonly (string | undefined)[],
): Omit<PhoneFacts, "digits"> {
  const known = [...new Set(countries.filter((country) => country !== undefined))];
  const found: PhoneNumber[] = [];
  for (const parse of toReadings(digits, international, known)) {
    const number = parse();
    if (number === undefined) continue;
    // Every plan in the full metadata has types, so a number with a type is valid.
    const type = number.getType();
    if (type !== undefined) return { plan: "assigned", country: toOwnCountry(number, known), type };
    found.push(number);
  }
  if (digits.length > LONGEST) return { ...UNREADABLE, plan: "impossible" };
  if (countries.some((country) => country === undefined)) return UNREADABLE;
  return { ...UNREADABLE, plan: found.some((number) => number.isPossible()) ? "unassigned" : "impossible" };
}

/** The ways to read a number, most likely first. People leave out the plus sign, or write one that doesn't belong there. */
function toReadings(
  digits: string,
  international: string | undefined,
  countries: readonly string[],
): readonly (() => PhoneNumber | undefined)[] {
  const national = countries.map((country) => () => parsePhone(digits, country));
  const withCode = () => parsePhone(`+${international ?? digits}`);
  return international === undefined ? [...national, withCode] : [withCode, ...national];
}

/**
 * Countries whose numbers also belong to another country's plan, so that the number doesn't show which: Palestinian ones also
 * work with Israel's code. Territories count as their home country anyway.
 */
const SHARED_PLANS: Readonly<Record<string, string>> = { EH: "MA", GS: "FK", PN: "NZ", PS: "IL" };

function toOwnCountry(number: PhoneNumber, countries: readonly string[]): string | undefined {
  if (number.country === undefined) return undefined;
  return countries.find((country) => SHARED_PLANS[country] === number.country) ?? number.country;
}

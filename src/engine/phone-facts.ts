import { isSupportedCountry, parsePhoneNumberFromString, type PhoneNumber } from "libphonenumber-js/max";
import { REQUEST_LIMITS } from "../order/request.ts";
import { toMeaningful } from "./place.ts";
import { readText } from "./plain-order.ts";
import { foldText } from "./text-shape.ts";

/** What a phone number is by its country's numbering plan. */
export interface PhoneFacts {
  /** Digits without extension; empty when there are none in what was given. */
  readonly digits: string;
  /**
   * `assigned`: in a range that is given out. `unassigned`: of a length that exists there, in no range that is given out.
   * `impossible`: no number anywhere. Undefined when it cannot be said: without a country code, in an unknown country.
   */
  readonly plan: "assigned" | "unassigned" | "impossible" | undefined;
  /** ISO 3166-1 code of the number's country; undefined when unknown, and for numbers of no country. */
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
 * Read a phone number; undefined when none was given. `countries` are those of the order, the likeliest first; while one
 * is unknown nothing is held against a number, because it could be that country's.
 */
export function toPhoneFacts(
  value: unknown,
  countries: readonly (string | undefined)[],
): PhoneFacts | undefined {
  const text = readText(value, REQUEST_LIMITS.customerPhone);
  // Digits of other scripts would be lost below and look like a number that is too short.
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

/** E.164 allows fifteen digits; two more for an international prefix. */
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
    // Every plan of the full metadata has types, so that a number is valid if it has one.
    const type = number.getType();
    if (type !== undefined) return { plan: "assigned", country: toOwnCountry(number, known), type };
    found.push(number);
  }
  if (digits.length > LONGEST) return { ...UNREADABLE, plan: "impossible" };
  if (countries.some((country) => country === undefined)) return UNREADABLE;
  return { ...UNREADABLE, plan: found.some((number) => number.isPossible()) ? "unassigned" : "impossible" };
}

/** The ways to read a number, the likeliest first. People leave out the plus sign, and write it where none belongs. */
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
 * Countries whose numbers are, or also are, in another one's plan, which nothing in the number tells apart: Palestinian ones
 * are reached under Israel's code too. Territories count as their home country anyway.
 */
const SHARED_PLANS: Readonly<Record<string, string>> = { EH: "MA", GS: "FK", PN: "NZ", PS: "IL" };

function toOwnCountry(number: PhoneNumber, countries: readonly string[]): string | undefined {
  if (number.country === undefined) return undefined;
  return countries.find((country) => SHARED_PLANS[country] === number.country) ?? number.country;
}

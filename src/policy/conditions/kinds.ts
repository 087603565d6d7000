import { z } from "zod";
import { expected } from "../../base/field-codes.ts";
import { toCountryCode } from "../../order/countries/country-code.ts";
import { foldText } from "../../order/text.ts";
import type { OrderFacts, PartlyKnown } from "../order-facts.ts";
import { flag, filledText, oneOf, POLICY_LIMITS, strict, wholeNumber } from "../schema-fields.ts";
import type { CheckOutcome } from "../check-facts.ts";

type Fold = (text: string) => string;
/** Undefined: what the condition asks about isn't known of the order. */
export type IsMet = boolean | undefined;

/** How a condition is written, and whether an order meets it. */
export const condition = <T extends z.ZodType>(
  schema: T,
  isMet: (given: z.output<T>, facts: OrderFacts, outcome: CheckOutcome) => IsMet,
) => ({ schema: schema.optional(), isMet });

const LIST_EXPECTED = expected("list-of-some", { max: POLICY_LIMITS.listEntries });
type ListSchema<T> = z.ZodType<readonly z.output<T>[], readonly z.input<T>[] | z.input<T>>;
/** A list, or one entry by itself. An empty list would never match, so the rule would look active and do nothing. */
const list = <T extends z.ZodType>(entry: T): ListSchema<T> =>
  z.preprocess(
    (value) => (typeof value === "string" ? [value] : value),
    z
      .array(entry, LIST_EXPECTED)
      .min(1, LIST_EXPECTED)
      .max(POLICY_LIMITS.listEntries, LIST_EXPECTED)
      .readonly(),
  ) as ListSchema<T>;

const text = filledText(POLICY_LIMITS.entryLength);
const texts = list(text);
// A text that folds to nothing would match every order.
export const textsThat = (has: (entry: string) => boolean, problem: string) =>
  list(text.refine(has, problem));

const CURRENCY_EXPECTED = expected("currency-letters");
export const currencies = list(z.string(CURRENCY_EXPECTED).regex(/^[A-Za-z]{3}$/, CURRENCY_EXPECTED));

/** Codes that stand for several countries: no address has one. */
export const COUNTRY_UNIONS: ReadonlySet<string> = new Set(["EU", "EZ", "UN", "QO"]);

/** The ISO code of a country that is written as its code or its English name; other text stays as it is. */
function toWrittenCountry(entry: string): string {
  const written = entry.trim().toUpperCase();
  return COUNTRY_UNIONS.has(written) ? written : (toCountryCode(entry) ?? entry);
}
const countryTexts = list(text.overwrite(toWrittenCountry));

export const amount = z.number(expected("amount")).nonnegative(expected("amount-negative"));

const TIMES_EXPECTED = expected("times");
export const times = z.number(TIMES_EXPECTED).positive(TIMES_EXPECTED);

/** True or false, as the order is. */
export const same = (read: (facts: OrderFacts) => boolean | undefined) =>
  condition(flag(), (given, facts) => {
    const own = read(facts);
    return own === undefined ? undefined : given === own;
  });

/** One of the given values is the order's. */
export const among = <const T extends string>(
  values: readonly T[],
  read: (facts: OrderFacts, outcome: CheckOutcome) => T | null | undefined,
) =>
  // Without its own type: TypeScript can't read back the one that it would declare.
  condition(list<z.ZodType<T, T>>(oneOf(values)), (given, facts, outcome) => {
    const own = read(facts, outcome) ?? undefined;
    return own === undefined ? undefined : given.includes(own);
  });

/** One of the given texts is the order's, or one of several that the order has. */
export const listed = (
  read: (facts: OrderFacts, outcome: CheckOutcome) => string | PartlyKnown | undefined,
  by: Fold = foldText,
  schema = texts,
) =>
  condition(schema, (given, facts, outcome) => {
    const own = read(facts, outcome);
    if (typeof own === "string") return isListed(given, own, by);
    return own && meetsOne(own, (text) => isListed(given, text, by));
  });

/** One of the given texts is a part of one that the order has. */
export const contained = (
  read: (facts: OrderFacts) => PartlyKnown | undefined,
  by: Fold = foldText,
  schema = texts,
) =>
  condition(schema, (given, facts) => {
    const own = read(facts);
    const parts = foldEntries(given, by);
    return own && meetsOne(own, (text) => [...parts].some((part) => text.includes(part)));
  });

/** One of the given countries is one of the order's. */
export const countries = (read: (facts: OrderFacts) => readonly (string | undefined)[]) =>
  condition(countryTexts, (given, facts) => {
    const own = read(facts).map((country) => country ?? null);
    return meetsOne(own, (country) => isCountry(given, country));
  });

/** Whether one of the order's values meets the condition. If none of the known ones does, an unknown one still may. */
function meetsOne(own: PartlyKnown, isMet: (text: string) => boolean): IsMet {
  if (own.some((text) => text !== null && isMet(text))) return true;
  return own.includes(null) ? undefined : false;
}

/** The order's number is at least the given one. */
export const atLeast = (
  read: (facts: OrderFacts, outcome: CheckOutcome) => number | null | undefined,
  schema: z.ZodType<number, number> = amount,
) =>
  condition(schema, (given, facts, outcome) => {
    const own = read(facts, outcome) ?? undefined;
    return own === undefined ? undefined : own >= given;
  });

/** The order's number is at most the given one. */
export const atMost = (
  read: (facts: OrderFacts, outcome: CheckOutcome) => number | null | undefined,
  schema: z.ZodType<number, number> = amount,
) =>
  condition(schema, (given, facts, outcome) => {
    const own = read(facts, outcome) ?? undefined;
    return own === undefined ? undefined : own <= given;
  });

const MOST_COUNTED = 1_000_000;
export const count = (least = 0) => wholeNumber(least, MOST_COUNTED);

/** The order's whole number is in a range whose ends both count. */
export const within = (read: (facts: OrderFacts) => number | undefined) => {
  const range = strict({ min: count().optional(), max: count().optional() })
    .refine(({ min, max }) => min !== undefined || max !== undefined, expected("min-or-max"))
    .refine(({ min = 0, max = Infinity }) => min <= max, {
      path: ["max"],
      error: expected("max-below-min"),
    })
    .readonly();
  return condition(range, ({ min = 0, max = Infinity }, facts) => {
    const own = read(facts);
    return own === undefined ? undefined : own >= min && own <= max;
  });
};

/** Whether a text, or one of several, is an entry of the list. */
export function isListed(
  entries: readonly string[],
  known: string | readonly string[],
  by: Fold = foldText,
): boolean {
  const folded = foldEntries(entries, by);
  return typeof known === "string" ? folded.has(known) : known.some((text) => folded.has(text));
}

/** Some platforms write a country's name: the code stands for it. */
function isCountry(entries: readonly string[], country: string): boolean {
  if (isListed(entries, country)) return true;
  const code = country.length > 2 ? toCountryCode(country)?.toLowerCase() : undefined;
  return code !== undefined && isListed(entries, code);
}

/** Folded lists of frozen policies, cached because folding a thousand entries takes longer than everything else. */
const FOLDED = new WeakMap<readonly string[], Map<Fold, ReadonlySet<string>>>();

function foldEntries(entries: readonly string[], fold: Fold): ReadonlySet<string> {
  const known = FOLDED.get(entries) ?? new Map<Fold, ReadonlySet<string>>();
  FOLDED.set(entries, known);
  const folded = known.get(fold) ?? new Set(entries.map((entry) => fold(entry)));
  known.set(fold, folded);
  return folded;
}

import { LOCALE } from "../base/language.ts";
import { t } from "../base/texts.ts";

const numbers = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 3 });

/** A missing number is shown as an ellipsis. */
export function toNumber(amount: number | null): string {
  return amount === null || Number.isNaN(amount) ? "…" : numbers.format(amount);
}

/** Puts values into what a condition says. */
export type Say = (values: string) => string;

export function sayList(say: Say, entries: readonly string[], toWord: (entry: string) => string): string {
  return say(entries.length === 0 ? "…" : joinSome(entries.map((entry) => toWord(entry))));
}

const NAMED_AT_MOST = 3;

export function joinSome(words: readonly string[]): string {
  if (words.length <= NAMED_AT_MOST + 1) return LISTS.or.format(words);
  const others = t("conditions.others", { count: words.length - NAMED_AT_MOST });
  return LISTS.or.format([...words.slice(0, NAMED_AT_MOST), others]);
}

export const LISTS = {
  /** `a`, `a and b`, `a, b, and c`. */
  and: new Intl.ListFormat(LOCALE, { type: "conjunction" }),
  /** `a`, `a or b`, `a, b, or c`. */
  or: new Intl.ListFormat(LOCALE, { type: "disjunction" }),
} as const;

/** A range with one or two ends. */
export interface Range {
  readonly min?: number | null | undefined;
  readonly max?: number | null | undefined;
}

/** What a range says, by which of its ends it has; empty without ends. */
export function sayRange(
  { min, max }: Range,
  say: {
    readonly from: (min: string) => string;
    readonly to: (max: string) => string;
    readonly both: (min: string, max: string) => string;
  },
): string {
  if (min === undefined) return max === undefined ? "" : say.to(toNumber(max));
  return max === undefined ? say.from(toNumber(min)) : say.both(toNumber(min), toNumber(max));
}

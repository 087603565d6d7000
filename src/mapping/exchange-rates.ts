import { createCalendar } from "../base/day-spans.ts";
import { findMinorDigits } from "./money.ts";

/** What one unit of a currency is worth in the shop's currency, from a day on. */
export interface ExchangeRate {
  /** ISO 4217. */
  readonly currency: string;
  /** The day of the rate, `2026-11-01`. It applies until the day of the next one. */
  readonly from: string;
  readonly rate: number;
}

/** The currency in which a shop counts, and the rates of others. */
export interface ShopMoney {
  /** Null if nobody said. */
  readonly currency: string | null;
  readonly rates: readonly ExchangeRate[];
  /** Whose days rates are of; null for UTC. */
  readonly timeZone: string | null;
}

const DAY_MS = 86_400_000;

/**
 * Finds the rate of a currency on the day of a moment. Before its first rate, a currency has that rate: an owner who enters
 * today's rates means last week's orders too.
 */
function createRateFinder({ rates, timeZone }: ShopMoney) {
  const calendar = createCalendar(timeZone);
  return (currency: string, atMs: number): ExchangeRate | undefined => {
    const known = rates
      .filter((rate) => rate.currency === currency)
      .toSorted((one, other) => (one.from < other.from ? -1 : 1));
    if (known.length === 0) return undefined;
    const day = new Date(calendar.dayAt(atMs) * DAY_MS).toISOString().slice(0, 10);
    return known.findLast(({ from }) => from <= day) ?? known[0];
  };
}

export type Converter = ReturnType<typeof createConverter>;

/** Converts amounts to the shop's currency, at the rate of their day. */
export function createConverter(money: ShopMoney) {
  const { currency } = money;
  const findRate = createRateFinder(money);
  const used = new Set<ExchangeRate>();
  return {
    /** The shop's currency. */
    currency,
    /** The value in the shop's currency; null if no rate is known. */
    toValue(amount: number, from: string, atMs: number): number | null {
      if (currency === null) return null;
      if (from.toUpperCase() === currency) return amount;
      const rate = findRate(from.toUpperCase(), atMs);
      if (rate === undefined) return null;
      used.add(rate);
      return toRounded(amount * rate.rate, currency);
    },
    /** The rates that were used, by currency and day. */
    used: (): readonly ExchangeRate[] =>
      [...used].toSorted((one, other) => (toOrder(one) < toOrder(other) ? -1 : 1)),
  };
}

/** What one unit of each currency is worth at a moment in the shop's currency, which itself is worth 1. */
export function toRatesAt(money: ShopMoney, atMs: number): ReadonlyMap<string, number> {
  const { currency } = money;
  if (currency === null) return new Map();
  const findRate = createRateFinder(money);
  const others = new Set(money.rates.map((rate) => rate.currency));
  const known = [...others].flatMap((other) => {
    const rate = findRate(other, atMs)?.rate;
    return rate === undefined ? [] : [[other, rate] as const];
  });
  return new Map([...known, [currency, 1]]);
}

function toOrder({ currency, from }: ExchangeRate): string {
  return `${currency} ${from}`;
}

function toRounded(value: number, currency: string): number {
  const units = 10 ** findMinorDigits(currency);
  return Math.round(value * units) / units;
}

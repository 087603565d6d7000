import { findMinorDigits } from "../mapping/money.ts";

/** Sums of money by currency, in major units rounded to the currency's smallest. Currencies are never mixed. */
export type Money = Readonly<Record<string, number>>;

/** A number of orders and the sum of their amounts. Orders without an amount or a currency count as orders only. */
export interface Worth {
  readonly orders: number;
  readonly amount: Money;
}

export type WorthSum = ReturnType<typeof createWorthSum>;

/** The most minor units per major unit of any currency in use. */
export const UNITS = 1_000;

/** Adds in whole smallest units, so that the sum doesn't depend on the order of additions. */
export function createWorthSum() {
  const sums = new Map<string, number>();
  let orders = 0;
  return {
    add(amount: number | null, currency: string | null): void {
      this.addMany(1, amount, currency);
    },
    /** Several orders, with the sum of their amounts. */
    addMany(count: number, amount: number | null, currency: string | null): void {
      orders += count;
      if (amount === null || currency === null || !Number.isFinite(amount)) return;
      const name = currency.toUpperCase();
      sums.set(name, (sums.get(name) ?? 0) + Math.round(amount * UNITS));
    },
    total: (): Worth => ({
      orders,
      amount: Object.fromEntries(
        [...sums]
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, units]) => [name, toMajor(name, units)]),
      ),
    }),
  };
}

function toMajor(currency: string, units: number): number {
  const minor = 10 ** findMinorDigits(currency);
  return Math.round(units / (UNITS / minor)) / minor;
}

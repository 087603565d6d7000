import { toFieldsError, type HoldfastError } from "../base/errors.ts";

/**
 * Decimals of the currencies that don't have two, by ISO 4217 (list one, column "minor unit"). `Intl` doesn't have
 * them: it has the digits that people write, so the forint has none there.
 */
const OTHER_THAN_TWO: ReadonlyMap<string, number> = new Map([
  ...toEntries(0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
  ...toEntries(3, "BHD IQD JOD KWD LYD OMR TND"),
  ...toEntries(4, "CLF UYW"),
]);
const CURRENCY = /^[A-Za-z]{3}$/;
const MAX_DIGITS = 20;

function toEntries(digits: number, currencies: string): (readonly [string, number])[] {
  return currencies.split(" ").map((currency) => [currency, digits] as const);
}

/**
 * Decimals of a currency by ISO 4217, for three letters in any case. A code that ISO doesn't list has two, like most
 * currencies.
 */
export function findMinorDigits(currency: string): number {
  return OTHER_THAN_TWO.get(currency.toUpperCase()) ?? 2;
}

/**
 * An amount in major units of its currency, from minor units: `toMajorUnits(1999, "USD")` is 19.99, `toMajorUnits(1999, "JPY")` is
 * 1999 and `toMajorUnits(1999, "KWD")` is 1.999.
 *
 * @param currency ISO 4217, in any case; or the number of decimals, for a system that has its own (Vendure: 2 for every
 * currency).
 * @throws {HoldfastError} `ORDER_INVALID` for an amount that isn't a whole number: it's probably in major units
 * already.
 */
export function toMajorUnits(amount: number | bigint, currency: string | number): number {
  const digits = typeof currency === "number" ? currency : findMinorDigits(assertCurrency(currency));
  if (!Number.isInteger(digits) || digits < 0 || digits > MAX_DIGITS) {
    throw toError("currency", `expected 0 to ${MAX_DIGITS} decimals`);
  }
  if (typeof amount !== "bigint" && !Number.isInteger(amount)) {
    throw toError("amount", "expected a whole number of minor units");
  }
  return Number(amount) / 10 ** digits;
}

function assertCurrency(currency: string): string {
  if (typeof currency === "string" && CURRENCY.test(currency)) return currency;
  throw toError("currency", "expected a three-letter currency code");
}

function toError(path: string, message: string): HoldfastError {
  const problem = `the amount can't be converted: ${path}: ${message}`;
  return toFieldsError("ORDER_INVALID", problem, [{ path, message }]);
}

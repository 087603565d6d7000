import { RATES } from "./generated/currencies.ts";

/**
 * The rough value of one unit of every currency in US dollars. It only selects the band of an amount, so a tenth more or less
 * doesn't matter. Never fetched.
 */
export const USD_PER_UNIT: Readonly<Record<string, number>> = Object.fromEntries(
  RATES.split("|").map((line) => {
    const [code = "", rate] = line.split(" ");
    return [code, Number(rate)];
  }),
);

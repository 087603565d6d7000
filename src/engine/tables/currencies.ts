import { RATES } from "./generated/currencies.ts";

/**
 * What one unit of a currency is worth in US dollars, roughly, for every currency in use. Only picks the band an amount falls
 * into, so a tenth more or less changes nothing; never fetched.
 */
export const USD_PER_UNIT: Readonly<Record<string, number>> = Object.fromEntries(
  RATES.split("|").map((line) => {
    const [code = "", rate] = line.split(" ");
    return [code, Number(rate)];
  }),
);

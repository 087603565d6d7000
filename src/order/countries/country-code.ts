import { foldPlace } from "../text.ts";
import { COUNTRY_ALIASES } from "./country-aliases.ts";
import { ALPHA_3_CODES } from "./generated/alpha-3-codes.ts";
import { COUNTRY_NAMES } from "./generated/country-names.ts";

/** Codes of two and three letters and English names of all countries, and the aliases: folded text → current ISO code. */
const COUNTRY_CODES = listCountryCodes();

/**
 * The upper-case ISO 3166-1 code of two letters of a country, from its code of two or three letters, its English name or an
 * alias; undefined if unknown.
 */
export function toCountryCode(text: string | undefined): string | undefined {
  return text === undefined ? undefined : COUNTRY_CODES.get(foldPlace(text));
}

function listCountryCodes(): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  for (const [alias, code] of Object.entries(COUNTRY_ALIASES)) codes.set(foldPlace(alias), code);
  for (const [, written = "", current = "", name = ""] of COUNTRY_NAMES.matchAll(/(\w\w) (\w\w) ([^|]+)/g)) {
    codes.set(written.toLowerCase(), current).set(foldPlace(name), current);
  }
  for (const [, alpha3 = "", code = ""] of ALPHA_3_CODES.matchAll(/(\w{3}) (\w\w)/g)) {
    codes.set(alpha3.toLowerCase(), codes.get(code.toLowerCase()) ?? code);
  }
  return codes;
}

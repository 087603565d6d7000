import { nameCountry } from "./format.ts";
import { LOCALE } from "./language.ts";

const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index));
/** Codes with names that aren't countries. */
const OTHERS: ReadonlySet<string> = new Set(["EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"]);

let codes: ReadonlyMap<string, string> | undefined;

/** Country codes by their names in the person's language, folded. */
function listCodes(): ReadonlyMap<string, string> {
  codes ??= new Map(
    LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
      .filter((code) => isCountry(code))
      .map((code) => [foldName(nameCountry(code)), code]),
  );
  return codes;
}

/** Former codes are another country's today: `DD` is `DE`. */
function isCountry(code: string): boolean {
  if (OTHERS.has(code) || nameCountry(code) === code) return false;
  return (
    new Intl.Locale(`und-${code}`).region === code &&
    Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`
  );
}

function foldName(name: string): string {
  return name.normalize("NFKD").replaceAll(/\p{M}/gu, "").trim().toLocaleLowerCase(LOCALE);
}

/** A shorter beginning of a name is more likely a code of three letters, or a slip. */
const SHORTEST_BEGINNING = 4;

/**
 * The code of a country that is written as its code, its name, or the beginning of only its name. Other text is unchanged: the
 * server may understand it.
 */
export function toCountryEntry(text: string): string {
  const typed = foldName(text);
  const code = listCodes().get(typed);
  if (code !== undefined) return code;
  if (/^[a-z]{2}$/i.test(text)) return text.toUpperCase();
  const begun = typed.length < SHORTEST_BEGINNING ? [] : findBegun(typed);
  return begun.length === 1 ? (begun[0] ?? text) : text;
}

/** Codes of the countries whose names begin like a folded text. */
function findBegun(typed: string): readonly string[] {
  return [...listCodes()].filter(([name]) => name.startsWith(typed)).map(([, code]) => code);
}

const MOST_SUGGESTED = 8;

/** Names of countries that begin like a text, to choose from. */
export function suggestCountries(text: string): readonly string[] {
  const typed = foldName(text);
  if (typed === "") return [];
  return findBegun(typed)
    .slice(0, MOST_SUGGESTED)
    .map((code) => nameCountry(code));
}

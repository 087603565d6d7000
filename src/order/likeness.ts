import { foldAddress, foldText } from "./fold.ts";

/** Letters that decomposition leaves whole, as they are typed without their accents. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = { ø: "o", æ: "ae", œ: "oe", ł: "l", đ: "d", ı: "i" };
const SPECIAL = /[øæœłđı]/g;

/** Scripts in which one wrong letter is a slip. In others, one character is a word. */
const ALPHABETIC = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u;
const SHORTEST_WITH_SLIP = 4;

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  street: "st",
  saint: "st",
  sankt: "st",
  avenue: "ave",
  av: "ave",
  road: "rd",
  boulevard: "blvd",
  drive: "dr",
  lane: "ln",
  court: "ct",
  place: "pl",
  square: "sq",
  highway: "hwy",
  parkway: "pkwy",
  terrace: "ter",
  circle: "cir",
  mount: "mt",
  fort: "ft",
  north: "n",
  south: "s",
  east: "e",
  west: "w",
  platz: "pl",
  strasse: "str",
};

/** The words of a text without accents, punctuation and case. */
export function toWords(text: string): readonly string[] {
  const plain = foldAddress(text)
    .normalize("NFD")
    // Only of letters that have a form without: a mark can be half a syllable elsewhere.
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .normalize("NFC")
    .replaceAll(SPECIAL, (letter) => PLAIN_LETTERS[letter] ?? letter);
  return plain === "" ? [] : plain.split(" ").map(toShortForm);
}

/** Whether two lists have the same words in any order, but for a slip of the pen in each. */
export function hasSameWords(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && hasAllWords(others, some);
}

/** Whether two names can be the same person's: written otherwise, or with a middle name or second surname more. */
export function isSameName(before: string, after: string): boolean {
  const [few, many] = [toWords(before), toWords(after)].toSorted((a, b) => a.length - b.length);
  if (few === undefined || many === undefined || few.length === 0) return false;
  if (few.length === 1) return hasSameWords(few, many);
  return hasAllWords(many, few, (word, other) => isSameWord(word, other) || isInitial(word, other));
}

/** Whether two names of towns differ in spelling only. */
export function isSameTown(before: string, after: string): boolean {
  return hasSameWords(toWords(before), toWords(after));
}

/** Whether two postal codes differ in spaces and hyphens only, or one has the four digits that the United States may add. */
export function isSamePostalCode(before: string, after: string): boolean {
  return toPostalCode(before) === toPostalCode(after);
}

/** Whether two countries are the same: equal, or one the ISO code and the other its name in English or its own language. */
export function isSameCountry(before: string, after: string): boolean {
  const [a, b] = [foldText(before), foldText(after)];
  if (a === b) return true;
  return toCountryNames(a).includes(b) || toCountryNames(b).includes(a);
}

function toShortForm(word: string): string {
  if (Object.hasOwn(ABBREVIATIONS, word)) return ABBREVIATIONS[word] ?? word;
  return word.replace(/(?<=.{3})stra(?:ss|ß)e$/u, "str");
}

function hasAllWords(
  from: readonly string[],
  wanted: readonly string[],
  isSame: (word: string, other: string) => boolean = isSameWord,
): boolean {
  const left = [...from];
  return wanted.every((word) => {
    // An equal word first, so that a near one is left for a word that has no equal.
    const exact = left.indexOf(word);
    const found = exact === -1 ? left.findIndex((other) => isSame(word, other)) : exact;
    if (found !== -1) left.splice(found, 1);
    return found !== -1;
  });
}

function isSameWord(word: string, other: string): boolean {
  if (word === other) return true;
  const shortest = Math.min(word.length, other.length);
  // Slips at the first letter are rare; Dale and Vale, Hill and Mill are other streets.
  if (shortest < SHORTEST_WITH_SLIP || word[0] !== other[0]) return false;
  return ALPHABETIC.test(word) && ALPHABETIC.test(other) && isOneSlipApart(word, other);
}

function isInitial(word: string, other: string): boolean {
  return (word.length === 1 || other.length === 1) && word[0] === other[0] && ALPHABETIC.test(word + other);
}

/** One letter more, less, another, or two neighbours swapped. */
function isOneSlipApart(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 1) return false;
  let at = 0;
  while (at < word.length && word[at] === other[at]) at += 1;
  const [rest, otherRest] = [word.slice(at), other.slice(at)];
  return (
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    (rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2))
  );
}

function toPostalCode(text: string): string {
  const code = foldAddress(text);
  return (/^(\d{5}) \d{4}$/.exec(code)?.[1] ?? code).replaceAll(" ", "");
}

/** What a country with this code is called; none for what is no code. */
function toCountryNames(code: string): readonly string[] {
  if (!/^[a-z]{2}$/.test(code)) return [];
  const region = code.toUpperCase();
  const language = new Intl.Locale(`und-${region}`).maximize().language;
  return ["en", language].map((name) =>
    foldText(new Intl.DisplayNames([name], { type: "region" }).of(region) ?? ""),
  );
}

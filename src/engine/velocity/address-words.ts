import { foldAddress } from "../../order/fold.ts";

/** Letters that decomposition leaves whole, as they are typed without their accents. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = { ø: "o", æ: "ae", œ: "oe", ł: "l", đ: "d", ı: "i" };
const SPECIAL = /[øæœłđı]/g;

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

/** The words of a text without accents, punctuation and case, the usual ones abbreviated: one address has one spelling. */
export function toWords(text: string): readonly string[] {
  const plain = foldAddress(text)
    .normalize("NFD")
    // Only of letters that have a form without: a mark can be half a syllable elsewhere.
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .normalize("NFC")
    .replaceAll(SPECIAL, (letter) => PLAIN_LETTERS[letter] ?? letter);
  return plain === "" ? [] : plain.split(" ").map(toShortForm);
}

function toShortForm(word: string): string {
  if (Object.hasOwn(ABBREVIATIONS, word)) return ABBREVIATIONS[word] ?? word;
  return word.replace(/(?<=.{3})stra(?:ss|ß)e$/u, "str");
}

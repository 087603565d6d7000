import { PAIR_ALPHABET, PAIR_SURPRISE } from "./generated/letter-pairs.ts";

/** Letters that Unicode doesn't decompose, with their usual replacements on other keyboards. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  æ: "ae",
  œ: "oe",
  ı: "i",
};
const PRINTABLE_ASCII = /^[\u0020-\u007e]*$/;

/** A text in lower case, without accents, and with white space collapsed, for comparing letters. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (PRINTABLE_ASCII.test(lower)) return lower.replaceAll(/ {2,}/g, " ").trim();
  return lower
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[ßøłđðþæœı]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The runs of letters in a folded text. */
export function toWords(folded: string): readonly string[] {
  return folded.match(/\p{L}+/gu) ?? [];
}

/**
 * Runs along a Latin or Russian keyboard. Those that are also parts of real words or names ("wert", "erty") are left out.
 * Runs of the middle and bottom rows count anywhere in a word.
 */
const KEYBOARD_RUN =
  /^(?:qwer|rewq|uiop|poiu|yxcv|azert|ицук|кцуи|ячсм|чсми)|asdf|sdfg|dfgh|fghj|ghjk|hjkl|lkjh|kjhg|jhgf|hgfd|gfds|fdsa|zxcv|xcvb|cvbn|vbnm|mnbv|nbvc|bvcx|vcxz|фыва|ывап|пролд|ролдж|джлор|апро(?:л|$)|авыф/;
/** One letter or pair, repeated: "aaaa", "xyxyxy". */
const REPEATED_LETTERS = /^(?:(\p{L})\1{3,}|(\p{L}\p{L})\2{2,})$/u;
const LATIN_WITHOUT_VOWEL = /^[b-df-hj-np-tvxz]+$/;
/** Abbreviations such as "blvd" and names such as "Krč" are short. A longer word needs a vowel. */
const VOWELLESS_LENGTH = 6;

/** Whether a folded word is a keyboard run or a repeated letter. */
export function isKeyboardMash(word: string): boolean {
  return KEYBOARD_RUN.test(word) || REPEATED_LETTERS.test(word);
}

/** Whether a folded word looks typed at random. Only for Latin script. */
export function isGibberish(word: string): boolean {
  return isKeyboardMash(word) || (word.length >= VOWELLESS_LENGTH && LATIN_WITHOUT_VOWEL.test(word));
}

const TRIPLED_SYLLABLE = /^([bcdfghj-np-tv-z][aeiou])\1\1$/;

/** Whether a folded word that looks random is part of a real name, like the Xhosa name "Yeyeye" beside "Thando". */
export function isOddName(word: string, name: string | undefined): boolean {
  if (!TRIPLED_SYLLABLE.test(word)) return false;
  const words = toWords(name ?? "");
  return words.includes(word) && words.some((other) => other.length > 2 && !isGibberish(other));
}

/** Letter groups for one sound in many languages. Without them, "goldschmidt" would look random. */
const ONE_SOUND = /sch|tch|ght|szcz|ch|sh|ph|th|ck|ng|sz|cz|rz|dz|zh|kh|gh|st/g;
const CONSONANTS_IN_A_ROW = /[b-df-hj-np-tv-xz]{5}/;

/** Five letters without a vowel aren't a name; fewer can be initials. */
const SHORTEST_UNPRONOUNCEABLE = 5;

/** Whether Latin letters, given in pieces, can't be pronounced: no vowel, or five consonant sounds in a row. */
export function isUnpronounceable(pieces: readonly string[]): boolean {
  const letters = pieces.join("");
  if (letters.length < SHORTEST_UNPRONOUNCEABLE) return false;
  return (
    !/[aeiouy]/.test(letters) ||
    pieces.some((piece) => CONSONANTS_IN_A_ROW.test(piece.replaceAll(ONE_SOUND, "t")))
  );
}

/** Whether two texts differ by one typo (a wrong, missing, extra or swapped letter). */
export function isOneSlipApart(first: string, second: string): boolean {
  if (first === second || Math.abs(first.length - second.length) > 1) return false;
  let start = 0;
  while (start < first.length && first[start] === second[start]) start += 1;
  const restOf = (text: string, skip: number): string => text.slice(start + skip);
  const swapped = first[start] === second[start + 1] && first[start + 1] === second[start];
  return (
    restOf(first, 1) === restOf(second, 1) ||
    restOf(first, 1) === restOf(second, 0) ||
    restOf(first, 0) === restOf(second, 1) ||
    (swapped && restOf(first, 2) === restOf(second, 2))
  );
}

const PAIRS_PER_LETTER = PAIR_ALPHABET.length;
/** The character for zero surprise, and how many characters make a bit. */
const NO_SURPRISE = 35;
const STEPS_PER_BIT = 10;
const BEFORE_A = "a".charCodeAt(0) - 1;

/**
 * The average surprise of each letter after the one before, in bits, over pieces of Latin letters. Names of any language stay
 * below 5.7 (99.9 % of those tested); random letters reach 6.
 */
export function toLetterSurprise(pieces: readonly string[]): number {
  let [bits, pairs] = [0, 0];
  for (const piece of pieces) {
    for (let at = 1; at < piece.length; at += 1) {
      const pair =
        (piece.charCodeAt(at - 1) - BEFORE_A) * PAIRS_PER_LETTER + (piece.charCodeAt(at) - BEFORE_A);
      bits += (PAIR_SURPRISE.charCodeAt(pair) - NO_SURPRISE) / STEPS_PER_BIT;
      pairs += 1;
    }
  }
  return pairs === 0 ? 0 : bits / pairs;
}

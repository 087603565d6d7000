import { toConsonants } from "./romanize.ts";
import { isOneSlipApart } from "./text-shape.ts";

const TITLES: ReadonlySet<string> = new Set([
  "mr",
  "mrs",
  "ms",
  "miss",
  "dr",
  "prof",
  "jr",
  "sr",
  "herr",
  "frau",
]);

/** "Müller" is also written "Mueller", so drop the e on both sides. */
function mergeSpellings(letters: string): string {
  return letters.replaceAll(/([aou])e/g, "$1");
}

function toNameParts(folded: string): readonly string[] {
  const parts = folded.replaceAll(/['’`´]/g, "").match(/\p{L}+/gu) ?? [];
  const names = parts.filter((part) => !TITLES.has(part));
  return names.length === 0 ? parts : names;
}

function isLatin(folded: string): boolean {
  return /[a-z]/.test(folded);
}

function isSameName(first: string, second: string): boolean {
  if (first.length < 2 || second.length < 2) return false;
  return first === second || (first.length >= 5 && second.length >= 5 && isOneSlipApart(first, second));
}

/** "Ana Paula" and "AnaPaula": the parts of one name appear in the other, written as one word. */
function isInside(parts: readonly string[], joined: string): boolean {
  return parts.some((part) => part.length >= 4 && joined.includes(part));
}

/** Shorter names appear inside too many words. */
const ENOUGH_CONSONANTS = 3;
/** If a name has at least this many parts, one may be missing or different. */
const CONSONANTS_FOR_SLIP = 4;

/**
 * The consonants of the words in a folded text that are long enough to distinguish names, in scripts that are romanized
 * letter by letter.
 */
function listConsonants(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => {
    const consonants = toConsonants(word);
    return consonants === undefined || consonants.length < ENOUGH_CONSONANTS ? [] : [consonants];
  });
}

/** Whether words with these consonants can be spellings of the same name. */
function soundsAlike(first: string, second: string): boolean {
  if (first === second) return true;
  return Math.min(first.length, second.length) >= CONSONANTS_FOR_SLIP && isOneSlipApart(first, second);
}

/**
 * Whether two folded names in different scripts can be the same person, by their consonants. True or undefined, because a
 * different spelling across languages proves nothing.
 */
function soundAlike(first: string, second: string): true | undefined {
  const right = listConsonants(toNameParts(second));
  return listConsonants(toNameParts(first)).some((one) => right.some((other) => soundsAlike(one, other)))
    ? true
    : undefined;
}

/**
 * Whether two folded personal names can be the same person: a shared first or last name is enough. Undefined if they can't be
 * compared, for example one in Latin script and one in Chinese.
 */
export function namesAgree(first: string, second: string): boolean | undefined {
  if (isLatin(first) !== isLatin(second)) return soundAlike(first, second);
  const left = toNameParts(first).map(mergeSpellings);
  const right = toNameParts(second).map(mergeSpellings);
  if (left.length === 0 || right.length === 0) return undefined;
  if ([...left, ...right].every((part) => part.length === 1)) return left.join("") === right.join("");
  if (left.some((one) => right.some((other) => isSameName(one, other)))) return true;
  return isInside(left, right.join("")) || isInside(right, left.join(""));
}

/** Whether two folded names share a name and each also has one that the other lacks. False if their scripts differ. */
export function areRelatives(first: string, second: string): boolean {
  if (isLatin(first) !== isLatin(second)) return false;
  const [left, right] = [toFullNames(first), toFullNames(second)];
  const shared = left.filter((one) => right.some((other) => isSameName(one, other)));
  const isOwn = (one: string): boolean => !shared.some((other) => isSameName(one, other));
  return shared.length > 0 && left.some(isOwn) && right.some(isOwn);
}

/** Without initials. */
function toFullNames(folded: string): readonly string[] {
  return toNameParts(folded)
    .map(mergeSpellings)
    .filter((part) => part.length > 1);
}

/**
 * Whether the local part of an email address can be derived from a person's name. Both folded. Undefined if there is too
 * little to compare.
 */
export function localPartFitsName(local: string, name: string): boolean | undefined {
  const pieces = (local.match(/[a-z]+/g) ?? []).map(mergeSpellings);
  const letters = pieces.join("");
  if (letters.length < 4) return undefined;
  const names = toNameParts(name);
  const parts = names.filter((part) => part.length >= 3 && isLatin(part)).map(mergeSpellings);
  if (parts.some((part) => letters.includes(part)) || isMadeOfStarts(letters, parts)) return true;
  if (hasSoundOf(letters, names)) return true;
  if (parts.length === 0) return undefined;
  // Short forms ("alex" of "Alexander") and an initial before a cut surname ("jwhit" of "James Whitfield").
  return pieces.some((piece) =>
    [piece, piece.slice(1)].some((form) => form.length >= 3 && parts.some((part) => part.startsWith(form))),
  );
}

/** Fewer letters of a name appear inside too many words. */
const SHORTEST_START = 2;

/**
 * Whether a local part consists of the first letters of two names, as schools and companies assign them: "robpfef" for
 * "Robert Pfeffer".
 */
function isMadeOfStarts(letters: string, parts: readonly string[]): boolean {
  for (let cut = SHORTEST_START; cut <= letters.length - SHORTEST_START; cut += 1) {
    const at = parts.findIndex((part) => part.startsWith(letters.slice(0, cut)));
    if (at === -1) return false;
    if (parts.some((part, other) => other !== at && part.startsWith(letters.slice(cut)))) return true;
  }
  return false;
}

/**
 * Whether a local part contains the consonants of a name in a row: "mkrtchyan88" for "Մկրտչյան", "djordjevic" for "Đorđević".
 */
function hasSoundOf(letters: string, parts: readonly string[]): boolean {
  const sounds = toConsonants(letters) ?? "";
  return listConsonants(parts).some((consonants) => sounds.includes(consonants));
}

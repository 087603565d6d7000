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

/** "Müller" is also written "Mueller"; dropping the e on both sides makes them meet. */
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

/** "Ana Paula" and "AnaPaula": the parts of one name inside the other written in one word. */
function isInside(parts: readonly string[], joined: string): boolean {
  return parts.some((part) => part.length >= 4 && joined.includes(part));
}

/**
 * Whether two folded personal names can be the same person: a shared first or last name is enough. Undefined when
 * they cannot be compared, e.g. one in Latin script and one not.
 */
export function namesAgree(first: string, second: string): boolean | undefined {
  if (isLatin(first) !== isLatin(second)) return undefined;
  const left = toNameParts(first).map(mergeSpellings);
  const right = toNameParts(second).map(mergeSpellings);
  if (left.length === 0 || right.length === 0) return undefined;
  if ([...left, ...right].every((part) => part.length === 1)) return left.join("") === right.join("");
  if (left.some((one) => right.some((other) => isSameName(one, other)))) return true;
  return isInside(left, right.join("")) || isInside(right, left.join(""));
}

/**
 * Whether the part of an email address before the @ can have been made of a person's name. Both folded. Undefined
 * when there is too little to compare.
 */
export function localPartFitsName(local: string, name: string): boolean | undefined {
  const parts = toNameParts(name)
    .filter((part) => part.length >= 3 && isLatin(part))
    .map(mergeSpellings);
  const pieces = (local.match(/[a-z]+/g) ?? []).map(mergeSpellings);
  const letters = pieces.join("");
  if (parts.length === 0 || letters.length < 4) return undefined;
  if (parts.some((part) => letters.includes(part))) return true;
  // Short forms ("alex" of "Alexander") and an initial before a cut surname ("jwhit" of "James Whitfield").
  return pieces.some((piece) =>
    [piece, piece.slice(1)].some((form) => form.length >= 3 && parts.some((part) => part.startsWith(form))),
  );
}

/**
 * Cut text to at most `max` UTF-16 code units without splitting a character. White space at both ends goes first.
 */
export function cutText(text: string, max: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= max) return trimmed;
  const cut = trimmed.slice(0, max);
  const last = cut.charCodeAt(cut.length - 1);
  // A high surrogate at the end has lost its other half.
  const whole = last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut;
  return whole.trimEnd();
}

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const OTHER_CONTROLS = /\p{Cc}+/gu;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Text as the service takes it, or undefined if `value` has no readable text: cut to `max` UTF-16 code units, with line
 * breaks replaced by spaces, and other control characters and broken surrogate pairs removed. Text of only white space
 * and invisible format characters counts as blank.
 */
export function cleanText(value: unknown, max: number): string | undefined {
  if (typeof value !== "string") return undefined;
  // One field may hold a whole 5 MB body, so read only as much of it as the cut can keep.
  let text = cutText(value, 2 * max);
  if (CONTROL.test(text)) text = text.replace(LINE_BREAKS, " ").replace(OTHER_CONTROLS, "");
  const cut = cutText(text.toWellFormed(), max);
  return VISIBLE.test(cut) ? cut : undefined;
}

/** The first of `values` that {@link cleanText} can read. */
export function firstText(max: number, ...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const text = cleanText(value, max);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The readable `values`, joined and cut to `max`; undefined if none is readable. */
export function joinText(max: number, separator: string, ...values: readonly unknown[]): string | undefined {
  const parts = values.map((value) => cleanText(value, max)).filter((text) => text !== undefined);
  return parts.length === 0 ? undefined : cutText(parts.join(separator), max);
}

/** Printable ASCII and nothing else: most order text, and NFKC leaves it as it is. */
const PLAIN = /^[\x20-\x7e]*$/;

/** White space that isn't one space between words. */
const SPACING = /\s\s|[^\S ]/;

// By way of upper case, which expands letters that lower case doesn't change (ß to SS, ſ to S), except the capital ẞ.
function foldCase(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase();
}

/** Without compatibility forms, letter case and repeated white space. For comparing, never for showing. */
export function foldText(text: string): string {
  const folded = foldCase(text);
  return (SPACING.test(folded) ? folded.replaceAll(/\s+/g, " ") : folded).trim();
}

/** Like {@link foldText}, and every run of punctuation, white space or invisible characters counts as one space. */
export function foldAddress(text: string): string {
  return foldCase(text)
    .replaceAll(/[\p{P}\p{Z}\p{C}]+/gu, " ")
    .trim();
}

/** Like {@link foldAddress}, and without the accents of Latin and Greek letters. Elsewhere a mark makes another letter. */
export function foldPlace(text: string): string {
  const folded = foldAddress(text);
  if (PLAIN.test(folded)) return folded;
  return folded
    .normalize("NFD")
    .replaceAll(/([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, "$1")
    .normalize("NFC");
}

/** The digits of a phone number, in order, without separators, brackets and the plus sign. */
export function toDigits(phone: string): string {
  return phone.normalize("NFKC").replaceAll(/\P{Nd}+/gu, "");
}

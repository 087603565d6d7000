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
 * Text as the service takes it, or undefined when there is nothing to read in `value`: cut to `max` UTF-16 code
 * units, line breaks turned into spaces, other control characters and broken surrogate pairs taken out.
 * White space and invisible format characters alone count as blank.
 */
export function cleanText(value: unknown, max: number): string | undefined {
  if (typeof value !== "string") return undefined;
  // One field may hold a whole 5 MB body: look at no more of it than can survive the cut.
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

/** The readable ones of `values`, joined and cut to `max`; undefined when none is. */
export function joinText(max: number, separator: string, ...values: readonly unknown[]): string | undefined {
  const parts = values.map((value) => cleanText(value, max)).filter((text) => text !== undefined);
  return parts.length === 0 ? undefined : cutText(parts.join(separator), max);
}

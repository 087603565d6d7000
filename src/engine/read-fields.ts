import { cutText } from "../order/text.ts";

/** White space that nobody types; a longer text is cut before it is looked at, however much of it there is. */
const MOST_SPACE = 100;

/** Text that was given, perhaps blank; undefined when it is no text. */
export function readGivenText(value: unknown, max: number): string | undefined {
  // Cut first: trimming megabytes of spaces takes time that nothing is gained by.
  return typeof value === "string" ? cutText(value.slice(0, max + MOST_SPACE), max) : undefined;
}

/** Text that was given and is not blank. */
export function readText(value: unknown, max: number): string | undefined {
  const text = readGivenText(value, max);
  return text === "" ? undefined : text;
}

/** A number that is neither negative nor infinite. */
export function readCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** A number above zero. */
export function readPositive(value: unknown): number | undefined {
  const count = readCount(value);
  return count === 0 ? undefined : count;
}

/** Yes or no, if it is one of them. */
export function readFlag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

const OFFSET_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/i;

/** Milliseconds since the epoch. Without an offset the answer would depend on the machine's zone: undefined. */
export function readTimeMs(value: unknown): number | undefined {
  const text = readText(value, 40);
  if (text === undefined || !OFFSET_TIME.test(text)) return undefined;
  const timeMs = Date.parse(text.toUpperCase());
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

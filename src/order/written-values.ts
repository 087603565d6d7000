import { toUtcTimestamp } from "./timestamp.ts";

/*
 * Values that hosts write in several ways. Each function returns undefined for a value that it can't read, and never throws.
 */

const DECIMAL = /^-?\d{1,20}(?:\.\d{1,20})?$/;
const YES: ReadonlySet<unknown> = new Set([true, 1, 1n, "1", "true", "yes"]);
const NO: ReadonlySet<unknown> = new Set([false, 0, 0n, "0", "false", "no"]);
const EPOCH_TEXT = /^\d{10,13}$/;
/** As seconds, the year 5138. As milliseconds, March 1973: no order is older. */
const FIRST_MILLISECOND = 1e11;
const MS = 1_000;

/** The number that a value is or writes: a number, a decimal text, or a number object of a BigNumber library. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === "string") return DECIMAL.test(value.trim()) ? Number(value) : undefined;
  if (typeof value === "bigint") return toFinite(Number(value));
  if (typeof value === "number") return toFinite(value);
  const isNumberObject = typeof value === "object" && value !== null && !isDate(value);
  return isNumberObject ? toNumberOfObject(value) : undefined;
}

function toFinite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/**
 * The `valueOf` of BigNumber libraries returns a number or its text. Medusa stores its numbers as `{ value: "17.5" }`.
 */
function toNumberOfObject(value: object): number | undefined {
  try {
    const plain: unknown = value.valueOf();
    if (plain !== value && typeof plain !== "object") return toNumber(plain);
    const raw = (value as { readonly value?: unknown }).value;
    return typeof raw === "object" ? undefined : toNumber(raw);
  } catch {
    return undefined;
  }
}

/** A text, or the text of a number. */
export function toText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const isNumber = typeof value === "bigint" || (typeof value === "number" && Number.isFinite(value));
  return isNumber ? String(value) : undefined;
}

/** The text of an id. Ids of some databases, such as MongoDB's, are objects that write themselves as text. */
export function toId(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return toText(value);
  try {
    const text = (value as { readonly toString: () => string }).toString().trim();
    return text === "" || text.startsWith("[object ") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** True or false, also as databases and forms write them: 1 and 0, or as text. */
export function toFlag(value: unknown): boolean | undefined {
  const plain = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (YES.has(plain)) return true;
  return NO.has(plain) ? false : undefined;
}

/** ISO 8601 in UTC, from such a text, a `Date`, or a time since 1970 in milliseconds or, below 1e11, in seconds. */
export function toIsoTime(value: unknown): string | undefined {
  if (isDate(value)) return toIsoText(value);
  const isText = typeof value === "string" && !EPOCH_TEXT.test(value.trim());
  if (isText) return toUtcTimestamp(value);
  const time = toNumber(value);
  if (time === undefined) return undefined;
  return toIsoText(new Date(Math.abs(time) < FIRST_MILLISECOND ? time * MS : time));
}

/** Also accepts a `Date` of another realm, such as Jest's. */
export function isDate(value: unknown): value is Date {
  try {
    return Object.prototype.toString.call(value) === "[object Date]";
  } catch {
    return false;
  }
}

export function toIsoText(date: Date): string | undefined {
  try {
    return toUtcTimestamp(date.toISOString());
  } catch {
    // Absent, or not a valid date.
    return undefined;
  }
}

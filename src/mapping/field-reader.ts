import type { FieldProblem } from "../base/errors.ts";
import { cleanText, joinText } from "../order/text.ts";
import { toEmailAddress } from "../order/email-address.ts";
import { toUtcTimestamp } from "../order/timestamp.ts";
import { toMajorUnits } from "./money.ts";

/** Longest id that is read, as the request allows. */
const ID_MAX = 255;
const DECIMAL = /^-?\d{1,20}(?:\.\d{1,20})?$/;
const CURRENCY = /^[A-Za-z]{3}$/;

/**
 * Reads the fields of one object of a platform. Their types aren't known, so each method reads one kind of value: an
 * absent field (missing, null or blank) reads as undefined, and an unreadable one is noted as a fault under its own
 * path. Reading never throws.
 */
export class FieldReader {
  readonly #source: object;
  readonly #prefix: string;
  readonly #faults: FieldProblem[];

  constructor(source: object, prefix = "", faults: FieldProblem[] = []) {
    this.#source = source;
    this.#prefix = prefix;
    this.#faults = faults;
  }

  get faults(): readonly FieldProblem[] {
    return this.#faults;
  }

  /**
   * Note that the field at `path` is invalid, once for each path. Returns undefined, so that a reader can return it.
   */
  fault(path: string, message: string): undefined {
    const fault = { path: this.#prefix + toListPath(path), message };
    if (!this.#faults.some((noted) => noted.path === fault.path)) this.#faults.push(fault);
    return undefined;
  }

  /** The value at a dotted path; undefined if it or something on the way is absent. */
  value(path: string): unknown {
    let value: unknown = this.#source;
    for (const key of path.split(".")) {
      if (isAbsent(value)) return undefined;
      if (typeof value !== "object") return this.fault(path, "expected an object on the way to it");
      try {
        value = (value as Readonly<Record<string, unknown>>)[key];
      } catch {
        // A getter: an entity of an ORM throws when a relation isn't loaded.
        return this.fault(path, "reading it failed; load the relation that it needs");
      }
    }
    return isAbsent(value) ? undefined : value;
  }

  /** The first of the texts that isn't blank, cut to `max`. A number counts as its text. */
  text(max: number, ...paths: readonly string[]): string | undefined {
    for (const path of paths) {
      const text = cleanText(this.#readText(path), max);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /** The texts that aren't blank, joined, for example a first and a last name. */
  joined(max: number, ...paths: readonly string[]): string | undefined {
    return joinText(max, " ", ...paths.map((path) => this.#readText(path)));
  }

  id(path: string): string | undefined {
    return this.text(ID_MAX, path);
  }

  /**
   * The first of the texts that is an email address, in the form that is sent. An invalid one reads as absent, because
   * the order was placed and is judged without it. Never cut: a cut address would be somebody else's.
   */
  email(...paths: readonly string[]): string | undefined {
    for (const path of paths) {
      const email = toEmailAddress(this.#readText(path) ?? "");
      if (email !== undefined) return email;
    }
    return undefined;
  }

  /**
   * A number, a decimal text, or a number object of a BigNumber library. With `digits`, the value is in minor units,
   * which must be whole, and the result is in major units.
   */
  amount(path: string, digits?: number): number | undefined {
    const value = this.value(path);
    if (value === undefined) return undefined;
    const amount = toNumber(value);
    if (amount === undefined) return this.fault(path, "expected an amount");
    if (digits === undefined) return amount;
    if (!Number.isInteger(amount)) return this.fault(path, "expected a whole number of minor units");
    return toMajorUnits(amount, digits);
  }

  /** An amount that every order must have. */
  total(path: string, digits?: number): number {
    const amount = this.amount(path, digits) ?? -1;
    if (amount < 0) this.fault(path, "expected an amount that is not negative");
    return amount;
  }

  /** The currency by ISO 4217, in upper case. Every order must have one. */
  currency(path: string): string {
    const value = this.value(path);
    if (typeof value === "string" && CURRENCY.test(value)) return value.toUpperCase();
    this.fault(path, "expected a three-letter currency code");
    return "";
  }

  /** ISO 8601 in UTC, from a `Date` or a text. */
  time(path: string): string | undefined {
    const value = this.value(path);
    if (value === undefined) return undefined;
    const text = isDate(value) ? toIsoText(value) : value;
    const time = typeof text === "string" ? toUtcTimestamp(text) : undefined;
    return time ?? this.fault(path, "expected a date and time");
  }

  /** ISO 8601 in UTC, from seconds since the epoch. */
  unixTime(path: string): string | undefined {
    const seconds = this.amount(path);
    if (seconds === undefined) return undefined;
    const text = toIsoText(new Date(seconds * 1_000));
    return text === undefined ? this.fault(path, "expected seconds since 1970") : toUtcTimestamp(text);
  }

  /** A reader for the object at `path`; undefined when it's absent. */
  inside(path: string): FieldReader | undefined {
    const value = this.value(path);
    if (value === undefined) return undefined;
    if (typeof value !== "object" || Array.isArray(value)) return this.fault(path, "expected an object");
    return new FieldReader(value as object, `${this.#prefix}${toListPath(path)}.`, this.#faults);
  }

  /** A reader for each object of the list at `path`; none when it's absent. */
  list(path: string): readonly FieldReader[] {
    const value = this.value(path);
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      this.fault(path, "expected a list");
      return [];
    }
    const readers: FieldReader[] = [];
    for (let index = 0; index < value.length; index += 1) {
      const reader = this.inside(`${path}.${index}`);
      if (reader !== undefined) readers.push(reader);
    }
    return readers;
  }

  #readText(path: string): string | undefined {
    const value = this.value(path);
    if (value === undefined || typeof value === "string") return value;
    if (typeof value === "bigint" || (typeof value === "number" && Number.isFinite(value)))
      return String(value);
    return this.fault(path, "expected text");
  }
}

/** Platforms write a field without a value as null or as blank text, also where an object would be. */
function isAbsent(value: unknown): value is null | undefined | string {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

/** `items.0` as problem documents write it: `items[0]`. */
function toListPath(path: string): string {
  return path.replaceAll(/\.(\d+)/g, "[$1]");
}

/** Also accepts a `Date` of another realm, such as Jest's. */
function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === "[object Date]";
}

function toIsoText(date: Date): string | undefined {
  try {
    return date.toISOString();
  } catch {
    // Absent, or not a valid date.
    return undefined;
  }
}

/** The number that a value is or writes: a number, a decimal text, or a number object of a BigNumber library. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === "string") return DECIMAL.test(value.trim()) ? Number(value) : undefined;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  const isNumberObject = typeof value === "object" && value !== null && !isDate(value);
  return isNumberObject ? toNumberOfObject(value) : undefined;
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

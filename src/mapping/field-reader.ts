import type { FieldProblem } from "../base/field-codes.ts";
import { cleanText, joinText } from "../order/text.ts";
import { toEmailAddress } from "../order/email-address.ts";
import { toUtcTimestamp } from "../order/timestamp.ts";
import { isDate, toIsoText, toNumber, toText } from "../order/written-values.ts";
import { toMajorUnits } from "./money.ts";

/** Longest id that is read, as the request allows. */
const ID_MAX = 255;
const CURRENCY = /^[A-Za-z]{3}$/;

/** What was noted while an order was read. Its readers share it. */
interface Notes {
  readonly faults: Map<string, FieldProblem>;
  /** Paths without which there is no order: its amount and its currency. */
  readonly required: Set<string>;
}

/**
 * Reads the fields of one object of a platform. Their types aren't known, so each method reads one kind of value: an
 * absent field (missing, null or blank) reads as undefined, and so does an unreadable one, which is noted as a fault under
 * its own path. Reading never throws.
 */
export class FieldReader {
  readonly #source: object;
  readonly #prefix: string;
  readonly #notes: Notes;

  constructor(source: object, prefix = "", notes: Notes = { faults: new Map(), required: new Set() }) {
    this.#source = source;
    this.#prefix = prefix;
    this.#notes = notes;
  }

  /** Every field that can't be read. */
  get faults(): readonly FieldProblem[] {
    return [...this.#notes.faults.values()];
  }

  /** The faults that leave the order without an amount or a currency. With any other fault, it can still be checked. */
  get refusals(): readonly FieldProblem[] {
    return this.faults.filter(({ path }) => this.#notes.required.has(path));
  }

  /**
   * Note that the field at `path` is invalid, once for each path. Returns undefined, so that a reader can return it.
   */
  fault(path: string, message: string): undefined {
    const fault = { path: this.#toPath(path), message };
    if (!this.#notes.faults.has(fault.path)) this.#notes.faults.set(fault.path, fault);
    return undefined;
  }

  /** Note a fault that leaves the order without an amount or a currency. */
  refuse(path: string, message: string): undefined {
    this.#notes.required.add(this.#toPath(path));
    return this.fault(path, message);
  }

  #toPath(path: string): string {
    return this.#prefix + toListPath(path);
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
    if (amount < 0) this.refuse(path, "expected an amount that is not negative");
    return amount;
  }

  /** The currency by ISO 4217, in upper case. Every order must have one. */
  currency(path: string): string {
    const value = this.value(path);
    if (typeof value === "string" && CURRENCY.test(value)) return value.toUpperCase();
    this.refuse(path, "expected a three-letter currency code");
    return "";
  }

  /** ISO 8601 in UTC, from a `Date` or a text. */
  time(path: string): string | undefined {
    const value = this.value(path);
    if (value === undefined) return undefined;
    const time = isDate(value) ? toIsoText(value) : typeof value === "string" && toUtcTimestamp(value);
    return time || this.fault(path, "expected a date and time");
  }

  /** ISO 8601 in UTC, from seconds since the epoch. */
  unixTime(path: string): string | undefined {
    const seconds = this.amount(path);
    if (seconds === undefined) return undefined;
    const text = toIsoText(new Date(seconds * 1_000));
    return text ?? this.fault(path, "expected seconds since 1970");
  }

  /** A reader for the object at `path`; undefined when it's absent. */
  inside(path: string): FieldReader | undefined {
    const value = this.value(path);
    if (value === undefined) return undefined;
    if (typeof value !== "object" || Array.isArray(value)) return this.fault(path, "expected an object");
    return new FieldReader(value as object, `${this.#toPath(path)}.`, this.#notes);
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
    return value === undefined ? undefined : (toText(value) ?? this.fault(path, "expected text"));
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

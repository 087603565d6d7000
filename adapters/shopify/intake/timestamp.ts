import { toUtcTimestamp } from "../../../src/index.ts";

/** A moment. */
export interface Timestamp {
  /** ISO 8601 in UTC with a Z, as it is sent. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly ms: number;
}

// Exports and older API versions write a space for the `T` and leave the colon out of the offset.
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:[0-5]\d(?:\.\d{1,9})?) ?(?:(Z)|([+-]\d\d):?(\d\d))$/i;

/** A timestamp of a payload or header, or undefined when it is no date or names no offset. */
export function toTimestamp(value: unknown): Timestamp | undefined {
  const match = typeof value === "string" ? TIMESTAMP.exec(value) : null;
  if (match === null) return undefined;
  const [, date, time, utc, hours, minutes] = match;
  const text = toUtcTimestamp(`${date}T${time}${utc === undefined ? `${hours}:${minutes}` : "Z"}`);
  return text === undefined ? undefined : { text, ms: Date.parse(text) };
}

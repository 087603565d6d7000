/** A calendar date and a time of day: seconds, their fraction and the offset may be missing, and so may the separators. */
const DATE_TIME =
  /^(\d{4})-?(\d\d)-?(\d\d)[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?$/i;
const MINUTE_MS = 60_000;
/** The range of four-digit years. A moment that the offset moves out of it becomes the nearest moment inside. */
const EARLIEST_MS = Date.parse("0000-01-01T00:00:00Z");
const LATEST_MS = Date.parse("9999-12-31T23:59:59Z");

/**
 * An ISO 8601 date and time as UTC with a `Z`, to the millisecond; undefined when `text` is not one. A time without an
 * offset counts as UTC, since the result must not depend on the machine's time zone.
 */
export function toUtcTimestamp(text: string): string | undefined {
  const timeMs = toTimestampMs(text);
  return timeMs === undefined ? undefined : new Date(timeMs).toISOString().replace(".000Z", "Z");
}

/** The moment that {@link toUtcTimestamp} writes, in milliseconds since the epoch. */
export function toTimestampMs(text: string): number | undefined {
  const match = DATE_TIME.exec(text.trim());
  if (match === null) return undefined;
  const toPart = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day] = [toPart(1), toPart(2), toPart(3)];
  const [hour, minute, second] = [toPart(4), toPart(5), toPart(6)];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // The 30th of February would become the 2nd of March.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const offset = toOffsetMinutes(match);
  if (offset === undefined || !isTimeOfDay(hour, minute, second)) return undefined;
  const millisecond = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const timeMs = date.setUTCHours(hour, minute, second, millisecond) - offset * MINUTE_MS;
  return Math.min(Math.max(timeMs, EARLIEST_MS), LATEST_MS);
}

/** 24:00 is the end of a day, and a minute may have a leap second. */
function isTimeOfDay(hour: number, minute: number, second: number): boolean {
  if (hour === 24) return minute === 0 && second === 0;
  return hour < 24 && minute < 60 && second <= 60;
}

function toOffsetMinutes(match: RegExpExecArray): number | undefined {
  const [hours, minutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (hours > 23 || minutes > 59) return undefined;
  return (match[8] === "-" ? -1 : 1) * (hours * 60 + minutes);
}

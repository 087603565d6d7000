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
  const match = DATE_TIME.exec(text.trim());
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0)) as Parts;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // The 30th of February would become the 2nd of March.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const offset = toOffsetMinutes(match);
  if (offset === undefined || !isTimeOfDay(hour, minute, second)) return undefined;
  const millisecond = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const timeMs = date.setUTCHours(hour, minute, second, millisecond) - offset * MINUTE_MS;
  const writtenMs = Math.min(Math.max(timeMs, EARLIEST_MS), LATEST_MS);
  return new Date(writtenMs).toISOString().replace(".000Z", "Z");
}

type Parts = [year: number, month: number, day: number, hour: number, minute: number, second: number];

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

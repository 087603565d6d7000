/** Days of one zone in which its clocks weren't changed, or the one day in which they were. */
export interface DaySpan {
  /** Days since the epoch by the zone's calendar. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** Where the days begin and end, milliseconds since the epoch. */
  readonly sinceMs: number;
  readonly untilMs: number;
  /** The zone's offset from UTC when the first day begins, in milliseconds. */
  readonly offsetMs: number;
}

const DAY_MS = 86_400_000;

/** A zone's calendar, in days since the epoch. A zone of null is UTC. */
export function createCalendar(timeZone: string | null) {
  const offsetAt = createOffsets(timeZone);
  const dayAt = (ms: number): number => Math.floor((ms + offsetAt(ms)) / DAY_MS);
  return {
    /** The day of a moment. */
    dayAt: (ms: number): number => dayAt(ms),
    /** When a day begins. Clocks that are changed around midnight can skip it, or show it twice: when its date is first shown. */
    beginOf: (day: number): number => {
      const midnightMs = day * DAY_MS;
      const guessMs = midnightMs - offsetAt(midnightMs);
      const before = midnightMs - offsetAt(guessMs - DAY_MS / 2);
      const after = midnightMs - offsetAt(guessMs + DAY_MS / 2);
      const firstMs = Math.min(before, after);
      return dayAt(firstMs) < day ? Math.max(before, after) : firstMs;
    },
  };
}

/** The last `count` days by a zone's calendar, up to the day of `nowMs`, oldest first. A zone of null is UTC. */
export function toDaySpans(nowMs: number, count: number, timeZone: string | null): readonly DaySpan[] {
  const { dayAt, beginOf } = createCalendar(timeZone);
  const today = dayAt(nowMs);
  const spans: DaySpan[] = [];
  for (let day = today - count + 1; day <= today; day += 1) {
    const [sinceMs, untilMs] = [beginOf(day), beginOf(day + 1)];
    const before = spans.at(-1);
    const isAsLong = untilMs - sinceMs === DAY_MS;
    const wasAsLong = before !== undefined && isRegular(before) && before.untilMs === sinceMs;
    if (isAsLong && wasAsLong) spans[spans.length - 1] = { ...before, lastDay: day, untilMs };
    else spans.push({ firstDay: day, lastDay: day, sinceMs, untilMs, offsetMs: day * DAY_MS - sinceMs });
  }
  return spans;
}

function isRegular({ firstDay, lastDay, sinceMs, untilMs }: DaySpan): boolean {
  return untilMs - sinceMs === (lastDay - firstDay + 1) * DAY_MS;
}

/** A zone's offset from UTC at a moment, in milliseconds. */
export function createOffsets(timeZone: string | null): (ms: number) => number {
  if (timeZone === null) return () => 0;
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  return (ms) => {
    // `GMT-05:00`, and `GMT` alone for UTC itself.
    const name = format.formatToParts(ms).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign = "+", hours = "00", minutes = "00"] = /([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
    return (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === "-" ? -1 : 1);
  };
}

/** A zone's name as this runtime knows it; null for one that it doesn't know. */
export function toKnownZone(timeZone: string | null): string | null {
  if (timeZone === null) return null;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

import { describe, expect, it } from "vitest";
import { toDaySpans } from "../../src/base/day-spans.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const toText = (ms: number) => new Date(ms).toISOString();

describe("toDaySpans", () => {
  it("counts in UTC if the zone isn't known", () => {
    const [span, ...rest] = toDaySpans(Date.UTC(2026, 10, 20, 12), 3, null);
    expect(rest).toEqual([]);
    expect(span).toMatchObject({
      offsetMs: 0,
      sinceMs: Date.UTC(2026, 10, 18),
      untilMs: Date.UTC(2026, 10, 21),
    });
  });

  it("starts a day at midnight in the zone, on the zone's date", () => {
    // It is still the 19th there.
    const [span] = toDaySpans(Date.UTC(2026, 10, 20, 3), 1, "America/New_York");
    expect(span).toMatchObject({ firstDay: Date.UTC(2026, 10, 19) / DAY_MS, offsetMs: -5 * HOUR_MS });
    expect(toText(span?.sinceMs ?? 0)).toBe("2026-11-19T05:00:00.000Z");
  });

  it.each([
    // Clocks go from 24:00 to 01:00, so there is no midnight.
    ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z"],
    ["America/Havana", "2026-03-08", "2026-03-08T05:00:00.000Z"],
    ["Atlantic/Azores", "2026-03-29", "2026-03-29T01:00:00.000Z"],
    ["Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00.000Z"],
    // From 24:00 back to 23:00 of the day before, and from 01:00 back to 00:00.
    ["America/Santiago", "2026-04-05", "2026-04-05T04:00:00.000Z"],
    ["America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z"],
  ])("starts a day when its date first appears, if clocks change at midnight: %s %s", (zone, date, begin) => {
    const day = Date.parse(date) / DAY_MS;
    const span = toDaySpans(Date.parse(date) + DAY_MS / 2, 3, zone).find(({ firstDay }) => firstDay === day);
    expect(toText(span?.sinceMs ?? 0)).toBe(begin);
  });

  it.each([
    ["Europe/Berlin", "2026-10-25", 25],
    ["Europe/Berlin", "2026-03-29", 23],
    ["America/New_York", "2026-11-01", 25],
    ["America/New_York", "2026-03-08", 23],
    ["Australia/Lord_Howe", "2026-04-05", 24.5],
  ])("counts separately the day on which %s changes its clocks: %s has %s hours", (zone, date, hours) => {
    const dayMs = Date.parse(date);
    const spans = toDaySpans(dayMs + 3 * DAY_MS, 7, zone);
    expect(spans).toHaveLength(3);
    const changed = spans[1];
    expect(changed).toMatchObject({ firstDay: dayMs / DAY_MS, lastDay: dayMs / DAY_MS });
    expect(((changed?.untilMs ?? 0) - (changed?.sinceMs ?? 0)) / HOUR_MS).toBe(hours);
    expect(spans.map(({ sinceMs }) => sinceMs).slice(1)).toEqual(
      spans.map(({ untilMs }) => untilMs).slice(0, -1),
    );
    expect(spans.reduce((days, { firstDay, lastDay }) => days + lastDay - firstDay + 1, 0)).toBe(7);
  });
});

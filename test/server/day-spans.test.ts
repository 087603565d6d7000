import { describe, expect, it } from "vitest";
import { toDaySpans } from "../../src/server/day-spans.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const toText = (ms: number) => new Date(ms).toISOString();

describe("toDaySpans", () => {
  it("counts by UTC where the zone isn't known", () => {
    const [span, ...rest] = toDaySpans(Date.UTC(2026, 10, 20, 12), 3, null);
    expect(rest).toEqual([]);
    expect(span).toMatchObject({
      offsetMs: 0,
      sinceMs: Date.UTC(2026, 10, 18),
      untilMs: Date.UTC(2026, 10, 21),
    });
  });

  it("begins a day at the zone's midnight, on the zone's date", () => {
    // It is still the 19th there.
    const [span] = toDaySpans(Date.UTC(2026, 10, 20, 3), 1, "America/New_York");
    expect(span).toMatchObject({ firstDay: Date.UTC(2026, 10, 19) / DAY_MS, offsetMs: -5 * HOUR_MS });
    expect(toText(span?.sinceMs ?? 0)).toBe("2026-11-19T05:00:00.000Z");
  });

  it.each([
    ["Europe/Berlin", "2026-10-25", 25],
    ["Europe/Berlin", "2026-03-29", 23],
    ["America/New_York", "2026-11-01", 25],
    ["America/New_York", "2026-03-08", 23],
    ["Australia/Lord_Howe", "2026-04-05", 24.5],
  ])("keeps the day apart in which %s changes its clocks: %s has %s hours", (zone, date, hours) => {
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

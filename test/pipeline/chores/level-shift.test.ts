import { describe, expect, it } from "vitest";
import { toDaySpans } from "../../../src/base/day-spans.ts";
import {
  findShifts,
  toLevelMix,
  toShiftWindows,
  toTodayMs,
  type LevelMix,
} from "../../../src/pipeline/chores/level-shift-watch.ts";

const HOUR_MS = 3_600_000;
const mix = (orders: number, elevated: number, medium = 0): LevelMix => ({ orders, elevated, medium });

describe("toLevelMix", () => {
  it("counts orders that have a level", () => {
    const tally = { day: 0, action: null, degraded: false };
    expect(
      toLevelMix([
        { ...tally, level: "low", orders: 5 },
        { ...tally, level: "medium", orders: 4 },
        { ...tally, level: "high", orders: 3 },
        { ...tally, level: "critical", orders: 2 },
        { ...tally, level: "high", orders: 1 },
        { ...tally, level: null, orders: 100 },
      ]),
    ).toEqual({ orders: 15, elevated: 6, medium: 4 });
  });
});

describe("toShiftWindows", () => {
  const windowsAt = (nowMs: number, timeZone: string | null) => {
    const spans = toDaySpans(nowMs, 29, timeZone);
    return { ...toShiftWindows(spans, nowMs), todayMs: toTodayMs(spans) };
  };
  const window = (since: string, until: string) => ({
    sinceMs: Date.parse(since),
    untilMs: Date.parse(until),
  });

  it("compares the same part of the same weekday, by the shop's clock", () => {
    // A Monday at 9 in New York. Its clocks were set back on November 1.
    const { today, before, todayMs } = windowsAt(Date.parse("2026-11-16T14:00:00Z"), "America/New_York");

    expect(today).toEqual(window("2026-11-16T05:00:00Z", "2026-11-16T14:00:00Z"));
    expect(todayMs).toBe(today.sinceMs);
    expect(before).toEqual([
      window("2026-11-09T05:00:00Z", "2026-11-09T14:00:00Z"),
      window("2026-11-02T05:00:00Z", "2026-11-02T14:00:00Z"),
      window("2026-10-26T04:00:00Z", "2026-10-26T13:00:00Z"),
      window("2026-10-19T04:00:00Z", "2026-10-19T13:00:00Z"),
    ]);
  });

  it("never extends into the next day if an earlier day was shorter", () => {
    // Berlin's clocks went forward on Sunday, March 29: 23 hours.
    const nowMs = Date.parse("2026-04-05T22:00:00Z") - 1;
    const { before } = windowsAt(nowMs, "Europe/Berlin");
    expect(before[0]).toEqual(window("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"));
    expect(before.map(({ sinceMs, untilMs }) => Math.ceil((untilMs - sinceMs) / HOUR_MS))).toEqual([
      23, 24, 24, 24,
    ]);
  });
});

describe("findShifts", () => {
  it("finds a share that differs by four standard errors, either way", () => {
    // 20 of 400 before: 0.05. Pooled with 18 of 100: 0.076, an error of 0.0296, so 4.39 errors apart.
    expect(findShifts(mix(100, 18), mix(400, 20), [])).toEqual(["high-critical-up"]);
    // 16 of 100: 3.79 errors.
    expect(findShifts(mix(100, 16), mix(400, 20), [])).toEqual([]);
    expect(findShifts(mix(200, 2), mix(800, 100), [])).toEqual(["high-critical-down"]);
    expect(findShifts(mix(100, 0, 30), mix(400, 0, 40), [])).toEqual(["medium-up"]);
    expect(findShifts(mix(300, 0, 3), mix(900, 0, 90), [])).toEqual(["medium-down"]);
  });

  it("reports nothing for a day, or earlier days, with too few orders", () => {
    expect(findShifts(mix(49, 49), mix(400, 0), [])).toEqual([]);
    expect(findShifts(mix(50, 50), mix(199, 0), [])).toEqual([]);
    expect(findShifts(mix(50, 50), mix(200, 0), [])).toEqual(["high-critical-up"]);
  });

  it("reports nothing for four orders, however rare they were", () => {
    expect(findShifts(mix(50, 4), mix(4_000, 0), [])).toEqual([]);
    expect(findShifts(mix(50, 5), mix(4_000, 0), [])).toEqual(["high-critical-up"]);
  });

  it("reports nothing for a small difference among very many orders", () => {
    // Six errors apart, and only 1.2 times as many.
    expect(findShifts(mix(20_000, 2_400), mix(80_000, 8_000), [])).toEqual([]);
    expect(findShifts(mix(20_000, 3_100), mix(80_000, 8_000), [])).toEqual(["high-critical-up"]);
  });

  it("keeps an open shift until the difference is below two errors, or the day has too few orders", () => {
    const open = ["high-critical-up"];
    expect(findShifts(mix(100, 12), mix(400, 20), open)).toEqual(open);
    expect(findShifts(mix(100, 9), mix(400, 20), open)).toEqual([]);
    expect(findShifts(mix(10, 10), mix(400, 20), open)).toEqual([]);
  });

  it("finds none if all days are alike", () => {
    expect(findShifts(mix(100, 0), mix(400, 0), [])).toEqual([]);
    expect(findShifts(mix(100, 100), mix(400, 400), [])).toEqual([]);
  });
});

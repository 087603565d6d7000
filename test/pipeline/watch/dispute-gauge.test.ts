import { describe, expect, it } from "vitest";
import { toDisputeGauge, toDisputeMonth } from "../../../src/pipeline/watch/dispute-gauge.ts";

const DAY_MS = 86_400_000;
const LIMITS = { limitShare: 0.015, limitCount: 1_500 };
const WINDOW = { sinceMs: Date.UTC(2026, 10, 1), untilMs: Date.UTC(2026, 11, 1) };
const HALF_MS = Date.UTC(2026, 10, 16);
const gauge = (disputes: number, orders: number, nowMs = HALF_MS) =>
  toDisputeGauge({ disputes, orders }, WINDOW, LIMITS, nowMs);

describe("toDisputeMonth", () => {
  it("is the calendar month in the shop's time zone", () => {
    const nowMs = Date.UTC(2026, 10, 1, 3);
    expect(toDisputeMonth(nowMs, null)).toEqual({ month: "2026-11", window: WINDOW });
    expect(toDisputeMonth(nowMs, "America/New_York")).toEqual({
      month: "2026-10",
      window: { sinceMs: Date.UTC(2026, 9, 1, 4), untilMs: Date.UTC(2026, 10, 1, 4) },
    });
    expect(toDisputeMonth(Date.UTC(2026, 11, 31, 20), "Asia/Tokyo").month).toBe("2027-01");
  });
});

describe("toDisputeGauge", () => {
  it("says nothing with fewer than ten disputes, or without orders", () => {
    expect(gauge(9, 10)).toEqual({ state: "few", disputes: 9, orders: 10, share: null, forecast: null });
    expect(gauge(10, 0).state).toBe("few");
    expect(gauge(10, 1_000).state).toBe("calm");
  });

  it("expects the month to go on like this, with a range, but not in its first three days", () => {
    expect(gauge(100, 10_000)).toMatchObject({
      share: 0.01,
      forecast: { disputes: 200, low: 162, high: 244 },
    });
    expect(gauge(100, 10_000, WINDOW.sinceMs + 3 * DAY_MS - 1).forecast).toBeNull();
    expect(gauge(100, 10_000, WINDOW.sinceMs + 3 * DAY_MS).forecast?.disputes).toBe(1_000);
    // At the end, it's what it is.
    expect(gauge(100, 10_000, WINDOW.untilMs).forecast).toMatchObject({ disputes: 100, low: 100 });
  });

  it.each<[number, number, string]>([
    // 75 % of 1,500 is 1,125 expected, which is 563 at half of the month; 75 % of 1.5 % is 1.125 %.
    [563, 50_000, "watch"],
    [562, 50_000, "calm"],
    [563, 50_100, "calm"],
    [1_501, 100_000, "over"],
    [1_500, 100_000, "watch"],
    [1_501, 100_100, "watch"],
  ])("needs both the share and the number: %d of %d is %s", (disputes, orders, state) => {
    expect(gauge(disputes, orders).state).toBe(state);
  });
});

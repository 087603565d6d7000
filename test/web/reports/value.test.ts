import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setShopLocale } from "../../../web/data/base/format.ts";
import {
  formatValue,
  toApart,
  toFalsePositives,
  toGaugeTone,
  toTrend,
  type ValueReport,
} from "../../../web/data/reports/value.ts";

const NOTHING = { orders: 0, value: 0, apart: {} };
const CHARGEBACKS = { orders: 1, of: 100, share: 0.01, watchAt: 0.0075, limit: 0.015 };

describe("the value report's words", () => {
  beforeEach(() => setShopLocale({ timeZone: null, currency: "USD" }));
  afterEach(() => setShopLocale({ timeZone: null, currency: null }));

  it("never add currencies without a rate to the shop's", () => {
    const mixed = { orders: 3, value: 1_200, apart: { JPY: 5_000, EUR: 20.5 } };
    expect(formatValue(mixed, "USD")).toBe("$1,200.00");
    expect(toApart(mixed)).toBe("JPY\u00A05,000 + EUR\u00A020.50");
    expect(toApart({ ...mixed, apart: {} })).toBeNull();
    const unknown = { ...mixed, value: null, apart: { USD: 5 } };
    expect([formatValue(unknown, null), toApart(unknown)]).toEqual(["$5.00", null]);
  });

  it("say that too few outcomes are known, and how many are needed", () => {
    expect(toFalsePositives({ good: 5, known: 5, share: null, needed: 30 })).toEqual({
      value: "Too few to tell",
      hint: "5 of 5 known outcomes; needs 30",
    });
    expect(toFalsePositives({ good: 5, known: 40, share: 0.125, needed: 30 }).value).toBe("12.5%");
  });

  it.each([
    [null, "good"],
    [0.007, "good"],
    [0.0075, "warn"],
    [0.015, "bad"],
  ] as const)("show a chargeback rate of %s as %s", (share, tone) => {
    expect(toGaugeTone({ ...CHARGEBACKS, share })).toBe(tone);
  });

  it("draw money by week, or orders while the shop's currency isn't known", () => {
    const week = { decided: 5, sold: 5, chargebacks: 0, fraudMissed: NOTHING, unknownStopped: NOTHING };
    const weeks = [
      {
        ...week,
        start: "2026-11-02",
        goodStopped: NOTHING,
        fraudStopped: { ...NOTHING, orders: 2, value: 90 },
      },
    ];
    const report = { weeks, currency: "USD" } as unknown as ValueReport;
    expect(toTrend(report, "fraudStopped")).toEqual([{ label: "Nov 2", value: 90, shown: "$90.00" }]);
    const unknown = {
      weeks: weeks.map((one) => ({ ...one, fraudStopped: { ...one.fraudStopped, value: null } })),
      currency: null,
    } as unknown as ValueReport;
    expect(toTrend(unknown, "fraudStopped")).toEqual([{ label: "Nov 2", value: 2, shown: "2" }]);
  });
});

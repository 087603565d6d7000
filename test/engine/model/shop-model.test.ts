import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RISK_LEVELS, toRiskLevel } from "../../../src/order/risk-level.ts";
import { listFeatures, nameFeature } from "../../../src/engine/model/features.ts";
import { scoreAgain } from "../../../src/engine/model/kept-signals.ts";
import {
  listParts,
  MODEL_LIMITS,
  shiftScore,
  toShift,
  type ShopModel,
} from "../../../src/engine/model/shop-model.ts";

const RUNS = { numRuns: 500, seed: Number(process.env["PROPERTY_SEED"] ?? 20_261_130) };
const ORDER = {
  seen: [
    { code: "NIGHT", group: "time", points: 6 },
    { code: "SAME_PLACE", group: "geo", points: -6 },
  ],
  measures: { hour: 4, percentile: 12, emailOrders1h: 4 },
} as const;
const JUDGED = { score: 10, total: 10, placeOnly: false, isHiding: false };
const toModel = (points: ShopModel["points"], center = 0): ShopModel => ({ center, points });

describe("listFeatures", () => {
  it("names each tier of a signal, the part of the day, the step of the amount, and counts by doublings", () => {
    expect(listFeatures(ORDER)).toEqual([
      ["NIGHT:6", 1],
      ["SAME_PLACE:-6", 1],
      ["hour:3", 1],
      ["percentile:10", 1],
      ["emailOrders1h", 2],
    ]);
  });

  it("has words for each of them", () => {
    expect(listFeatures(ORDER).map(([name]) => nameFeature(name))).toEqual([
      "Ordered at night",
      "Shipped to where it's billed",
      "Ordered between 3:00 and 6:00 local time",
      "Larger than 10 to 25 % of the shop's orders",
      "Orders of the mailbox within an hour",
    ]);
  });
});

describe("toShift", () => {
  it("adds up what the model says about an order, less what it says about an average good one", () => {
    const model = toModel({ "NIGHT:6": -4, emailOrders1h: 3, "IP_TOR:35": 20 }, 1.5);
    expect(toShift(model, ORDER, JUDGED)).toBe(-4 + 6 - 1.5);
  });

  it("ignores a correction of a tier that has other points now", () => {
    expect(toShift(toModel({ "NIGHT:8": -4 }), ORDER, JUDGED)).toBe(0);
  });

  it("never takes a count of people for a credit, a sign of fraud neither, and never makes a credit smaller", () => {
    expect(toShift(toModel({ emailOrders1h: -20 }), ORDER, JUDGED)).toBe(0);
    expect(toShift(toModel({ "NIGHT:6": -20 }), ORDER, JUDGED)).toBe(-6);
    expect(toShift(toModel({ "SAME_PLACE:-6": 20 }), ORDER, JUDGED)).toBe(0);
    const first = { seen: [{ code: "FIRST_ORDER", group: "account", points: 3 }], measures: {} } as const;
    expect(toShift(toModel({ "FIRST_ORDER:3": 20 }), first, JUDGED)).toBe(0);
  });

  it("gives no credit for what a thief can type, beside a serious signal", () => {
    const typed = { code: "NAME_FITS", group: "email", points: -4, isClaim: true } as const;
    const tor = { code: "IP_PROXY", group: "ip", points: 16 } as const;
    const model = toModel({ "NAME_FITS:-4": -10 });
    expect(toShift(model, { seen: [typed], measures: {} }, JUDGED)).toBe(-10);
    expect(toShift(model, { seen: [typed, tor], measures: {} }, JUDGED)).toBe(0);
  });

  it("gives none to an order on an account that somebody else may be using", () => {
    const seen = [{ code: "NIGHT", group: "time", points: 6, shakesTrust: true }] as const;
    const kept = { base: 10, seen, measures: {}, missing: [] };
    expect(scoreAgain(kept, toModel({}, 10)).riskScore).toBe(scoreAgain(kept, undefined).riskScore);
  });

  it("never makes an order worse for a place that many share, nor better for a customer who hides", () => {
    const [worse, better] = [toModel({ "NIGHT:6": 9 }), toModel({ "NIGHT:6": 0 }, 9)];
    expect(toShift(worse, ORDER, { ...JUDGED, placeOnly: true })).toBe(0);
    expect(toShift(better, ORDER, { ...JUDGED, placeOnly: true })).toBe(-9);
    expect(toShift(better, ORDER, { ...JUDGED, isHiding: true })).toBe(0);
    expect(toShift(worse, ORDER, { ...JUDGED, isHiding: true })).toBe(9);
  });

  it("stays within the limit, whatever the model", () => {
    const most = toModel({ "NIGHT:6": 1e6, emailOrders1h: 1e6 });
    expect(toShift(most, ORDER, JUDGED)).toBe(MODEL_LIMITS.shift);
    expect(toShift(toModel({}, 1e6), ORDER, JUDGED)).toBe(-MODEL_LIMITS.shift);
  });
});

describe("shiftScore", () => {
  it("moves an order by at most one level, and makes none critical", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100 }),
        fc.double({ min: -500, max: 500, noNaN: true }),
        (score, shift) => {
          const own = shiftScore(score, shift);
          const [from, to] = [score, own].map((one) => RISK_LEVELS.indexOf(toRiskLevel(one))) as [
            number,
            number,
          ];
          expect(Math.abs(from - to)).toBeLessThanOrEqual(1);
          if (toRiskLevel(own) === "critical") expect(toRiskLevel(score)).toBe("critical");
          expect(Number.isInteger(own) && own >= 0 && own <= 100).toBe(true);
        },
      ),
      RUNS,
    );
  });

  it("changes nothing without a shift, and more shift never gives less", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100 }),
        fc.double({ min: -50, max: 50, noNaN: true }),
        fc.double({ min: 0, max: 50, noNaN: true }),
        (score, shift, more) => {
          expect(shiftScore(score, 0)).toBe(score);
          expect(shiftScore(score, shift + more)).toBeGreaterThanOrEqual(shiftScore(score, shift));
        },
      ),
      RUNS,
    );
  });
});

describe("listParts", () => {
  it("says in words what counted most", () => {
    const model = toModel({ "NIGHT:6": -4, emailOrders1h: 3 });
    expect(listParts(model, ORDER)).toEqual([
      { name: "emailOrders1h", title: "Orders of the mailbox within an hour", points: 6 },
      { name: "NIGHT:6", title: "Ordered at night", points: -4 },
    ]);
  });
});

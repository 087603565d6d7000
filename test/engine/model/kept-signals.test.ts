import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../../src/engine/engine.ts";
import { isHeldOut, scoreAgain } from "../../../src/engine/model/kept-signals.ts";
import { MODEL_LIMITS, type ShopModel } from "../../../src/engine/model/shop-model.ts";
import { ALL_GROUPS } from "../../../src/engine/signals/all-signals.ts";
import { RISK_LEVELS } from "../../../src/order/risk-level.ts";
import type { VerificationRequest } from "../../../src/order/request.ts";
import { orderArbitrary, velocityArbitrary } from "../arbitrary-order.ts";
import { PLAIN_ORDER, SAMPLE_TIME } from "../sample-order.ts";

const RUNS = { numRuns: 100, seed: Number(process.env["PROPERTY_SEED"] ?? 20_261_130) };
const engine = createLocalEngine({ now: () => Date.parse(SAMPLE_TIME) });
/** Signals in every tier that they may have, and measures. */
const NAMES = [
  ...ALL_GROUPS.flatMap(({ signals }) =>
    signals.flatMap(({ code }) =>
      [-15, -6, -5, 0, 3, 5, 6, 8, 12, 14, 16, 20, 40].map((points) => `${code}:${points}`),
    ),
  ),
  ...[0, 3, 6, 9, 12, 15, 18, 21].map((hour) => `hour:${hour}`),
  "emailOrders1h",
  "ipEmails24h",
  "cardEmails7d",
  "addressEmails7d",
];

const modelArbitrary: fc.Arbitrary<ShopModel> = fc.record({
  center: fc.double({ min: -20, max: 20, noNaN: true }),
  points: fc.dictionary(
    fc.constantFrom(...NAMES),
    fc.double({ min: -MODEL_LIMITS.points, max: MODEL_LIMITS.points, noNaN: true }),
    { maxKeys: 200 },
  ),
});

function assess(order: unknown, model?: ShopModel, counts?: Parameters<typeof engine.assess>[1]) {
  return engine.assess(order as VerificationRequest, counts, [], undefined, model);
}

/** The number of an order's level. */
const rank = ({ riskLevel }: ReturnType<typeof assess>) => RISK_LEVELS.indexOf(riskLevel);

describe("an order under a model of the shop's own", () => {
  it("is judged the same as without one if the model says nothing about it", () => {
    const { signals, model, ...own } = assess(PLAIN_ORDER, { center: 0, points: { "IP_TOR:35": 9 } });
    const { signals: _signals, ...base } = assess(PLAIN_ORDER);
    expect(own).toEqual(base);
    expect(model).toEqual({ shift: 0, parts: [] });
    expect(signals.byModel).toBe(true);
  });

  it("gets the same score again from its saved signals, under any model", () => {
    fc.assert(
      fc.property(
        orderArbitrary,
        fc.option(velocityArbitrary, { nil: undefined }),
        modelArbitrary,
        modelArbitrary,
        (order, counts, then, now) => {
          const { signals } = assess(order, then, counts);
          const kept = JSON.parse(JSON.stringify(signals)) as typeof signals;
          const { riskLevel, riskScore } = assess(order, now, counts);
          expect(scoreAgain(kept, now)).toEqual({ riskLevel, riskScore });
          const base = assess(order, undefined, counts);
          expect(scoreAgain(kept, undefined)).toEqual({
            riskLevel: base.riskLevel,
            riskScore: base.riskScore,
          });
        },
      ),
      RUNS,
    );
  });

  it("moves by one level at most, is never made critical, and keeps its factors and what it lacks", () => {
    fc.assert(
      fc.property(orderArbitrary, velocityArbitrary, modelArbitrary, (order, counts, model) => {
        const [own, base] = [assess(order, model, counts), assess(order, undefined, counts)];
        expect(Math.abs(rank(own) - rank(base))).toBeLessThanOrEqual(1);
        if (own.riskLevel === "critical") expect(base.riskLevel).toBe("critical");
        if (base.riskLevel === "critical") expect(rank(own)).toBeGreaterThanOrEqual(2);
        expect(own.riskFactors).toEqual(base.riskFactors);
        expect(own.missing).toEqual(base.missing);
        if (base.scorecard.placeOnly) expect(own.riskScore).toBeLessThanOrEqual(base.riskScore);
      }),
      RUNS,
    );
  });

  it("says in words what the model adds and why, and only then", () => {
    const order = { ...PLAIN_ORDER, customerEmail: "x@mailinator.com" };
    const own = assess(order, { center: 0, points: { "EMAIL_DISPOSABLE:40": 10 } });
    expect(own.reasoning).toContain("The shop's own model adds 10 points: Disposable email domain (+10).");
    expect(own.riskScore).toBe(assess(order).riskScore + 10);
    expect(assess(order).reasoning).not.toContain("own model");
  });

  it("gets no better for a customer who hides", () => {
    const order = { ...PLAIN_ORDER, customerEmail: "x@mailinator.com" };
    const own = assess(order, { center: 0, points: { "EMAIL_DISPOSABLE:40": -20 } });
    expect(own.riskScore).toBe(assess(order).riskScore);
  });
});

describe("orders that are held out of every model", () => {
  it("are about one in twenty, by ID, and the same ones each time", () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => String(5_000_000 + index));
    const held = ids.filter(isHeldOut);
    expect(held.length).toBeGreaterThan(850);
    expect(held.length).toBeLessThan(1_150);
    expect(ids.filter(isHeldOut)).toEqual(held);
    expect([undefined, null, 7, ""].some(isHeldOut)).toBe(false);
  });

  it("are judged by the standard points, and say so", () => {
    const orderId = Array.from({ length: 200 }, (_, index) => `order-${index}`).find(isHeldOut);
    const order = { ...PLAIN_ORDER, orderId, customerEmail: "x@mailinator.com" };
    const own = assess(order, { center: 0, points: { "EMAIL_DISPOSABLE:40": 20 } });
    expect(own).toEqual(assess(order));
    expect(own.signals).toMatchObject({ isHeldOut: true });
    expect(own.signals).not.toHaveProperty("byModel");
  });
});

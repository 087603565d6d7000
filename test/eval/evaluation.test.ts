import { describe, expect, it } from "vitest";
import { createEvaluator } from "../../eval/evaluation.ts";
import { toReport } from "../../eval/report.ts";
import type { LabelledOrder } from "../../eval/labelled-order.ts";
import { createLocalEngine, type LocalAssessment, type LocalEngine } from "../../src/engine/engine.ts";
import type { VelocityCounts } from "../../src/engine/velocity/velocity-store.ts";
import { toRiskLevel } from "../../src/order/risk-level.ts";

const REAL = createLocalEngine();
const COUNTS: VelocityCounts = {
  emailOrders1h: 1,
  ipEmails24h: undefined,
  cardEmails7d: undefined,
  addressEmails7d: undefined,
  emailCards24h: undefined,
  emailBillingPostcodes7d: undefined,
  cardBillingPostcodes7d: undefined,
};

/** Scores an order by its amount, plus ten points for every velocity count of the mailbox. */
const byAmount: Pick<LocalEngine, "assess"> = {
  assess(order, velocity): LocalAssessment {
    const total = (order.orderAmount ?? 0) + 10 * (velocity?.emailOrders1h ?? 0);
    if (total === 13) throw new Error("an unlucky order");
    const score = Math.min(100, Math.max(0, Math.round(total)));
    const answer = REAL.assess(order);
    const scorecard = { ...answer.scorecard, total, score };
    return { ...answer, riskScore: score, riskLevel: toRiskLevel(score), scorecard };
  },
};

function evaluate(
  orders: readonly (readonly [amount: number, fraud: boolean | undefined, emails?: number])[],
) {
  const evaluator = createEvaluator(byAmount);
  for (const [orderAmount, fraud, emails] of orders) {
    const velocity = emails === undefined ? undefined : { ...COUNTS, emailOrders1h: emails };
    const labelled: LabelledOrder = { order: { orderAmount }, fraud, velocity };
    evaluator.add(labelled);
  }
  return evaluator.evaluate();
}

describe("createEvaluator", () => {
  it("sorts orders into the bands of their levels", () => {
    const { withoutVelocity, rows, positives } = evaluate([
      [5, false],
      [10, false],
      [30, true],
      [31, false],
      [60, true],
      [70, true],
      [90, true],
      [95, false],
    ]);

    expect([rows, positives]).toEqual([8, 4]);
    expect(withoutVelocity.bands).toEqual({
      low: { orders: 3, share: 3 / 8, frauds: 1, fraudRate: 1 / 3, lift: 2 / 3, fraudShare: 0.25 },
      medium: { orders: 2, share: 0.25, frauds: 1, fraudRate: 0.5, lift: 1, fraudShare: 0.25 },
      high: { orders: 1, share: 0.125, frauds: 1, fraudRate: 1, lift: 2, fraudShare: 0.25 },
      critical: { orders: 2, share: 0.25, frauds: 1, fraudRate: 0.5, lift: 1, fraudShare: 0.25 },
    });
  });

  it("ranks by the sum of the points where the score puts orders together", () => {
    const { withoutVelocity } = evaluate([
      [-30, false],
      [-20, true],
      [120, false],
      [130, true],
    ]);

    // The fraud is above the legitimate order in three of four pairs; scores of 0 and 100 would tie in two.
    expect(withoutVelocity.auc).toBe(3 / 4);
  });

  it("judges with and without velocity counts, side by side", () => {
    const { withoutVelocity, withVelocity } = evaluate([
      [20, true, 4],
      [30, false, 1],
    ]);

    expect(withoutVelocity.auc).toBe(0);
    expect(withVelocity?.auc).toBe(1);
    expect(withVelocity?.bands.medium.orders).toBe(2);
    expect(withoutVelocity.bands.low.orders).toBe(2);
  });

  it("says nothing about velocity when no order has it, and gives no AUC for frauds alone", () => {
    const { withVelocity, withoutVelocity } = evaluate([
      [20, true],
      [30, true],
    ]);

    expect(withVelocity).toBeNull();
    expect(withoutVelocity).toMatchObject({ auc: null, aucInterval: null, recallAt5: null });
  });

  it("times orders without a label and counts them nowhere else", () => {
    const evaluation = evaluate([
      [20, true],
      [10, false],
      [99, undefined],
    ]);

    expect(evaluation).toMatchObject({ rows: 3, positives: 1, unlabelled: 1, exceptions: 0 });
    expect(evaluation.withoutVelocity.auc).toBe(1);
    expect(evaluation.withoutVelocity.bands.critical.orders).toBe(0);
    expect(evaluation.times.p50Micros).toBeGreaterThan(0);
    expect(evaluation.times.p99Micros).toBeLessThanOrEqual(evaluation.times.maxMicros);
  });

  it("counts an order that makes the engine throw, and continues", () => {
    const evaluation = evaluate([
      [13, true],
      [20, true],
      [10, false],
    ]);

    expect(evaluation).toMatchObject({ rows: 3, positives: 1, exceptions: 1 });
    expect(toReport("some orders", evaluation)).toContain("1 THAT MADE THE ENGINE THROW");
  });

  it("evaluates an empty set", () => {
    const evaluation = evaluate([]);

    expect(evaluation).toMatchObject({ rows: 0, positives: 0, engine: null });
    expect(toReport("nothing", evaluation)).toContain("nothing: 0 orders");
  });
});

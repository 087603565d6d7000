import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fit, runAtOnce, toChance, type FitRow } from "../../../src/engine/model/fit.ts";
import { createRandom } from "../../support/random.ts";

const RUNS = { numRuns: 50, seed: Number(process.env["PROPERTY_SEED"] ?? 20_261_130) };
const SPREAD = 0.5;

/** Orders whose outcome is drawn from known corrections. */
function draw(truth: readonly number[], count: number, seed: number): readonly FitRow[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const features = truth.map((_, index) => index).filter(() => random() < 0.3);
    const offset = -3 + 2 * random();
    const logOdds = features.reduce((sum, index) => sum + (truth[index] ?? 0), offset);
    const isFraud = random() < toChance(logOdds);
    return { offset, features, values: features.map(() => 1), isFraud, weight: 1 };
  });
}

function fitAll(rows: readonly FitRow[], size: number, spread = SPREAD) {
  return runAtOnce(fit(rows, size, spread));
}

describe("fit", () => {
  it("finds the corrections that the outcomes were drawn from, if there are enough of them", () => {
    const truth = [1, -0.8, 0, 0.5];
    const { corrections, intercept } = fitAll(draw(truth, 20_000, 1), truth.length);
    expect(intercept).toBeCloseTo(0, 0);
    for (const [index, own] of truth.entries())
      expect(Math.abs((corrections[index] ?? 9) - own)).toBeLessThan(0.15);
  });

  it("stays at the prior without orders, and with orders that show no feature", () => {
    expect([...fitAll([], 3).corrections]).toEqual([0, 0, 0]);
    const plain = draw([0, 0], 500, 2).map((row) => ({ ...row, features: [], values: [] }));
    expect([...fitAll(plain, 2).corrections]).toEqual([0, 0]);
  });

  it("moves a correction toward what the orders show, the further the more they are", () => {
    const toRows = (count: number): readonly FitRow[] =>
      Array.from({ length: count }, (_, index) => {
        const has = index % 2 === 0;
        return {
          offset: -2,
          features: has ? [0] : [],
          values: has ? [1] : [],
          isFraud: index % 8 === 0 || index % 16 === 1,
          weight: 1,
        };
      });
    const [few = 0, many = 0] = [32, 3_200].map((count) => fitAll(toRows(count), 1).corrections[0]);
    expect(few).toBeGreaterThan(0);
    expect(many).toBeGreaterThan(few);
    // Four in sixteen against one in eight.
    expect(many).toBeLessThan(Math.log(0.25 / 0.75) - Math.log(0.125 / 0.875));
  });

  it("counts an order of half the weight half", () => {
    const rows = draw([0.5], 400, 3);
    const twice = [...rows, ...rows].map((row) => ({ ...row, weight: 0.5 }));
    const [once, halves] = [fitAll(rows, 1), fitAll(twice, 1)];
    expect(halves.corrections[0]).toBeCloseTo(once.corrections[0] ?? Number.NaN, 6);
  });

  it("ends with finite corrections whatever the orders", () => {
    const rowArbitrary = fc.record({
      offset: fc.double({ min: -15, max: 15, noNaN: true }),
      features: fc.uniqueArray(fc.integer({ min: 0, max: 4 })),
      values: fc.constant([1, 4, 1, 2, 1]),
      isFraud: fc.boolean(),
      weight: fc.constantFrom(0.5, 1),
    });
    fc.assert(
      fc.property(fc.array(rowArbitrary, { maxLength: 60 }), (rows) => {
        const { intercept, corrections } = fitAll(rows, 5);
        expect([intercept, ...corrections].every((one) => Number.isFinite(one))).toBe(true);
      }),
      RUNS,
    );
  });

  it("gives way between slices of its work", () => {
    let pauses = 0;
    const work = fit(draw([0.5], 5_000, 4), 1, SPREAD);
    while (work.next().done !== true) pauses += 1;
    expect(pauses).toBeGreaterThanOrEqual(5);
  });
});

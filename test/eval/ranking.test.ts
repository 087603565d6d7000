import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rank, toRecallAt, type Scored } from "../../eval/ranking.ts";

/** Few different scores, so that ties are common. */
const anyScored = fc.array(
  fc.record({ score: fc.integer({ min: -3, max: 6 }).map((score) => score / 4), fraud: fc.boolean() }),
  { minLength: 2, maxLength: 60 },
);

function split(scored: readonly Scored[]) {
  return { frauds: scored.filter(({ fraud }) => fraud), legits: scored.filter(({ fraud }) => !fraud) };
}

/** Every fraud against every legitimate order. */
function countPairs(scored: readonly Scored[]): number {
  const { frauds, legits } = split(scored);
  let wins = 0;
  for (const fraud of frauds) {
    for (const legit of legits) wins += fraud.score === legit.score ? 0.5 : Number(fraud.score > legit.score);
  }
  return wins / (frauds.length * legits.length);
}

/** Every score tried as the limit. */
function tryLimits(scored: readonly Scored[], falsePositives: number): number {
  const { frauds, legits } = split(scored);
  const recalls = scored.map(({ score: limit }) => {
    const wrong = legits.filter(({ score }) => score >= limit).length / legits.length;
    return wrong <= falsePositives ? frauds.filter(({ score }) => score >= limit).length / frauds.length : 0;
  });
  return Math.max(0, ...recalls);
}

describe("rank", () => {
  it("counts the same AUC as a comparison of every pair, with ties as halves", () => {
    fc.assert(
      fc.property(anyScored, (scored) => {
        const ranking = rank(scored);
        const { frauds, legits } = split(scored);
        if (frauds.length === 0 || legits.length === 0) expect(ranking).toBeNull();
        else expect(ranking?.auc).toBeCloseTo(countPairs(scored), 12);
      }),
    );
  });

  it("doesn't depend on the order of the rows or the scale of the scores", () => {
    fc.assert(
      fc.property(anyScored, (scored) => {
        const bent = scored.map(({ score, fraud }) => ({ score: Math.exp(score), fraud })).toReversed();
        expect(rank(bent)?.auc).toBe(rank(scored)?.auc);
      }),
    );
  });

  it("mirrors the AUC when the labels are swapped", () => {
    fc.assert(
      fc.property(anyScored, (scored) => {
        const swapped = scored.map(({ score, fraud }) => ({ score, fraud: !fraud }));
        const [auc, mirrored] = [rank(scored)?.auc, rank(swapped)?.auc];
        if (auc !== undefined) expect(mirrored).toBeCloseTo(1 - auc, 12);
      }),
    );
  });

  it("is 1 for scores that separate all, 0.5 for one score for all, and has an interval around it", () => {
    const apart = [...Array(20).keys()].map((score) => ({ score, fraud: score >= 15 }));
    const equal = apart.map(({ fraud }) => ({ score: 7, fraud }));

    expect(rank(apart)).toMatchObject({ auc: 1, interval: [1, 1] });
    expect(rank(equal)?.auc).toBe(0.5);
    const [low = 1, high = 0] = rank(equal)?.interval ?? [];
    expect(low).toBeLessThan(0.5);
    expect(high).toBeGreaterThan(0.5);
  });

  it("narrows the interval with more orders", () => {
    const some = [...Array(50).keys()].map((index) => ({ score: index % 7, fraud: index % 3 === 0 }));
    const many = Array.from({ length: 20 }, () => some).flat();
    const toWidth = (scored: readonly Scored[]): number => {
      const [low = 0, high = 0] = rank(scored)?.interval ?? [];
      return high - low;
    };

    expect(rank(many)?.auc).toBeCloseTo(rank(some)?.auc ?? 0, 12);
    // Twenty times the orders: the square root of twenty times narrower.
    expect(toWidth(some) / toWidth(many)).toBeCloseTo(Math.sqrt(20), 0);
  });

  it("draws a curve from nothing caught to everything caught that never falls", () => {
    fc.assert(
      fc.property(anyScored, (scored) => {
        const roc = rank(scored)?.roc ?? [];
        for (const [index, point] of roc.slice(1).entries()) {
          expect(point.recall).toBeGreaterThanOrEqual(roc[index]?.recall ?? 0);
          expect(point.falsePositives).toBeGreaterThanOrEqual(roc[index]?.falsePositives ?? 0);
        }
        if (roc.length > 0) {
          expect(roc[0]).toMatchObject({ recall: 0, falsePositives: 0 });
          expect(roc.at(-1)).toMatchObject({ recall: 1, falsePositives: 1 });
        }
      }),
    );
  });
});

describe("toRecallAt", () => {
  it("finds what the best limit within the false positives catches", () => {
    fc.assert(
      fc.property(anyScored, fc.constantFrom(0, 0.05, 0.2, 0.5, 1), (scored, falsePositives) => {
        const ranking = rank(scored);
        if (ranking === null) return;
        expect(toRecallAt(ranking, falsePositives)).toBeCloseTo(tryLimits(scored, falsePositives), 12);
      }),
    );
  });

  it("catches nothing when the highest score already holds too many legitimate orders", () => {
    const ranking = rank([
      { score: 9, fraud: true },
      { score: 9, fraud: false },
      { score: 1, fraud: false },
    ]);

    expect(ranking && toRecallAt(ranking, 0.05)).toBe(0);
  });
});

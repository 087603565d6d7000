import { describe, expect, it } from "vitest";
import { compareRankings, type Ranked } from "../../../src/engine/model/compare.ts";
import { createRandom } from "../../support/random.ts";

describe("compareRankings", () => {
  it("counts how often a fraud ranks above a good order, and a tie half", () => {
    const ranked: readonly Ranked[] = [
      { isFraud: true, base: 5, model: 9 },
      { isFraud: true, base: 1, model: 8 },
      { isFraud: false, base: 5, model: 1 },
      { isFraud: false, base: 0, model: 2 },
    ];
    expect(compareRankings(ranked)).toMatchObject({ fraud: 2, good: 2, base: 0.625, model: 1, gain: 0.375 });
  });

  it("needs two of each", () => {
    const fraud = { isFraud: true, base: 1, model: 1 };
    expect(compareRankings([fraud, fraud, { ...fraud, isFraud: false }])).toBeNull();
  });

  it("says that a ranking doesn't beat itself", () => {
    const random = createRandom(5);
    const ranked = Array.from({ length: 200 }, (_, index) => {
      const score = random();
      return { isFraud: index % 10 === 0, base: score, model: score };
    });
    expect(compareRankings(ranked)).toMatchObject({ gain: 0, interval: [0, 0] });
  });

  it("includes zero in 95 of 100 intervals of judges that are equally good", () => {
    const random = createRandom(6);
    let misses = 0;
    for (let trial = 0; trial < 400; trial += 1) {
      const ranked = Array.from({ length: 300 }, (_, index) => {
        const isFraud = index < 15;
        const own = (isFraud ? 0.3 : 0) + random();
        return { isFraud, base: own + random(), model: own + random() };
      });
      const [low, high] = compareRankings(ranked)?.interval ?? [0, 0];
      if (low > 0 || high < 0) misses += 1;
    }
    expect(misses / 400).toBeLessThan(0.08);
    expect(misses / 400).toBeGreaterThan(0.02);
  });
});

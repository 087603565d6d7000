import { describe, expect, it } from "vitest";
import {
  sumOutcomes,
  toBasis,
  toOutcomeSentence,
  toCaution,
  toPart,
  toShareOf,
  type Outcomes,
} from "../../../web/data/reports/calibration.ts";

const NONE = { fraud: 0, caught: 0, good: 0, stopped: 0, refunded: 0 };
const EMPTY: Outcomes = {
  undisputedDays: 60,
  decided: 0,
  disputed: 0,
  byLevel: { low: NONE, medium: NONE, high: NONE, critical: NONE, none: NONE },
};
const SOME: Outcomes = {
  ...EMPTY,
  decided: 1_400,
  disputed: 9,
  byLevel: {
    ...EMPTY.byLevel,
    low: { fraud: 5, caught: 0, good: 800, stopped: 0, refunded: 0 },
    high: { fraud: 25, caught: 24, good: 12, stopped: 4, refunded: 0 },
    none: { fraud: 1, caught: 1, good: 0, stopped: 0, refunded: 0 },
  },
};

describe("the calibration's words", () => {
  it("say what was caught and stopped, and how much data that rests on", () => {
    expect(toOutcomeSentence(SOME)).toBe(
      "Of 31 orders known to be fraud, Holdfast caught 25. Of 812 orders known to be good, Holdfast stopped 4.",
    );
    expect(toBasis(SOME, 365)).toMatch(/^Based on 843 of 1,400 decided orders in the last 365 days: /);
    expect(toCaution(SOME)).toBeNull();
  });

  it("say what isn't known", () => {
    expect(toOutcomeSentence(EMPTY)).toBe("No outcomes are known yet.");
    expect(toCaution(EMPTY)).toBeNull();
    const good = { ...EMPTY, decided: 1, byLevel: { ...EMPTY.byLevel, low: { ...NONE, good: 1 } } };
    expect(toOutcomeSentence(good)).toBe(
      "No order turned out to be fraud. Of 1 order known to be good, Holdfast stopped 0. That is too few to tell how often good orders are stopped: it takes 30. Most of those that a person checked were on hold; orders that passed count only after 60 days without a dispute.",
    );
    expect(toCaution(good)).toMatch(/^No payment dispute has arrived\./);
    const fraud = { ...EMPTY, disputed: 1, byLevel: { ...EMPTY.byLevel, low: { ...NONE, fraud: 1 } } };
    expect(toOutcomeSentence(fraud)).toBe(
      "Of 1 order known to be fraud, Holdfast caught 0. No order is known to be good yet.",
    );
    expect(toCaution(fraud)).toMatch(/^Only 1 order turned out to be fraud so far/);
  });

  it("count refunds with neither", () => {
    const { byLevel } = SOME;
    const refunded = { ...SOME, byLevel: { ...byLevel, medium: { ...NONE, refunded: 7 } } };
    expect(sumOutcomes(refunded)).toEqual({ fraud: 31, caught: 25, good: 812, stopped: 4, refunded: 7 });
    expect(toOutcomeSentence(refunded)).toBe(toOutcomeSentence(SOME));
    expect(toBasis(refunded, 365)).toMatch(
      /^Based on 843 of 1,400 .*: the others are refunded or not known yet\./,
    );
  });

  it("give no share of few orders", () => {
    expect([toShareOf(0, 0), toShareOf(5, 5), toShareOf(29, 29), toShareOf(15, 30)]).toEqual([
      null,
      "Too few to tell",
      "Too few to tell",
      "50%",
    ]);
  });

  it.each([
    [0, 0, "–"],
    [12, 14, "12 of 14"],
    [3, 1_200, "3 of 1,200"],
  ])("format %i of %i as %s", (part, of, text) => {
    expect(toPart(part, of)).toBe(text);
  });
});

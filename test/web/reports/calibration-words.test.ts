import { describe, expect, it } from "vitest";
import {
  sumOutcomes,
  toBasis,
  toCalibrationSentence,
  toCaution,
  toPart,
  type Calibration,
} from "../../../web/data/reports/calibration.ts";

const NONE = { fraud: 0, caught: 0, good: 0, stopped: 0, refunded: 0 };
const EMPTY: Calibration = {
  since: "2025-11-20T00:00:00.000Z",
  until: "2026-11-20T00:00:00.000Z",
  days: 365,
  undisputedDays: 60,
  decided: 0,
  disputed: 0,
  byLevel: { low: NONE, medium: NONE, high: NONE, critical: NONE, none: NONE },
};
const SOME: Calibration = {
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
    expect(toCalibrationSentence(SOME)).toBe(
      "Holdfast caught 25 of 31 fraudulent orders. Holdfast stopped 4 of 812 good orders.",
    );
    expect(toBasis(SOME)).toMatch(/^Based on 843 of 1,400 decided orders in the last 365 days: /);
    expect(toCaution(SOME)).toBeNull();
  });

  it("say what isn't known", () => {
    expect(toCalibrationSentence(EMPTY)).toBe("No outcomes are known yet.");
    expect(toCaution(EMPTY)).toBeNull();
    const good = { ...EMPTY, decided: 1, byLevel: { ...EMPTY.byLevel, low: { ...NONE, good: 1 } } };
    expect(toCalibrationSentence(good)).toBe(
      "No order turned out to be fraud. Holdfast stopped 0 of 1 good order.",
    );
    expect(toCaution(good)).toMatch(/^No payment dispute has arrived\./);
    const fraud = { ...EMPTY, disputed: 1, byLevel: { ...EMPTY.byLevel, low: { ...NONE, fraud: 1 } } };
    expect(toCalibrationSentence(fraud)).toBe(
      "Holdfast caught 0 of 1 fraudulent order. No order is known to be good yet.",
    );
    expect(toCaution(fraud)).toMatch(/^Only 1 order turned out to be fraud so far/);
  });

  it("count refunds with neither", () => {
    const { byLevel } = SOME;
    const refunded = { ...SOME, byLevel: { ...byLevel, medium: { ...NONE, refunded: 7 } } };
    expect(sumOutcomes(refunded)).toEqual({ fraud: 31, caught: 25, good: 812, stopped: 4, refunded: 7 });
    expect(toCalibrationSentence(refunded)).toBe(toCalibrationSentence(SOME));
    expect(toBasis(refunded)).toMatch(
      /^Based on 843 of 1,400 .*: the others are refunded or not known yet\./,
    );
  });

  it.each([
    [0, 0, "–"],
    [12, 14, "12 of 14"],
    [3, 1_200, "3 of 1,200"],
  ])("format %i of %i as %s", (part, of, text) => {
    expect(toPart(part, of)).toBe(text);
  });
});

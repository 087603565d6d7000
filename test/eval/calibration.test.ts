import { describe, expect, it } from "vitest";
import { calibrate, toWilsonInterval } from "../../eval/calibration.ts";
import type { Scored } from "../../eval/ranking.ts";

/** `count` orders of a score, of which a share is fraud. */
function makeOrders(score: number, count: number, share: number): readonly Scored[] {
  const frauds = Math.round(count * share);
  return Array.from({ length: count }, (_, index) => ({ score, fraud: index < frauds }));
}

/** Orders whose odds double every ten points, times a factor; odds of 1 to 63 at a score of ten. */
function makeTrueOrders(slope: number): readonly Scored[] {
  return [-20, -10, 0, 10, 20, 30, 40].flatMap((score) => {
    const odds = (1 / 63) * 2 ** ((slope * (score - 10)) / 10);
    return makeOrders(score, 100_000, odds / (1 + odds));
  });
}

describe("calibrate", () => {
  it.each([0.5, 1, 2])("finds a slope of %d in orders that have it", (slope) => {
    expect(calibrate(makeTrueOrders(slope)).slope).toBeCloseTo(slope, 2);
  });

  it("finds a slope below zero when high scores are the good orders", () => {
    expect(calibrate([...makeOrders(10, 100, 0.4), ...makeOrders(60, 100, 0.1)]).slope).toBeLessThan(0);
  });

  it("puts every order into the bin of its score, those beyond 0 and 100 into the outer ones", () => {
    const scores = [-40, 0, 9.99, 10, 55, 99.99, 100, 180];
    const { bins } = calibrate(scores.map((score) => ({ score, fraud: score > 50 })));

    expect(bins.map(({ from, to }) => [from, to])).toEqual(
      [...Array(10).keys()].map((bin) => [10 * bin, 10 * bin + 10]),
    );
    expect(bins.map(({ orders }) => orders)).toEqual([3, 1, 0, 0, 0, 1, 0, 0, 0, 3]);
    expect(bins.map(({ fraudRate }) => fraudRate)).toEqual([0, 0, null, null, null, 1, null, null, null, 1]);
    expect(bins[2]).toMatchObject({ interval: null, promised: null });
  });

  it("predicts the file's own odds at a score of ten, and twice as much ten points higher", () => {
    const { bins } = calibrate([...makeOrders(10, 90, 0.1), ...makeOrders(20, 10, 0.1)]);

    expect(bins[1]?.promised).toBeCloseTo(1 / 10, 12);
    expect(bins[2]?.promised).toBeCloseTo(2 / 11, 12);
  });

  it.each([
    ["no orders", []],
    ["no frauds", makeOrders(30, 5, 0)],
    ["frauds only", makeOrders(30, 5, 1)],
    ["one score", makeOrders(30, 10, 0.5)],
    ["scores that tell all apart", [...makeOrders(0, 5, 0), ...makeOrders(90, 5, 1)]],
  ])("has no slope for %s", (_, scored) => {
    expect(calibrate(scored).slope).toBeNull();
  });
});

describe("toWilsonInterval", () => {
  it("returns the published figures", () => {
    // Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    const published = [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ] as const;
    for (const [seen, of, low, high] of published) {
      expect(toWilsonInterval(seen, of)[0]).toBeCloseTo(low, 4);
      expect(toWilsonInterval(seen, of)[1]).toBeCloseTo(high, 4);
    }
  });
});

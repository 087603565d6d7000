import { describe, expect, it } from "vitest";
import { toLabelled, toPieces, toShare, toTicks } from "../../../web/data/base/chart.ts";

describe("toTicks", () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [100, [0, 50, 100]],
    [251, [0, 100, 200, 300]],
    [4_210, [0, 2_000, 4_000, 6_000]],
  ])("marks an axis up to %d", (largest, ticks) => {
    expect(toTicks(largest)).toStrictEqual(ticks);
  });

  it.each([1, 2, 9, 10, 11, 99, 101, 12_345])("has room for %d and few marks", (largest) => {
    const ticks = toTicks(largest);

    expect(ticks.at(-1)).toBeGreaterThanOrEqual(largest);
    expect(ticks.length).toBeLessThanOrEqual(5);
    expect(ticks.every(Number.isInteger)).toBe(true);
  });
});

describe("toPieces", () => {
  it("stacks the values and leaves out what is zero", () => {
    expect(toPieces([3, 0, 2])).toStrictEqual([
      { series: 0, from: 0, to: 3 },
      { series: 2, from: 3, to: 5 },
    ]);
  });
});

describe("toLabelled", () => {
  it.each([
    [0, 5, []],
    [3, 5, [0, 1, 2]],
    [7, 4, [0, 2, 4, 6]],
    [30, 6, [4, 9, 14, 19, 24, 29]],
    [2, 0.4, [1]],
  ])("labels %d bars where %d fit", (count, room, labelled) => {
    expect(toLabelled(count, room)).toStrictEqual(labelled);
  });
});

describe("toShare", () => {
  it.each([
    [1, 4, 0.25],
    [5, 4, 1],
    [1, 0, 0],
    [-1, 4, 0],
  ])("formats %d of %d", (part, whole, share) => {
    expect(toShare(part, whole)).toBe(share);
  });
});

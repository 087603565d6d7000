import { describe, expect, it } from "vitest";
import { createClockWatch } from "../../../src/pipeline/work/clock-watch.ts";

describe("createClockWatch", () => {
  it.each([
    [0, { kind: "steady" }],
    [19_999, { kind: "steady" }],
    [20_000, { kind: "forward", byMs: 20_000 }],
    [-1_999, { kind: "steady" }],
    [-2_000, { kind: "back", byMs: 2_000 }],
    [-3_600_000, { kind: "back", byMs: 3_600_000 }],
  ])("takes a step of %i ms for what it is, once", (stepMs, expected) => {
    let nowMs = 5_000_000;
    const look = createClockWatch(() => nowMs, 20_000);
    nowMs += stepMs;

    expect(look()).toEqual(expected);
    expect(look()).toEqual({ kind: "steady" });
  });
});

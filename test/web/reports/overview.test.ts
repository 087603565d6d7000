import { describe, expect, it } from "vitest";
import { countWaiting } from "../../../web/data/reports/overview.ts";

describe("countWaiting", () => {
  it("counts the figures that are there", () => {
    expect(countWaiting({ held: 3, failed: 1, waiting: 2, overdue: 3 })).toBe(6);
    expect(countWaiting()).toBe(0);
  });

  it("counts the others if the release before leaves one out, as during an upgrade", () => {
    expect(countWaiting({ held: 3, failed: 1 })).toBe(4);
  });
});

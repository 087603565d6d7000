import { describe, expect, it } from "vitest";
import { isEndDetail, toStepDetail } from "../../src/pipeline/timeline.ts";
import { ORDER_ENDS } from "../../src/platform/platform.ts";

describe("toStepDetail", () => {
  it.each(ORDER_ENDS)("stores an order's end (%s) from the code, whatever the reason says", (ended) => {
    const detail = toStepDetail({ outcome: "moot", ended, reason: "some words for people" });

    expect(ORDER_ENDS.filter((end) => isEndDetail(detail, end))).toEqual([ended]);
    expect(toStepDetail({ outcome: "impossible", ended, reason: "other words" })).toBe(detail);
  });

  it("stores the reason of a step whose order has not ended", () => {
    expect(toStepDetail({ outcome: "impossible", reason: "tags-refused" })).toBe("tags-refused");
    expect(toStepDetail({ outcome: "wait", reason: "not-routed-yet", retryAtMs: 0 })).toBe("not-routed-yet");
    expect(toStepDetail({ outcome: "done", detail: "tagged" })).toBe("tagged");
  });
});

describe("isEndDetail", () => {
  it("reads what databases hold", () => {
    expect(isEndDetail("already-cancelled", "cancelled")).toBe(true);
    expect(isEndDetail("already-fulfilled", "shipped")).toBe(true);
    expect(isEndDetail("tags-refused", "cancelled")).toBe(false);
  });
});

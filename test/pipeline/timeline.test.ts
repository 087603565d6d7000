import { describe, expect, it } from "vitest";
import { hasEndedAs, toStepDetail, toStepRecord } from "../../src/pipeline/timeline.ts";
import { ORDER_ENDS } from "../../src/platform/enforcement-step.ts";

describe("a step's record", () => {
  it.each(ORDER_ENDS)("says how the order ended (%s) by the outcome's code, whatever its reason", (ended) => {
    const moot = toStepRecord("hold", { outcome: "moot", ended, reason: "some words for people" }, 1);
    const impossible = toStepRecord("tag", { outcome: "impossible", ended, reason: "other words" }, 1);

    expect([moot.cause, impossible.cause]).toEqual([ended, ended]);
    expect(moot.detail).toBe(impossible.detail);
  });

  it("includes the reason of a step whose order hasn't ended", () => {
    expect(toStepDetail({ outcome: "impossible", reason: "tags-refused" })).toBe("tags-refused");
    expect(toStepDetail({ outcome: "wait", reason: "not-routed-yet", retryAtMs: 0 })).toBe("not-routed-yet");
    expect(toStepDetail({ outcome: "done", detail: "tagged" })).toBe("tagged");
    expect(toStepRecord("hold", { outcome: "moot", reason: "already-cancelled" }, 1).cause).toBeUndefined();
  });
});

describe("hasEndedAs", () => {
  it.each([
    [{ kind: "cancelled-on-platform", event: { kind: "cancelled-on-platform" } }, "cancelled"],
    [{ kind: "settled", event: { kind: "settled", problems: [], ended: "shipped" } }, "shipped"],
    [{ kind: "hold-moot", event: { kind: "hold-moot", ended: "cancelled" } }, "cancelled"],
    [{ kind: "settled", event: { kind: "settled", problems: [] } }, undefined],
  ] as const)("reads %j as %s", (entry, ended) => {
    expect(ORDER_ENDS.filter((end) => hasEndedAs(end, entry))).toEqual(ended === undefined ? [] : [ended]);
  });
});

import { describe, expect, it } from "vitest";
import { readCause, readEvent } from "../../../src/store/orders/timeline.ts";

describe("an entry from a release before events", () => {
  it.each([
    ["cancel-moot", "already-cancelled", { kind: "cancel-moot", ended: "cancelled" }],
    ["hold-impossible", "already-fulfilled", { kind: "hold-impossible", ended: "shipped" }],
    ["settled", "fulfilled", { kind: "settled", problems: [], ended: "shipped" }],
    ["settled", "cancelled-on-platform", { kind: "settled", problems: [], ended: "cancelled" }],
    ["settled", "the platform follows the decision", undefined],
    ["cancel-done", "already-cancelled", undefined],
    ["received", "fulfilled", undefined],
  ])("shows by %s and %j how the order ended", (kind, detail, event) => {
    expect(readEvent(kind, { detail, event: null })).toEqual(event);
  });
});

describe("an entry with an event", () => {
  it("is read by its event alone", () => {
    const event = JSON.stringify({ kind: "settled", problems: [] });
    expect(readEvent("settled", { detail: "fulfilled", event })).toEqual({ kind: "settled", problems: [] });
  });

  it("from a later release is unknown", () => {
    const event = JSON.stringify({ kind: "teleported" });
    expect(readEvent("teleported", { detail: "", event })).toBeUndefined();
  });
});

describe("a step from a release before causes", () => {
  it.each([
    ["moot", "shadow-mode", null, "shadow"],
    ["moot", "already-cancelled", null, "cancelled"],
    ["impossible", "already-fulfilled", null, "shipped"],
    ["done", "already-fulfilled", null, undefined],
    ["impossible", "shadow-mode", null, undefined],
    ["moot", "shadow-mode", "shipped", "shipped"],
  ])("that is %s because of %j, with the cause %j, has the cause %j", (state, detail, cause, expected) => {
    expect(readCause({ state, detail, cause })).toBe(expected);
  });
});

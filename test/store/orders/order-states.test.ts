import { describe, expect, it } from "vitest";
import { assertTransition, ORDER_STATES, type OrderState } from "../../../src/store/orders/order-states.ts";

function isAllowed(from: OrderState, to: OrderState): boolean {
  try {
    assertTransition(from, to);
    return true;
  } catch {
    return false;
  }
}

describe("assertTransition", () => {
  it.each<[OrderState, OrderState]>([
    ["received", "enforcing"],
    ["received", "settled"],
    ["screening", "review"],
    ["settled", "received"],
    ["settled", "enforcing"],
    ["review", "screening"],
    ["failed", "settled"],
    ["failed", "enforcing"],
  ])("refuses %s to %s, which skips a decision", (from, to) => {
    expect(() => assertTransition(from, to)).toThrow(
      expect.objectContaining({ code: "INTERNAL", retryable: false }),
    );
  });

  it.each(ORDER_STATES)("lets an order stay %s, and leave it", (state) => {
    expect(() => assertTransition(state, state)).not.toThrow();
    expect(() => assertTransition(state, undefined)).not.toThrow();
    expect(ORDER_STATES.some((next) => next !== state && isAllowed(state, next))).toBe(true);
  });

  it("lets no order return to the start", () => {
    expect(ORDER_STATES.filter((state) => state !== "received" && isAllowed(state, "received"))).toEqual([]);
  });

  it("carries nothing out before a decision", () => {
    const before = ORDER_STATES.filter((state) => isAllowed(state, "enforcing") && state !== "enforcing");

    expect(before).toEqual(["decided", "waiting"]);
  });
});

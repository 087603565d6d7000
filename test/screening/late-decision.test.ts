import { describe, expect, it } from "vitest";
import { withWaitUntil } from "../../src/index.ts";
import type { DecisionListener, OrderCheck } from "../../src/screening/order-check.ts";
import { aCheck } from "../support/screener.ts";

/** A screener that answers one check and says what it is told to. */
function createAnnouncing(answer: () => OrderCheck | Promise<OrderCheck>) {
  const listeners = new Set<DecisionListener>();
  return {
    listeners,
    check: async () => await answer(),
    on: (_event: "decision", listener: DecisionListener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    announce: (check: OrderCheck, late = true): void => {
      for (const listener of listeners) listener({ orderId: "1", check, late });
    },
  };
}

const PENDING = aCheck({ status: "pending" });

describe("withWaitUntil", () => {
  it("hands over a promise that ends with the late decision of the same content", async () => {
    const screener = createAnnouncing(() => PENDING);
    const kept: Promise<unknown>[] = [];

    const check = await withWaitUntil(screener, (promise) => void kept.push(promise)).check({});

    expect(check).toBe(PENDING);
    expect(kept).toHaveLength(1);
    let ended = false;
    void kept[0]?.then(() => (ended = true));
    screener.announce(aCheck({ fingerprint: "another" }));
    screener.announce(aCheck(), false);
    await new Promise(setImmediate);
    expect(ended).toBe(false);
    screener.announce(aCheck());
    await kept[0];
    expect(screener.listeners.size).toBe(0);
  });

  it("has nothing to wait for after an answer in time, or after a failure", async () => {
    const kept: Promise<unknown>[] = [];
    const answered = createAnnouncing(() => aCheck());
    const failing = createAnnouncing(() => {
      throw new Error("failed");
    });

    await withWaitUntil(answered, (promise) => void kept.push(promise)).check({});
    await expect(withWaitUntil(failing, (promise) => void kept.push(promise)).check({})).rejects.toThrow(
      "failed",
    );

    expect(kept).toEqual([]);
    expect(answered.listeners.size + failing.listeners.size).toBe(0);
  });

  it("has nothing to wait for when the decision was faster than the check's own answer", async () => {
    const kept: Promise<unknown>[] = [];
    const screener = createAnnouncing(() => {
      screener.announce(aCheck());
      return PENDING;
    });

    await withWaitUntil(screener, (promise) => void kept.push(promise)).check({});

    expect(kept).toEqual([]);
    expect(screener.listeners.size).toBe(0);
  });
});

import { describe, expect, it } from "vitest";
import { verifyOrder } from "../../adapters/fetch/index.ts";
import { createScreener, withWaitUntil, type VerificationOrder } from "../../src/index.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import type { DecisionListener, OrderCheck } from "../../src/screening/order-check.ts";
import { anOrder } from "../support/orders.ts";
import { aCheck } from "../support/screener.ts";
import { until } from "../support/until.ts";

/** A screener that answers one check and emits the events that the test names. */
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
  it("passes on a promise that ends with the late decision on the same content", async () => {
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

  it("has nothing to wait for after a timely answer or a failure", async () => {
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

  it("passes on the call under way when the client disconnects, so that its answer is stored", async () => {
    const service = createSandboxService({ latencyMs: 300 });
    const screener = createScreener({ service: { url: await service.listen(), apiKey: SANDBOX_API_KEY } });
    const kept: Promise<unknown>[] = [];
    const client = new AbortController();
    const guard = verifyOrder({
      screener: withWaitUntil(screener, (promise) => void kept.push(promise)),
      order: (request) => request.json() as Promise<VerificationOrder>,
    });
    const order = anOrder({ customerEmail: "low@risk.example" });
    const request = new Request("http://shop.example/orders", {
      method: "POST",
      body: JSON.stringify(order),
      signal: client.signal,
    });

    const answer = guard(request, () => expect.unreachable());
    answer.catch(() => undefined);
    await until(() => service.calls.length === 1);
    client.abort();
    await expect(answer).rejects.toThrow("aborted");

    expect(kept).toHaveLength(1);
    await kept[0];
    expect(await screener.check(order, { placedNow: true })).toMatchObject({
      status: "cached",
      creditsSpent: 0,
    });
    expect(service.calls).toHaveLength(1);
    await screener.close();
    await service.close();
  });

  it("has nothing to wait for if the client disconnected before the call", async () => {
    const service = createSandboxService();
    const screener = createScreener({ service: { url: await service.listen(), apiKey: SANDBOX_API_KEY } });
    const kept: Promise<unknown>[] = [];
    const client = new AbortController();

    const checking = withWaitUntil(screener, (promise) => void kept.push(promise)).check(anOrder(), {
      signal: client.signal,
    });
    client.abort(new Error("gone"));

    await expect(checking).rejects.toThrow("gone");
    await screener.close();
    await service.close();
    expect(kept).toEqual([]);
    expect(service.calls).toEqual([]);
  });
});

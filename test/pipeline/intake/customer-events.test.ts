import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eraseCustomer } from "../../../src/pipeline/intake/customer-events.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { claim, delivery, entry, order, T0, TENANT } from "../../store/samples.ts";

const HOUR_MS = 3_600_000;

describe("eraseCustomer", () => {
  let store: Store;
  beforeEach(async () => {
    store = await createTestStore();
  });
  afterEach(() => store.close());

  // By default long ago, so that no order is waited for.
  const eraseWith = (used: Store, customerId: string, nowMs = T0 + 25 * HOUR_MS) => {
    const claimed = { ...delivery(`redact-${customerId}`, { topic: "customers/redact" }), attempts: 0 };
    const task = {
      delivery: claimed,
      store: used,
      screening: { forget: () => undefined },
      now: () => nowMs,
    };
    const event = { kind: "erase-customer", orderIds: [], customerId, email: undefined } as const;
    return eraseCustomer(task, event);
  };

  it("erases a tenant's customers one by one, so that two at one address don't keep each other's block", async () => {
    for (const [orderId, customerId] of [
      ["1", "c1"],
      ["2", "c2"],
    ] as const)
      await store.orders.receive(order(orderId, { customerId }), entry("received"));
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: Store = {
      ...store,
      retention: {
        ...store.retention,
        async eraseOrders(...given) {
          reached.resolve();
          await goOn.promise;
          return store.retention.eraseOrders(...given);
        },
      },
    };
    const erasing = eraseWith(slow, "c1");
    await reached.promise;

    expect(await eraseWith(store, "c2")).toMatchObject({ retryAtMs: expect.any(Number) as number });
    expect((await store.orders.get({ tenant: TENANT, orderId: "2" }))?.mapped).not.toBeNull();

    goOn.resolve();
    expect(await erasing).toBe("erased-1-orders");
    expect(await eraseWith(store, "c2")).toBe("erased-1-orders");
  });

  it("leaves the customer's orders that arrived after the request, because nobody has checked them", async () => {
    const body = Buffer.from(`{"customer":{"id":"c1"}}`);
    await store.deliveries.save([
      delivery("before", { body, receivedAtMs: T0 - 1 }),
      delivery("after", { body, receivedAtMs: T0 }),
    ]);

    await eraseWith(store, "c1");

    const left = await store.deliveries.claim(claim("p1"));
    expect(left.map(({ deliveryId }) => deliveryId)).toEqual(["after"]);
  });

  it("waits at most a day for earlier orders to be decided", async () => {
    const earlier = order("1", { customerId: "c1", receivedAtMs: T0 - 1 });
    await store.orders.receive(earlier, entry("received"));
    const untilMs = T0 + 24 * HOUR_MS;

    expect(await eraseWith(store, "c1", untilMs - 1)).toEqual({ retryAtMs: untilMs - 1 + 5_000 });
    expect(await eraseWith(store, "c1", untilMs)).toBe("erased-1-orders");
  });

  it("continues a request immediately whose process died during it", async () => {
    await store.orders.receive(order("1", { customerId: "c1" }), entry("received"));
    const dead = {
      ...store,
      leases: { ...store.leases, release: () => Promise.reject(new Error("the process is gone")) },
    };
    await expect(eraseWith(dead, "c1")).rejects.toThrow("the process is gone");

    expect(await eraseWith(store, "c2")).toMatchObject({ retryAtMs: expect.any(Number) as number });
    expect(await eraseWith(store, "c1")).toMatch(/^erased-/);
    expect(await eraseWith(store, "c2")).toBe("erased-0-orders");
  });
});

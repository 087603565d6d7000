import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSandboxPlatform } from "../../src/sandbox/sandbox-platform.ts";
import { createTestStore } from "../support/test-store.ts";
import type { OrderChanges, Store } from "../../src/store/store.ts";
import { claim, decision, entry, order, T0, TENANT } from "../store/samples.ts";

const HOUR_MS = 3_600_000;

let store: Store;
let nowMs: number;

beforeEach(async () => {
  store = await createTestStore();
  nowMs = T0;
});
afterEach(() => store.close());

async function hold(changes: OrderChanges = {}): Promise<void> {
  await store.orders.receive(order("sandbox-1", { platform: "sandbox", effects: "none" }), entry("received"));
  await store.orders.claim(claim("p1"));
  await store.orders.save({ tenant: TENANT, orderId: "sandbox-1" }, "p1", {
    changes: { state: "review", decision: decision(), decidedAtMs: T0, ...changes },
    step: { step: "hold", state: "done", detail: "", memory: {}, atMs: T0 },
    release: true,
  });
}

const observe = (orderId = "sandbox-1") =>
  createSandboxPlatform({ store, now: () => nowMs }).observe(TENANT, orderId);

describe("the sandbox platform", () => {
  it("has only its own orders", async () => {
    await store.orders.receive(order("real"), entry("received"));

    expect(await observe("real")).toBeNull();
    expect(await observe("sandbox-2")).toBeNull();
  });

  it("shows the applied changes", async () => {
    await hold();

    expect(await observe()).toMatchObject({
      cancelled: false,
      fulfilled: false,
      tags: [],
      holds: [{ holdId: "sandbox-1" }],
      assessment: null,
    });
  });

  it.each([
    ["a day", null, 24 * HOUR_MS],
    ["six hours before its deadline, when somebody would be warned", T0 + 10 * HOUR_MS, 4 * HOUR_MS],
  ])("ends an order after %s", async (_, holdDeadlineMs, afterMs) => {
    await hold({ holdDeadlineMs });

    nowMs = T0 + afterMs - 1;
    expect(await observe()).toMatchObject({ cancelled: false });
    nowMs += 1;
    expect(await observe()).toMatchObject({ cancelled: true });
  });

  it("accepts no deliveries", () => {
    const platform = createSandboxPlatform({ store, now: () => nowMs });

    expect(platform.authenticate({ headers: {}, body: Buffer.alloc(0) })).toMatchObject({
      outcome: "unauthenticated",
    });
  });
});

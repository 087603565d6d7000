import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SILENT_LOGGER } from "../../src/logger.ts";
import { createClaimer, type Claim } from "../../src/pipeline/claimer.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import type { OrderRecord, Store } from "../../src/store/store.ts";
import { anOrder } from "../support/orders.ts";

let store: Store;
let nowMs: number;
const under: { order: OrderRecord; claim: Claim; end: () => void }[] = [];

const receive = (tenant: string, orderId: string) =>
  store.receiveOrder(
    {
      tenant,
      orderId,
      platform: "test",
      name: orderId,
      customerId: undefined,
      receivedAtMs: nowMs,
      amount: 1,
      currency: "USD",
      mapped: { outcome: "screenable", request: anOrder({ orderId }), test: false },
    },
    { atMs: nowMs, kind: "received", detail: "", actor: "platform" },
  );

const claimer = (concurrency: number) =>
  createClaimer(
    {
      store,
      owner: "app:1",
      concurrency,
      leaseMs: 60_000,
      now: () => nowMs,
      logger: SILENT_LOGGER,
      handleDelivery: async () => {},
      handleOrder: (order, claim) => new Promise((end) => void under.push({ order, claim, end })),
    },
    () => {},
  );

beforeEach(async () => {
  store = await createMemoryStore();
  nowMs = 1_000_000;
  under.length = 0;
});

afterEach(async () => {
  for (const { end } of under) end();
  await store.close();
});

describe("createClaimer", () => {
  it("leaves places for others when the orders of one shop never end", async () => {
    for (let index = 0; index < 9; index += 1) await receive("test:slow", `s${index}`);
    const claiming = claimer(6);
    await claiming.claim();
    await expect.poll(() => under.length).toBe(4);

    await receive("test:other", "o1");
    await claiming.claim();

    await expect.poll(() => under.map(({ order }) => order.orderId)).toContain("o1");
    expect(under.filter(({ order }) => order.tenant === "test:slow")).toHaveLength(4);
  });

  it("puts an order that finds no share back, due soon and not counted as tried", async () => {
    for (let index = 0; index < 6; index += 1) await receive("test:slow", `s${index}`);
    const claiming = claimer(6);
    await claiming.claim();

    await expect
      .poll(async () => (await store.getOrder({ tenant: "test:slow", orderId: "s5" }))?.dueAtMs)
      .toBe(nowMs + 250);
    expect(await store.getOrder({ tenant: "test:slow", orderId: "s5" })).toMatchObject({ attempts: 0 });
  });

  it("fences a process from itself when it claims again what it lost", async () => {
    await receive("test:shop", "1");
    const claiming = claimer(6);
    await claiming.claim();
    nowMs += 61_000;
    await claiming.claim();
    await expect.poll(() => under.length).toBe(2);
    const [first, second] = under;
    const key = { tenant: "test:shop", orderId: "1" };
    const transition = { changes: { state: "settled" }, release: false } as const;

    expect(await store.saveOrder(key, first?.claim.owner ?? "", transition)).toBe(false);
    expect(await store.saveOrder(key, second?.claim.owner ?? "", transition)).toBe(true);
  });
});

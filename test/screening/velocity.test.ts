import { afterEach, describe, expect, it, vi } from "vitest";
import type { VelocityCounts, VelocityStore } from "../../src/engine/velocity/velocity-store.ts";
import { createMemoryVelocity } from "../../src/engine/velocity/memory-velocity.ts";
import type { VelocityKeys } from "../../src/engine/velocity/keys.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { createScreener } from "../../src/screening/screener.ts";
import type { ScreenerOptions } from "../../src/screening/screener-options.ts";
import { createVelocity, type SeenOrder, type VelocityOptions } from "../../src/screening/velocity.ts";
import { createKeyring } from "../../src/store/sealing/keyring.ts";
import { createTestStore } from "../support/test-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createLogRecorder } from "../support/log-recorder.ts";
import { aResult, anOrder } from "../support/orders.ts";
import { sendJson, startServer } from "../service/loopback.ts";

const T0 = Date.parse("2026-11-20T12:00:00Z");
const CARD = { brand: "visa", lastFourDigits: "4242", expiry: "08/27", holderName: "Jane Example" };
const DOWN = new Error("down");

interface RecordedOrder {
  readonly tenant: string;
  readonly orderKey: string;
  readonly keys: VelocityKeys;
  readonly atMs: number;
}

/** A store that records what it is given, and first does what `how` says. */
function createWatchedStore(how: () => Promise<void> = async () => {}) {
  const recorded: RecordedOrder[] = [];
  const inner = createMemoryVelocity();
  const store: VelocityStore = {
    async record(tenant, orderKey, keys, atMs): Promise<VelocityCounts> {
      recorded.push({ tenant, orderKey, keys, atMs });
      await how();
      return inner.record(tenant, orderKey, keys, atMs);
    },
  };
  return { store, recorded };
}

function velocityOver(store: VelocityStore, changes: Partial<VelocityOptions> = {}) {
  const { lines, logger } = createLogRecorder();
  const keyring = createKeyring(Buffer.alloc(32, 1));
  const velocity = createVelocity({ store, keyring, logger, now: () => T0, timeLimitMs: 5_000, ...changes });
  return { velocity, lines };
}

const seen = (changes: Partial<SeenOrder> = {}): SeenOrder => ({
  tenant: "shop",
  order: anOrder(),
  orderId: "1001",
  ...changes,
});

describe("createVelocity", () => {
  it("records an order under its id, at its own time, and returns the counts", async () => {
    const { store, recorded } = createWatchedStore();
    const { velocity } = velocityOver(store);

    expect(await velocity.note(seen())).toMatchObject({ emailOrders1h: 1, addressEmails7d: 1 });
    expect(recorded).toMatchObject([
      { tenant: "shop", orderKey: "order:1001", atMs: Date.parse("2026-11-20T10:00:00Z") },
    ]);
  });

  it.each([
    ["to come", "2026-11-20T12:00:01Z"],
    ["in no zone", "2026-11-20T10:00:00"],
    ["that is invalid", "yesterday Z"],
    ["not told", undefined],
  ])("uses the current time if the order's time is %s", async (_what, orderTimestamp) => {
    const { store, recorded } = createWatchedStore();
    await velocityOver(store).velocity.note(seen({ order: { ...anOrder(), orderTimestamp } }));

    expect(recorded).toMatchObject([{ atMs: T0 }]);
  });

  it("identifies an order without an id by its content, and one without either not at all", async () => {
    const { store, recorded } = createWatchedStore();
    const { velocity } = velocityOver(store);

    await velocity.note(seen({ orderId: undefined, fingerprint: "1001" }));
    expect(await velocity.note(seen({ orderId: undefined }))).toBeUndefined();

    expect(recorded).toMatchObject([{ orderKey: "content:1001" }]);
  });

  it("records a state of an order once within minutes, and returns the same counts for repeats", async () => {
    let nowMs = T0;
    const { store, recorded } = createWatchedStore();
    const { velocity } = velocityOver(store, { now: () => nowMs });
    const state = seen({ fingerprint: "f1" });

    const [first, second] = await Promise.all([velocity.note(state), velocity.note(state)]);
    expect(second).toEqual(first);
    expect(recorded).toHaveLength(1);

    await velocity.note(seen({ fingerprint: "f2" }));
    await velocity.note(seen({ fingerprint: "f1", tenant: "other" }));
    expect(recorded).toHaveLength(3);

    nowMs += 11 * 60_000;
    await velocity.note(state);
    expect(recorded).toHaveLength(4);
  });

  it("records each check of an order without an id, and counts those with the same content", async () => {
    const { store, recorded } = createWatchedStore();
    const { velocity } = velocityOver(store);
    const { orderId: _, ...order } = anOrder();
    const check = async (fingerprint: string) =>
      await velocity.ofCheck({ ...seen(), order, fingerprint }).within();

    expect(await check("f1")).toMatchObject({ emailOrders1h: 1 });
    expect(await check("f1")).toMatchObject({ emailOrders1h: 2 });
    expect(await check("f2"), "a basket that was changed").toMatchObject({ emailOrders1h: 2 });
    expect(await check("f1")).toMatchObject({ emailOrders1h: 3 });
    expect(await velocity.note(seen())).toMatchObject({ emailOrders1h: 4 });
    expect(recorded).toHaveLength(5);
  });

  it("never rejects, logs once that the store fails, and tries again with the next order", async () => {
    let failing = true;
    const { store, recorded } = createWatchedStore(() =>
      failing ? Promise.reject(DOWN) : Promise.resolve(),
    );
    const { velocity, lines } = velocityOver(store);
    const state = seen({ fingerprint: "f1" });

    expect(await velocity.note(state)).toBeUndefined();
    expect(await velocity.note(state)).toBeUndefined();
    expect(lines).toEqual([
      {
        level: "warn",
        message: "other orders can't be counted, so orders are checked without velocity",
        err: DOWN,
      },
    ]);

    failing = false;
    expect(await velocity.note(state)).toBeDefined();
    expect(recorded).toHaveLength(3);
    failing = true;
    await velocity.note(seen());
    expect(lines).toHaveLength(2);
  });

  it("doesn't wait longer than its limit, and still records the order", async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const { store } = createWatchedStore(() => opened);
    const { velocity } = velocityOver(store, { timeLimitMs: 10 });
    const state = seen({ fingerprint: "f1" });

    expect(await velocity.note(state)).toBeUndefined();
    await velocity.settle();
    open();
    await velocity.settle();
    expect(await velocity.note(state)).toMatchObject({ emailOrders1h: 1 });
  });

  it("counts a few customers at one hosted address as strangers, and many as one", async () => {
    const told: unknown[] = [];
    for (const ipAddress of ["73.158.64.15", "45.33.32.156"]) {
      const { velocity } = velocityOver(createMemoryVelocity());
      for (let index = 1; index <= 6; index += 1) {
        const order = anOrder({ ipAddress, customerEmail: `jane${index}@shop.example` });
        const counts = await velocity.note(seen({ order, orderId: String(index) }));
        if (index >= 5) told.push(counts?.ipEmails24h);
      }
    }

    expect(told).toEqual([5, 6, undefined, 6]);
  });
});

describe("createScreener", () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  async function open(options: ScreenerOptions) {
    const screener = createScreener(options);
    closing.push(() => screener.close());
    return screener;
  }

  async function openStore(velocity?: VelocityStore): Promise<Store> {
    const store = await createTestStore();
    closing.push(() => store.close());
    return velocity === undefined ? store : { ...store, velocity };
  }

  async function openService() {
    const service = createSandboxService();
    const url = await service.listen();
    closing.push(() => service.close());
    return { url, apiKey: SANDBOX_API_KEY };
  }

  const withCard = (index: number) =>
    anOrder({ orderId: `o${index}`, customerEmail: `jane${index}@shop.example`, paymentInfo: CARD });
  const LINKED = "One card, several email addresses";
  const factorsOf = (check: { result: { riskFactors: readonly { factor: string }[] } | null }) =>
    check.result?.riskFactors.map(({ factor }) => factor);

  it("judges an order by earlier ones, with and without a store", async () => {
    for (const store of [undefined, await openStore()]) {
      const screener = await open({ service: "local", store });

      expect(factorsOf(await screener.check(withCard(1)))).not.toContain(LINKED);
      expect(factorsOf(await screener.check(withCard(1)))).not.toContain(LINKED);
      expect(factorsOf(await screener.check(withCard(2)))).toContain(LINKED);
    }
  });

  it("remembers orders that the service answered, and records none whose answer is stored", async () => {
    const { store: velocity, recorded } = createWatchedStore();
    const store = await openStore(velocity);
    const screener = await open({ service: await openService(), store });

    for (let time = 0; time < 3; time += 1) await screener.check(withCard(1));
    // The first order is recorded when the engine is loaded, after its check.
    await expect.poll(() => recorded).toHaveLength(1);

    const local = await open({ service: "local", store });
    expect(factorsOf(await local.check(withCard(2)))).toContain(LINKED);
  });

  it("replaces the service with what is known about other orders", async () => {
    const service = { url: "http://127.0.0.1:9", apiKey: SANDBOX_API_KEY };
    const screener = await open({ service, policy: { whenUnavailable: "local" } });

    await screener.check(withCard(1), { deadlineMs: 50 });
    const check = await screener.check(withCard(2), { deadlineMs: 50 });

    // Refused before the deadline, or after it.
    expect(["degraded", "pending"]).toContain(check.status);
    expect(factorsOf(check)).toContain(LINKED);
  });

  it("counts and stops orders with the same content and no id, each from another address", async () => {
    const { orderId: _, ...giftCard } = anOrder({ orderAmount: 50 });
    const store = await openStore();
    const screener = await open({ service: await openService(), store });

    const checks = [];
    for (let index = 1; index <= 35; index += 1) {
      checks.push(await screener.check({ ...giftCard, ipAddress: `198.51.100.${index}` }));
    }

    const paid = checks.reduce((sum, { creditsSpent }) => sum + creditsSpent, 0);
    expect(paid).toBe(1);
    const statuses = checks.map(({ status, action }) => `${status} ${action}`);
    expect(statuses.slice(1, 30)).toEqual(Array.from({ length: 29 }, () => "cached allow"));
    expect(statuses.slice(30)).toEqual(Array.from({ length: 5 }, () => "degraded hold"));
    expect(checks[30]?.reasons).toContain("degraded:BURST_BRAKED");
    expect(factorsOf(checks[30] ?? { result: null })).toContain("Orders in quick succession");
  });

  it("counts a check of an order with an id once, and one without an id once however often it is tried", async () => {
    let calls = 0;
    const { store: velocity, recorded } = createWatchedStore();
    const store = await openStore(velocity);
    const countAtSources = vi.spyOn(store.ledger, "countAtSources");
    const { url } = await startServer((response) => {
      calls += 1;
      if (calls === 1) return sendJson(response, 500, { success: false, message: "Internal Server Error" });
      return sendJson(response, 200, { success: true, data: aResult() });
    });
    const screener = await open({ service: { url, apiKey: "key", organization: "acme" }, store });
    const { orderId: _, ...anonymous } = anOrder();

    expect(await screener.check(anonymous)).toMatchObject({ status: "verified", creditsSpent: 2 });
    for (const order of [anonymous, anOrder(), anOrder()]) await screener.check(order);

    expect(calls).toBe(3);
    expect(countAtSources).toHaveBeenCalledTimes(2);
    const readKinds = () => recorded.map(({ orderKey }) => orderKey.split(":")[0]);
    await expect.poll(readKinds).toEqual(["content", "content", "order"]);
  });

  it.each([
    ["fails", () => Promise.reject(DOWN)],
    ["hangs", () => new Promise<void>(() => {})],
  ])("decides without the store of other orders if it %s", async (_what, how) => {
    const store = await openStore(createWatchedStore(how).store);
    const [local, remote] = [
      await open({ service: "local", store }),
      await open({ service: await openService(), store }),
    ];

    const check = await local.check(withCard(1), { deadlineMs: 20 });
    expect(check).toMatchObject({ status: "degraded" });
    expect(await local.check(withCard(2))).toMatchObject({ status: "degraded" });
    expect(await remote.check(withCard(3))).toMatchObject({ status: "verified" });
  });
});

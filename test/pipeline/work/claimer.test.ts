import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HoldfastError } from "../../../src/base/errors.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import type { OrderClaim } from "../../../src/pipeline/tasks.ts";
import { createClaimer, createStrandedWork } from "../../../src/pipeline/work/claimer.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { OrderRecord, Store } from "../../../src/store/store.ts";
import { anOrder } from "../../support/orders.ts";
import { until } from "../../support/until.ts";
import { toTimelineEntry } from "../../../src/pipeline/timeline.ts";

let store: Store;
let nowMs: number;
let uptimeMs = 0;
const under: { order: OrderRecord; claim: OrderClaim; end: () => void }[] = [];

const receive = (tenant: string, orderId: string) =>
  store.orders.receive(
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
    toTimelineEntry(nowMs, { kind: "received" }, "", "platform"),
  );

const claimer = (concurrency: number, on: Store = store) =>
  createClaimer(
    {
      store: on,
      owner: "app:1",
      concurrency,
      leaseMs: 60_000,
      now: () => nowMs,
      uptimeMs: () => uptimeMs,
      logger: SILENT_LOGGER,
      handleDelivery: async () => {},
      handleOrder: (order, claim) => new Promise((end) => void under.push({ order, claim, end })),
    },
    () => {},
  );

beforeEach(async () => {
  store = await createTestStore();
  nowMs = 1_000_000;
  under.length = 0;
});

afterEach(async () => {
  for (const { end } of under) end();
  await store.close();
});

describe("createClaimer", () => {
  it("leaves places for others when one shop's orders never end", async () => {
    for (let index = 0; index < 9; index += 1) await receive("test:slow", `s${index}`);
    const claiming = claimer(6);
    await claiming.claim();
    await until(() => expect(under.length).toBe(4));

    await receive("test:other", "o1");
    await claiming.claim();

    await until(() => expect(under.map(({ order }) => order.orderId)).toContain("o1"));
    expect(under.filter(({ order }) => order.tenant === "test:slow")).toHaveLength(4);
  });

  it("leaves an order without a share unclaimed, until its shop has room again", async () => {
    for (let index = 0; index < 6; index += 1) await receive("test:slow", `s${index}`);
    const claiming = claimer(6);
    expect(await claiming.claim()).toBe(true);
    await until(() => expect(under.length).toBe(4));
    expect(claiming.isFull()).toBe(false);
    expect(claiming.isShareFull()).toBe(true);

    expect(await claiming.claim(), "an empty claim would be repeated at once").toBe(false);
    under.shift()?.end();
    await until(() => expect(claiming.isShareFull()).toBe(false));
    await claiming.claim();

    await until(() => expect(under.map(({ order }) => order.orderId)).toContain("s4"));
  });

  it("starts an undecided order at once while looks fill all of their places, and looks while orders do", async () => {
    const rest = async (orderId: string): Promise<void> => {
      await receive("test:shop", orderId);
      await store.orders.claim({ owner: "rest", nowMs, leaseMs: 1, limit: 1 });
      const changes = { state: "settled", dueAtMs: nowMs } as const;
      await store.orders.save({ tenant: "test:shop", orderId }, "rest", { changes, release: true });
    };
    const started = () => under.map(({ order }) => order.orderId).toSorted();
    for (let index = 0; index < 9; index += 1) await rest(`look-${index}`);
    const claiming = claimer(6);
    await claiming.claim();
    await until(() => expect(started()).toEqual(["look-0", "look-1"]));
    expect(claiming.isShareFull()).toBe(true);

    for (let index = 0; index < 9; index += 1) await receive("test:shop", `new-${index}`);
    await claiming.claim();
    await until(() => expect(started()).toEqual(["look-0", "look-1", "new-0", "new-1", "new-2", "new-3"]));

    under.find(({ order }) => order.orderId === "look-0")?.end();
    await until(async () => {
      await claiming.claim();
      expect(started()).toContain("look-2");
    });
    expect(started()).not.toContain("new-4");
  });

  it("releases work that ended during an outage of the store, once the store responds again", async () => {
    await receive("test:shop", "1");
    let isAway = true;
    const away = () => Promise.reject(new HoldfastError("STORE_UNAVAILABLE", "away", { retryable: true }));
    const claiming = createClaimer(
      {
        store,
        owner: "app:1",
        concurrency: 6,
        leaseMs: 60_000,
        now: () => nowMs,
        logger: SILENT_LOGGER,
        handleDelivery: async () => {},
        handleOrder: (order, claim) =>
          isAway ? away() : new Promise((end) => void under.push({ order, claim, end })),
      },
      () => {},
    );
    await claiming.claim();
    await claiming.settle();

    isAway = false;
    await claiming.claim();
    expect(under).toEqual([]);
    nowMs += 1_000;
    await claiming.claim();

    expect(under.map(({ order }) => order.orderId)).toEqual(["1"]);
  });

  it("stops claimed work when the store reports lost leases, but not work that it claims later", async () => {
    const lost = new Set<() => void>();
    const onLeasesLost = (listener: () => void) => {
      lost.add(listener);
      return () => void lost.delete(listener);
    };
    const claiming = claimer(6, { ...store, onLeasesLost });
    claiming.start();
    await receive("test:shop", "1");
    await claiming.claim();
    await until(() => expect(under.length).toBe(1));

    for (const tell of lost) tell();
    await receive("test:shop", "2");
    await claiming.claim();
    await until(() => expect(under.length).toBe(2));

    expect(under.map(({ claim }) => claim.signal.aborted)).toEqual([true, false]);
    claiming.stopWork();
  });

  it("lets nothing more happen under a lease that ran out while the process was frozen", async () => {
    await receive("test:shop", "1");
    const claiming = claimer(6);
    await claiming.claim();
    await until(() => expect(under.length).toBe(1));
    const claim = under[0]?.claim;

    claim?.assertHeld();
    // No timer has run yet: the answers that waited for a process come before its timers.
    uptimeMs += 60_000;
    expect(claim?.signal.aborted).toBe(false);
    expect(() => claim?.assertHeld()).toThrow("the lease ran out");
    expect(claim?.signal.aborted).toBe(true);
  });

  it("keeps a process from conflicting with itself when it claims again what it lost", async () => {
    await receive("test:shop", "1");
    const claiming = claimer(6);
    await claiming.claim();
    nowMs += 61_000;
    await claiming.claim();
    await until(() => expect(under.length).toBe(2));
    const [first, second] = under;
    const key = { tenant: "test:shop", orderId: "1" };
    const transition = { changes: { state: "settled" }, release: false } as const;

    expect(await store.orders.save(key, first?.claim.owner ?? "", transition)).toBe(false);
    expect(await store.orders.save(key, second?.claim.owner ?? "", transition)).toBe(true);
  });
});

const away = (retryable: boolean) => new HoldfastError("STORE_UNAVAILABLE", "away", { retryable });

describe("createStrandedWork", () => {
  it("releases each lease once, and keeps those that it couldn't release", async () => {
    const stranded = createStrandedWork();
    const given: string[] = [];
    let isAway = true;
    const fail = (release: () => Promise<unknown>) =>
      expect(stranded.during(() => Promise.reject(away(true)), release)).rejects.toThrow("away");
    await fail(async () => given.push("first"));
    await fail(async () => {
      if (isAway) throw away(true);
      given.push("second");
    });

    await expect(stranded.giveBack()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    isAway = false;
    await stranded.giveBack();
    await stranded.giveBack();

    expect(given).toEqual(["first", "second"]);
  });

  it("doesn't touch work that ends well", async () => {
    const stranded = createStrandedWork();
    const given: string[] = [];

    await stranded.during(
      async () => {},
      async () => given.push("it"),
    );
    await stranded.giveBack();

    expect(given).toEqual([]);
  });

  it.each([
    ["another error, which would only come again", new TypeError("a defect")],
    ["a store that fails for good", away(false)],
  ])("lets the lease run out after %s", async (_name, error) => {
    const stranded = createStrandedWork();
    const given: string[] = [];

    const failed = stranded.during(
      () => Promise.reject(error),
      async () => given.push("it"),
    );
    await expect(failed).rejects.toBe(error);
    await stranded.giveBack();

    expect(given).toEqual([]);
  });
});

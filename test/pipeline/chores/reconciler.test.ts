import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toAlertEvent } from "../../../src/alerts/alert-event.ts";
import { HoldfastError } from "../../../src/base/errors.ts";
import type { Logger } from "../../../src/base/logger.ts";
import type { OrderWindow, PlatformOrder } from "../../../src/platform/platform.ts";
import { createReconciler } from "../../../src/pipeline/chores/reconciler.ts";
import type { KeepingTimes } from "../../../src/store/retention/keeping-times.ts";
import { SENDING_MS } from "../../../src/store/incidents/incidents.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { anOrder } from "../../support/orders.ts";
import { createTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { toTimelineEntry } from "../../../src/pipeline/timeline.ts";

const TENANT = "test:shop";
const START = Date.UTC(2026, 10, 20, 12);
const HOUR_MS = 3_600_000;

let store: Store;
let platform: TestPlatform;
let nowMs: number;
let alerts: unknown[];
/** What the store forgets once an alert is on its way. */
let kept: unknown[];
let woken: number;
const signal = new AbortController().signal;

const logger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error(fields) {
    alerts.push(fields["alert"]);
    kept.push(toAlertEvent(fields)?.kept);
  },
};

const aPlatformOrder = (orderId: string): PlatformOrder => ({
  orderId,
  name: `#${orderId}`,
  customerId: undefined,
  amount: 59.9,
  currency: "USD",
  mapped: { outcome: "screenable", request: anOrder({ orderId }), test: false },
});

const reconciler = (owner = "app:1", keep?: KeepingTimes) =>
  createReconciler({
    keep,
    store,
    platforms: [platform],
    owner,
    now: () => nowMs,
    logger,
    onFound: () => void (woken += 1),
  });

beforeEach(async () => {
  store = await createTestStore();
  platform = createTestPlatform();
  nowMs = START;
  alerts = [];
  kept = [];
  woken = 0;
  await store.tenants.saveCredential(TENANT, "test", "secret", "installed", START - 24 * HOUR_MS);
});

afterEach(() => store.close());

describe("createReconciler", () => {
  it("stores orders whose webhook never arrived, once, from every page", async () => {
    const pages = [
      { orders: [aPlatformOrder("1"), aPlatformOrder("2")], nextCursor: "next" },
      { orders: [aPlatformOrder("3")], nextCursor: null },
    ];
    platform.recentOrders = async (_tenant, { cursor }) => pages[cursor === undefined ? 0 : 1] as never;
    await store.orders.receive(
      { tenant: TENANT, platform: "test", receivedAtMs: START, ...aPlatformOrder("2") },
      toTimelineEntry(START, { kind: "received" }, "", "platform"),
    );
    const looking = reconciler();

    expect(await looking.run(signal)).toBe(2);
    expect(await looking.run(signal)).toBe(0);

    expect(await store.orders.get({ tenant: TENANT, orderId: "3" })).toMatchObject({ state: "received" });
    const timeline = await store.orders.listTimeline({ tenant: TENANT, orderId: "2" });
    expect(timeline.map(({ kind }) => kind)).toEqual(["received"]);
    expect({ alerts, woken }).toEqual({ alerts: ["webhooks_missed"], woken: 1 });
  });

  it("remembers when the orders last changed, so that earlier reports about them aren't news", async () => {
    const updatedAtMs = START - 3_000;
    platform.recentOrders = async () => ({
      orders: [{ ...aPlatformOrder("1"), updatedAtMs }],
      nextCursor: null,
    });

    await reconciler().run(signal);

    const order = await store.orders.get({ tenant: TENANT, orderId: "1" });
    expect(order).toMatchObject({ asOfMs: updatedAtMs });
  });

  it("gives webhooks time to arrive, overlaps its rounds, and never looks back before the installation", async () => {
    const windows: OrderWindow[] = [];
    platform.recentOrders = async (_tenant, window) => {
      windows.push(window);
      return { orders: [], nextCursor: null };
    };
    const looking = reconciler();
    await looking.run(signal);
    nowMs += 10 * 60_000;
    await looking.run(signal);
    await store.tenants.saveCredential(TENANT, "test", "secret", "installed", nowMs - 6 * 60_000);
    await looking.run(signal);

    const [first, second, third] = windows;
    expect(first?.untilMs).toBe(START - 5 * 60_000);
    expect(second?.sinceMs).toBeLessThan(first?.untilMs ?? 0);
    expect(third?.sinceMs).toBe(nowMs - 6 * 60_000);
  });

  it("starts again where a failed round started", async () => {
    const since: number[] = [];
    platform.recentOrders = async (_tenant, { sinceMs }) => {
      since.push(sinceMs);
      throw new HoldfastError("PLATFORM_UNAVAILABLE", "away", { retryable: true });
    };
    const looking = reconciler();

    await looking.run(signal);
    await looking.run(signal);

    expect(since[0]).toBe(since[1]);
  });

  it("looks at a shop in one process at a time", async () => {
    let looks = 0;
    platform.recentOrders = async () => {
      looks += 1;
      return { orders: [], nextCursor: null };
    };

    await Promise.all([reconciler("app:1").run(signal), reconciler("app:2").run(signal)]);

    expect(looks).toBe(1);
  });

  /** The windows of each look, on a platform without orders. */
  function recordWindows(): OrderWindow[] {
    const windows: OrderWindow[] = [];
    platform.recentOrders = async (_tenant, window) => {
      windows.push(window);
      return { orders: [], nextCursor: null };
    };
    return windows;
  }

  it("covers the whole gap after an outage, whichever process looks", async () => {
    await store.tenants.saveCredential(TENANT, "test", "secret", "installed", START - 30 * 24 * HOUR_MS);
    const windows = recordWindows();
    await reconciler("app:1").run(signal);
    const seenUntilMs = windows[0]?.untilMs ?? 0;

    nowMs += 48 * HOUR_MS;
    await reconciler("app:2").run(signal);
    nowMs += 10 * 60_000;
    await reconciler("app:3").run(signal);

    expect(windows[0]?.sinceMs).toBe(START - 2 * HOUR_MS - 15 * 60_000);
    expect(windows[1]).toMatchObject({
      sinceMs: seenUntilMs - 15 * 60_000,
      untilMs: START + 48 * HOUR_MS - 5 * 60_000,
    });
    expect(windows[2]?.sinceMs).toBe(START + 48 * HOUR_MS - 20 * 60_000);
  });

  it("looks back a week at most, and never past the retention period or the installation", async () => {
    await store.tenants.saveCredential(TENANT, "test", "secret", "installed", START - 30 * 24 * HOUR_MS);
    const windows = recordWindows();
    await store.cursors.save(TENANT, "reconciler", START - 20 * 24 * HOUR_MS);
    platform.recentOrders = async (_tenant, window) => {
      windows.push(window);
      throw new HoldfastError("PLATFORM_UNAVAILABLE", "away", { retryable: true });
    };

    await reconciler().run(signal);
    await reconciler("app:1", { contentDays: 1, ordersDays: 3 }).run(signal);
    await store.tenants.saveCredential(TENANT, "test", "secret", "installed", START - 24 * HOUR_MS);
    await reconciler().run(signal);

    expect(windows.map(({ sinceMs }) => (START - sinceMs) / (24 * HOUR_MS))).toEqual([7, 3, 1]);
  });

  it("looks back as far as allowed once a clock that was ahead for a round is right again", async () => {
    await store.tenants.saveCredential(TENANT, "test", "secret", "installed", START - 30 * 24 * HOUR_MS);
    const windows = recordWindows();
    await reconciler("app:1").run(signal);
    nowMs = START + 48 * HOUR_MS;
    await reconciler("app:1").run(signal);
    nowMs = START + HOUR_MS;

    await reconciler("app:2").run(signal);
    nowMs += 10 * 60_000;
    await reconciler("app:2").run(signal);

    expect(windows.slice(2)).toMatchObject([
      { sinceMs: START + HOUR_MS - 7 * 24 * HOUR_MS, untilMs: START + HOUR_MS - 5 * 60_000 },
      { sinceMs: START + HOUR_MS - 20 * 60_000, untilMs: START + HOUR_MS + 5 * 60_000 },
    ]);
  });

  it("isn't blocked by a lease that a clock far ahead left behind", async () => {
    const windows = recordWindows();
    nowMs = START + 48 * HOUR_MS;
    await reconciler("app:gone").run(signal);
    nowMs = START;

    await reconciler("app:2").run(signal);

    expect(windows).toHaveLength(2);
  });

  it.each<[string, (stopping: AbortController) => void]>([
    [
      "fails",
      () => {
        throw new HoldfastError("PLATFORM_UNAVAILABLE", "away", { retryable: true });
      },
    ],
    ["is where it is stopped", (stopping) => stopping.abort(new Error("stopping"))],
  ])("reports what it found, even if a later page %s", async (_, meanwhile) => {
    const stopping = new AbortController();
    platform.recentOrders = async (_tenant, { cursor, signal: stopped }) => {
      if (cursor === undefined) return { orders: [aPlatformOrder("1")], nextCursor: "next" };
      meanwhile(stopping);
      stopped?.throwIfAborted();
      return { orders: [], nextCursor: null };
    };

    await reconciler()
      .run(stopping.signal)
      .catch(() => undefined);

    expect(await store.orders.get({ tenant: TENANT, orderId: "1" })).toMatchObject({ state: "received" });
    expect({ alerts, woken }).toEqual({ alerts: ["webhooks_missed"], woken: 1 });
    expect(await store.cursors.load(TENANT, "reconciler")).toBeNull();
  });

  it("leaves what it found to other processes if it is killed before it reports that", async () => {
    const killed = Promise.withResolvers<never>();
    const reached = Promise.withResolvers<void>();
    platform.recentOrders = async (_tenant, { cursor }) => {
      if (cursor === undefined)
        return { orders: [aPlatformOrder("1"), aPlatformOrder("2")], nextCursor: "next" };
      reached.resolve();
      return killed.promise;
    };
    const round = reconciler().run(signal);
    await reached.promise;

    const [left] = await store.incidents.takeUnsent(nowMs + SENDING_MS);

    expect(alerts).toEqual([]);
    expect(JSON.parse(left?.unsent ?? "")).toMatchObject({ alert: "webhooks_missed", found: 2 });

    // If it lives, its own report is recognized as the same.
    killed.reject(new Error("away"));
    await round;
    expect(kept).toEqual([left]);
  });

  it("forgets its position together with the tenant", async () => {
    const windows = recordWindows();
    await reconciler().run(signal);
    await store.retention.eraseTenant(TENANT);
    nowMs += HOUR_MS;
    await store.tenants.saveCredential(TENANT, "test", "secret", "installed", nowMs - 10 * 60_000);

    await reconciler().run(signal);

    expect(windows[1]?.sinceMs).toBe(nowMs - 10 * 60_000);
  });

  it("counts an order from when it was placed, if that is within the window", async () => {
    const placed = (orderId: string, orderTimestamp?: string): PlatformOrder => {
      const { orderTimestamp: _, ...request } = anOrder({ orderId });
      const timed = orderTimestamp === undefined ? request : { ...request, orderTimestamp };
      return { ...aPlatformOrder(orderId), mapped: { outcome: "screenable", request: timed, test: false } };
    };
    const at = (ms: number) => new Date(ms).toISOString();
    platform.recentOrders = async () => ({
      orders: [
        placed("late", at(START - HOUR_MS)),
        placed("from-the-future", at(START + 1)),
        placed("before-the-window", at(START - 3 * HOUR_MS)),
        placed("silent"),
      ],
      nextCursor: null,
    });

    expect(await reconciler().run(signal)).toBe(4);

    const { orders } = await store.orders.list(TENANT, { limit: 10 });
    const received = Object.fromEntries(orders.map(({ orderId, receivedAtMs }) => [orderId, receivedAtMs]));
    expect(received).toEqual({
      late: START - HOUR_MS,
      "from-the-future": START,
      "before-the-window": START,
      silent: START,
    });
    const [found] = await store.orders.listTimeline({ tenant: TENANT, orderId: "late" });
    expect(found).toMatchObject({ kind: "found", atMs: START });
    const due = await store.orders.claim({ owner: "p1", nowMs: START, leaseMs: 1_000, limit: 10 });
    expect(due).toHaveLength(4);
  });

  it("stops at a shop that another process took over, and doesn't move its cursor", async () => {
    let pages = 0;
    platform.recentOrders = async () => {
      pages += 1;
      nowMs += HOUR_MS;
      await store.leases.acquire(`reconcile:${TENANT}`, "app:2", nowMs, nowMs + HOUR_MS);
      return { orders: [], nextCursor: "next" };
    };

    await reconciler("app:1").run(signal);

    expect(pages).toBe(1);
    expect(await store.cursors.load(TENANT, "reconciler")).toBeNull();
  });
});

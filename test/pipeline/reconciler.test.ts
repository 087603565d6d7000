import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/errors.ts";
import type { Logger } from "../../src/logger.ts";
import type { OrderWindow, PlatformOrder } from "../../src/pipeline/platform.ts";
import { createReconciler } from "../../src/pipeline/reconciler.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import type { Store } from "../../src/store/store.ts";
import { anOrder } from "../support/orders.ts";
import { createTestPlatform, type TestPlatform } from "../support/platform.ts";

const TENANT = "test:shop";
const START = Date.UTC(2026, 10, 20, 12);
const HOUR_MS = 3_600_000;

let store: Store;
let platform: TestPlatform;
let nowMs: number;
let alerts: unknown[];
let woken: number;
const signal = new AbortController().signal;

const logger: Logger = { debug() {}, info() {}, warn() {}, error: ({ alert }) => void alerts.push(alert) };

const aPlatformOrder = (orderId: string): PlatformOrder => ({
  orderId,
  name: `#${orderId}`,
  customerId: undefined,
  amount: 59.9,
  currency: "USD",
  mapped: { outcome: "screenable", request: anOrder({ orderId }), test: false },
});

const reconciler = (owner = "app:1") =>
  createReconciler({
    store,
    platforms: [platform],
    owner,
    now: () => nowMs,
    logger,
    onFound: () => void (woken += 1),
  });

beforeEach(async () => {
  store = await createMemoryStore();
  platform = createTestPlatform();
  nowMs = START;
  alerts = [];
  woken = 0;
  await store.saveCredential(TENANT, "test", "secret", "installed", START - 24 * HOUR_MS);
});

afterEach(() => store.close());

describe("createReconciler", () => {
  it("takes in orders that no webhook told of, once, from every page", async () => {
    const pages = [
      { orders: [aPlatformOrder("1"), aPlatformOrder("2")], nextCursor: "next" },
      { orders: [aPlatformOrder("3")], nextCursor: null },
    ];
    platform.recentOrders = async (_tenant, { cursor }) => pages[cursor === undefined ? 0 : 1] as never;
    await store.receiveOrder(
      { tenant: TENANT, platform: "test", receivedAtMs: START, ...aPlatformOrder("2") },
      { atMs: START, kind: "received", detail: "", actor: "platform" },
    );
    const looking = reconciler();

    expect(await looking.run(signal)).toBe(2);
    expect(await looking.run(signal)).toBe(0);

    expect(await store.getOrder({ tenant: TENANT, orderId: "3" })).toMatchObject({ state: "received" });
    const timeline = await store.listTimeline({ tenant: TENANT, orderId: "2" });
    expect(timeline.map(({ kind }) => kind)).toEqual(["received"]);
    expect({ alerts, woken }).toEqual({ alerts: ["webhooks_missed"], woken: 1 });
  });

  it("leaves webhooks time to come, overlaps its rounds, and never looks back before the installation", async () => {
    const windows: OrderWindow[] = [];
    platform.recentOrders = async (_tenant, window) => {
      windows.push(window);
      return { orders: [], nextCursor: null };
    };
    const looking = reconciler();
    await looking.run(signal);
    nowMs += 10 * 60_000;
    await looking.run(signal);
    await store.saveCredential(TENANT, "test", "secret", "installed", nowMs - 6 * 60_000);
    await looking.run(signal);

    const [first, second, third] = windows;
    expect(first?.untilMs).toBe(START - 5 * 60_000);
    expect(second?.sinceMs).toBeLessThan(first?.untilMs ?? 0);
    expect(third?.sinceMs).toBe(nowMs - 6 * 60_000);
  });

  it("begins again where a failed round began", async () => {
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
});

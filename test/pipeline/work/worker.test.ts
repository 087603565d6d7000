import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Logger, SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createClockWatch, createStoreOutage, createWorker } from "../../../src/pipeline/work/worker.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { createLogRecorder } from "../../support/log-recorder.ts";

const HOUR_MS = 3_600_000;

let store: Store;
let claims: number;

beforeEach(async () => {
  store = await createTestStore();
  claims = 0;
  vi.useFakeTimers();
});

afterEach(async () => {
  vi.useRealTimers();
  await store.close();
});

/** A worker that finds nothing to claim, although something is due at `dueAtMs`. */
function createIdleWorker(
  dueAtMs: () => number | null,
  claimOrders: Store["orders"]["claim"] = () => Promise.resolve([]),
  logger: Logger = SILENT_LOGGER,
) {
  return createWorker({
    store: {
      ...store,
      deliveries: { ...store.deliveries, claim: () => ((claims += 1), Promise.resolve([])) },
      orders: { ...store.orders, claim: claimOrders, nextDueAtMs: () => Promise.resolve(dueAtMs()) },
    },
    owner: "app:1",
    concurrency: 6,
    leaseMs: 60_000,
    now: () => Date.now(),
    logger,
    handleDelivery: async () => {},
    handleOrder: async () => {},
  });
}

describe("createWorker", () => {
  it("doesn't ask constantly for work that others hold, if its clock is ahead of the database's", async () => {
    const worker = createIdleWorker(() => Date.now() - HOUR_MS);
    worker.start();

    await vi.advanceTimersByTimeAsync(1_000);
    await worker.stop(0);

    expect(claims).toBeGreaterThan(5);
    expect(claims).toBeLessThan(15);
  });

  it("claims at the moment when something falls due", async () => {
    const dueAtMs = Date.now() + 137;
    const worker = createIdleWorker(() => dueAtMs);
    worker.start();

    await vi.advanceTimersByTimeAsync(136);
    expect(claims).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(claims).toBe(2);
    await worker.stop(0);
  });

  it("stops at once, without complaint, when a claim fails because the store is being closed", async () => {
    const { promise: claiming, reject } = Promise.withResolvers<never>();
    const log = createLogRecorder();
    const worker = createIdleWorker(
      () => null,
      () => claiming,
      log.logger,
    );
    worker.start();

    const stopped = worker.stop(0);
    reject(new Error("the store is closed"));
    await stopped;

    expect(log.lines).toEqual([]);
  });
});

describe("createClockWatch", () => {
  it.each([
    [0, { kind: "steady" }],
    [19_999, { kind: "steady" }],
    [20_000, { kind: "forward", byMs: 20_000 }],
    [-1_999, { kind: "steady" }],
    [-2_000, { kind: "back", byMs: 2_000 }],
    [-3_600_000, { kind: "back", byMs: 3_600_000 }],
  ])("recognizes a step of %i ms, once", (stepMs, expected) => {
    let nowMs = 5_000_000;
    const look = createClockWatch(() => nowMs, 20_000);
    nowMs += stepMs;

    expect(look()).toEqual(expected);
    expect(look()).toEqual({ kind: "steady" });
  });
});

describe("createStoreOutage", () => {
  it("alerts once per outage, asks less and less often, and reports its end", () => {
    const { lines, logger } = createLogRecorder();
    let nowMs = 1_000;
    const outage = createStoreOutage(logger, () => nowMs);
    outage.over();

    const waits = Array.from({ length: 7 }, () => outage.failed(new Error("away")));
    nowMs += 9_000;
    outage.over();
    outage.over();
    const again = outage.failed(new Error("away again"));
    outage.failed(new Error("still away"));

    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
    expect(again).toBe(250);
    expect(lines.filter(({ alert }) => alert === "store_unavailable")).toHaveLength(2);
    expect(lines.filter(({ resolved }) => resolved !== undefined)).toEqual([
      expect.objectContaining({ level: "info", resolved: "store_unavailable", outageMs: 9_000 }),
    ]);
  });

  it("doesn't alert about connections that were ended, each followed by one that works", () => {
    const { lines, logger } = createLogRecorder();
    const outage = createStoreOutage(logger, () => 1_000);

    for (let times = 0; times < 3; times += 1) {
      expect(outage.failed(new Error("ended"))).toBe(250);
      outage.over();
    }

    expect(lines.map(({ level }) => level)).toEqual(["warn", "warn", "warn"]);
    expect(lines.flatMap(({ alert, resolved }) => [alert, resolved].filter(Boolean))).toEqual([]);
  });
});

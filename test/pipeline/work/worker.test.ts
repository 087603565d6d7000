import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createWorker } from "../../../src/pipeline/work/worker.ts";
import { createMemoryStore } from "../../../src/store/engines/memory-store.ts";
import type { Store } from "../../../src/store/store.ts";

const HOUR_MS = 3_600_000;

let store: Store;
let claims: number;

beforeEach(async () => {
  store = await createMemoryStore();
  claims = 0;
  vi.useFakeTimers();
});

afterEach(async () => {
  vi.useRealTimers();
  await store.close();
});

/** A worker that finds nothing to claim, although something is due at `dueAtMs`. */
function createIdleWorker(dueAtMs: () => number | null) {
  const findNothing = () => Promise.resolve([]);
  return createWorker({
    store: {
      ...store,
      claimDeliveries: () => ((claims += 1), findNothing()),
      claimOrders: findNothing,
      nextDueAtMs: () => Promise.resolve(dueAtMs()),
    },
    owner: "app:1",
    concurrency: 6,
    leaseMs: 60_000,
    now: () => Date.now(),
    logger: SILENT_LOGGER,
    handleDelivery: async () => {},
    handleOrder: async () => {},
  });
}

describe("createWorker", () => {
  it("does not ask all the time for what others hold, when its clock is ahead of the database's", async () => {
    const worker = createIdleWorker(() => Date.now() - HOUR_MS);
    worker.start();

    await vi.advanceTimersByTimeAsync(1_000);
    await worker.stop(0);

    expect(claims).toBeGreaterThan(5);
    expect(claims).toBeLessThan(15);
  });

  it("claims at the moment at which something falls due", async () => {
    const dueAtMs = Date.now() + 137;
    const worker = createIdleWorker(() => dueAtMs);
    worker.start();

    await vi.advanceTimersByTimeAsync(136);
    expect(claims).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(claims).toBe(2);
    await worker.stop(0);
  });
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HoldfastError } from "../../../src/base/errors.ts";
import { createOutcomeWatch } from "../../../src/pipeline/chores/outcome-watch.ts";
import type { ObservedOrder } from "../../../src/platform/platform.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { createLogRecorder } from "../../support/log-recorder.ts";
import { createTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { claim, decision, entry, order } from "../../store/samples.ts";

const TENANT = "test:shop";
const START = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 86_400_000;
const signal = new AbortController().signal;

const OBSERVED: ObservedOrder = {
  cancelled: false,
  fulfilled: false,
  partlyFulfilled: true,
  holdable: false,
  tags: [],
  holds: [],
  assessment: null,
  platformRisk: "investigate",
};

let store: Store;
let platform: TestPlatform;
let nowMs: number;
let asked: string[];
let log: ReturnType<typeof createLogRecorder>;

beforeEach(async () => {
  store = await createTestStore();
  platform = createTestPlatform();
  nowMs = START;
  asked = [];
  log = createLogRecorder();
  answer(() => OBSERVED);
  await store.tenants.saveCredential(TENANT, "test", "secret", "installed", START);
});
afterEach(() => store.close());

function answer(toAnswer: (orderId: string) => ObservedOrder | null): void {
  platform.onObserve = async (_tenant, orderId) => {
    asked.push(orderId);
    return toAnswer(orderId);
  };
}

async function keep(orderId: string, action: "hold" | "tag" = "hold", receivedAtMs = START): Promise<void> {
  await store.orders.receive(
    order(orderId, { tenant: TENANT, platform: "test", receivedAtMs }),
    entry("received"),
  );
  await store.orders.claim(claim("p1", { nowMs: START, limit: 1_000 }));
  const changes = { state: "settled", dueAtMs: null, decision: decision({ action }) } as const;
  await store.orders.save({ tenant: TENANT, orderId }, "p1", { changes, release: true });
}

const watch = (owner = "app:1") =>
  createOutcomeWatch({ store, platforms: [platform], owner, now: () => nowMs, logger: log.logger });

async function observedOf(orderId: string) {
  return (await store.outcomes.loadTraces(TENANT, [orderId])).get(orderId)?.observed ?? null;
}

describe("createOutcomeWatch", () => {
  it("looks at orders that would have been held after a day, and again after two weeks", async () => {
    await keep("1");
    await keep("tagged", "tag");
    const watching = watch();

    nowMs = START + DAY_MS - 1;
    expect(await watching.run(signal)).toBe(0);
    nowMs = START + DAY_MS;
    expect(await watching.run(signal)).toBe(1);
    nowMs += 600_000;
    expect(await watching.run(signal)).toBe(0);
    expect(await observedOf("1")).toEqual({
      observedAtMs: START + DAY_MS,
      known: true,
      cancelled: false,
      shipped: true,
      platformRisk: "investigate",
    });

    answer(() => ({ ...OBSERVED, cancelled: true }));
    nowMs = START + 14 * DAY_MS;
    expect(await watching.run(signal)).toBe(1);
    nowMs += 600_000;
    expect(await watching.run(signal)).toBe(0);
    expect(await observedOf("1")).toMatchObject({ cancelled: true, observedAtMs: START + 14 * DAY_MS });
    expect(asked).toEqual(["1", "1"]);
  });

  it("takes a few at a time, oldest first, even with equal times, and skips none", async () => {
    const ids = Array.from({ length: 25 }, (_, index) => `o${String(index).padStart(2, "0")}`);
    for (const id of ids) await keep(id);
    nowMs = START + DAY_MS;

    const watching = watch();
    const looked = [];
    for (let round = 0; round < 4; round += 1) looked.push(await watching.run(signal));

    expect(looked).toEqual([10, 10, 5, 0]);
    expect(asked).toEqual(ids);
  });

  it("stops at an error, waits as long as the platform asks, and continues where it stopped", async () => {
    for (const id of ["1", "2", "3"]) await keep(id);
    nowMs = START + DAY_MS;
    const retryAtMs = nowMs + 3_600_000;
    answer((orderId) => {
      if (orderId === "2")
        throw new HoldfastError("PLATFORM_THROTTLED", "wait", { retryable: true, retryAtMs });
      return OBSERVED;
    });
    const watching = watch();
    await watching.run(signal);
    expect(asked).toEqual(["1", "2"]);

    nowMs = retryAtMs - 1;
    expect(await watching.run(signal)).toBe(0);
    expect(asked).toHaveLength(2);
    answer(() => OBSERVED);
    nowMs = retryAtMs;
    expect(await watching.run(signal)).toBe(2);
    expect(asked).toEqual(["1", "2", "2", "3"]);
  });

  it("doesn't wait for the end of a pause that began before the clock was set back", async () => {
    await keep("1", "hold", START - 5 * DAY_MS);
    const retryAtMs = START + 3_600_000;
    answer(() => {
      throw new HoldfastError("PLATFORM_THROTTLED", "wait", { retryable: true, retryAtMs });
    });
    const watching = watch();
    nowMs = START;
    await watching.run(signal);
    answer(() => OBSERVED);

    nowMs = START - DAY_MS;
    expect(await watching.run(signal)).toBe(1);
  });

  it("skips an order that the platform doesn't find or show", async () => {
    await keep("lost");
    await keep("refused");
    await keep("well");
    nowMs = START + DAY_MS;
    answer((orderId) => {
      if (orderId === "refused") throw new HoldfastError("PLATFORM_REFUSED", "no", { retryable: false });
      return orderId === "lost" ? null : OBSERVED;
    });

    expect(await watch().run(signal)).toBe(3);
    expect(await observedOf("lost")).toMatchObject({ known: false, platformRisk: null });
    expect(await observedOf("refused")).toMatchObject({ known: false });
    expect(await observedOf("well")).toMatchObject({ known: true });
  });

  it("reports nothing about a shop that lost access, which has its own alert, and looks at the others", async () => {
    await store.tenants.saveCredential("test:other", "test", "secret", "installed", START);
    await keep("1");
    nowMs = START + DAY_MS;
    answer(() => {
      throw new HoldfastError("PLATFORM_UNAUTHORIZED", "gone", { retryable: false });
    });

    expect(await watch().run(signal)).toBe(0);
    expect(log.lines).toEqual([]);
  });

  it("skips a shop that another process is looking at", async () => {
    await keep("1");
    nowMs = START + DAY_MS;
    await store.leases.acquire(`outcomes:${TENANT}`, "app:2", nowMs, nowMs + 60_000);

    expect(await watch().run(signal)).toBe(0);
    expect(await watch("app:2").run(signal)).toBe(1);
  });

  it("continues after a clock that was ahead", async () => {
    await store.cursors.save(TENANT, "outcomes-1d", START + 100 * DAY_MS);
    await keep("1");
    nowMs = START + DAY_MS;
    const watching = watch();
    await watching.run(signal);
    await keep("2", "hold", START + 1);
    nowMs += 600_000;

    expect(await watching.run(signal)).toBe(1);
  });
});

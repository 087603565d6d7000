import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { shownHeld } from "../support/shown.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import type { Pipeline } from "../../src/pipeline/pipeline.ts";
import { createTestStore } from "../support/test-store.ts";
import type { OrderState, Store } from "../../src/store/store.ts";
import type { MappedOrder } from "../../src/platform/platform.ts";
import type { RiskLevel } from "../../src/order/risk-level.ts";
import { aResult, anOrder } from "../support/orders.ts";
import { untilOrder } from "../support/pipeline-waits.ts";
import { createRunningClock } from "../support/running-clock.ts";
import { startPipeline } from "../support/test-pipeline.ts";
import { createTestPlatform, orderEvent, type TestPlatform } from "../support/platform.ts";
import { createScriptedVerifier } from "../support/verifier.ts";

const KEY = { tenant: "test:shop", orderId: "1" };
const SHIPPED = shownHeld({ fulfilled: true, tags: [], holds: [] });

let store: Store;
let platform: TestPlatform;
let pipeline: Pipeline;
let level: RiskLevel;
let aheadMs: number;
/**
 * What had been alerted when the order was decided, and when it came to rest in each state. A process that is killed then sends nothing more.
 */
let alertedAt: Map<OrderState, readonly unknown[]>;

const clock = createRunningClock();
const now = () => clock() + aheadMs;

beforeEach(async () => {
  store = await createTestStore();
  await store.tenants.saveCredential(KEY.tenant, "test", "secret", "installed", 0);
  platform = createTestPlatform();
  aheadMs = 0;
  alertedAt = new Map();
  const alerts: unknown[] = [];
  const watched: Store = {
    ...store,
    orders: {
      ...store.orders,
      async save(order, owner, transition) {
        const { state } = transition.changes;
        if (state === "decided" || (transition.release && state !== undefined))
          alertedAt.set(state, [...alerts]);
        return store.orders.save(order, owner, transition);
      },
    },
  };
  const verifier = createScriptedVerifier(() => ({ result: aResult(level) }));
  pipeline = startPipeline({
    store: watched,
    platform,
    accessOf: () => ({ verifier, keyId: "key" }),
    logger: { ...SILENT_LOGGER, error: ({ alert }) => void alerts.push(alert) },
    now,
  });
});
afterEach(async () => {
  await pipeline.stop(100);
  await store.close();
});

async function deliver(
  mapped: MappedOrder = { outcome: "screenable", request: anOrder({ orderId: "1" }), test: false },
): Promise<void> {
  const body = orderEvent({ orderId: "1", mapped });
  const delivery = { tenant: KEY.tenant, deliveryId: "d", platform: "test", topic: "orders/create" };
  await pipeline.intake.accept({ ...delivery, receivedAtMs: now(), body });
}
const untilState = (wanted: OrderState) =>
  untilOrder({ store, pipeline }, KEY, ({ state }) => state === wanted);

describe("an alert about an order is logged before the order is saved", () => {
  it("when personal data is withheld", async () => {
    await deliver({ outcome: "unscreenable", reason: "PERSONAL_DATA_NOT_GRANTED", known: {}, test: false });
    await untilOrder({ store, pipeline }, KEY, ({ decision }) => decision !== null);

    expect(alertedAt.get("decided")).toEqual(["personal_data_not_granted"]);
  });

  it("when a held order shipped", async () => {
    level = "high";
    await deliver();
    await untilState("review");
    platform.onObserve = async () => SHIPPED;
    aheadMs += 11 * 60_000;
    await untilState("settled");

    expect(alertedAt.get("settled")).toEqual(["held_order_fulfilled"]);
  });

  it("when a step isn't possible", async () => {
    level = "high";
    platform.onEnforce = (step) =>
      step === "tag" ? { outcome: "impossible", reason: "order-not-found" } : undefined;
    await deliver();
    await untilState("review");

    expect(alertedAt.get("review")).toEqual(["enforcement_failed"]);
  });

  it("when it failed", async () => {
    level = "low";
    platform.onEnrich = () => Promise.reject(new TypeError("a defect"));
    await deliver();
    await untilState("failed");

    expect(alertedAt.get("failed")).toEqual(["defect", "order_failed"]);
  });
});

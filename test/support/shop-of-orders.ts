import { afterEach, beforeEach } from "vitest";
import type { Logger } from "../../src/base/logger.ts";
import type { RiskLevel } from "../../src/order/risk-level.ts";
import type { Pipeline } from "../../src/pipeline/pipeline.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import type { OrderRecord, Store } from "../../src/store/store.ts";
import { aResult, anOrder } from "./orders.ts";
import { untilOrder } from "./pipeline-waits.ts";
import { createTestPlatform, orderEvent, type TestPlatform } from "./platform.ts";
import { createRunningClock } from "./running-clock.ts";
import { startPipeline } from "./test-pipeline.ts";
import { createTestStore } from "./test-store.ts";
import { createScriptedVerifier, type ScriptedVerifier } from "./verifier.ts";

export const TENANT = "test:shop";
export const HOUR_MS = 3_600_000;

interface Shop {
  store: Store;
  platform: TestPlatform;
  verifier: ScriptedVerifier;
  /** The service's answer. */
  level: RiskLevel;
  aheadMs: number;
  /** The stopped clock's time, apart from `aheadMs`; null while it runs. */
  stoppedAtMs: number | null;
  alerts: string[];
  orders: number;
}

/** The shop of a test, and what the test sets. */
export let shop: Shop;
export let pipeline: Pipeline;

export const clock = createRunningClock();
export const now = () => (shop.stoppedAtMs ?? clock()) + shop.aheadMs;

const logger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error: ({ alert }) => void (typeof alert === "string" && shop.alerts.push(alert)),
};

export async function deliver(amount = 59.9): Promise<string> {
  const orderId = String((shop.orders += 1));
  const mapped = {
    outcome: "screenable",
    // Each has a different buyer, so that the orders aren't a burst.
    request: anOrder({ orderId, orderAmount: amount, customerEmail: `customer${orderId}@example.com` }),
    test: false,
  } as const;
  await pipeline.intake.accept({
    tenant: TENANT,
    deliveryId: `d-${orderId}`,
    platform: "test",
    topic: "orders/create",
    receivedAtMs: now(),
    body: orderEvent({ orderId, mapped, amount }),
  });
  return orderId;
}

export const until = (orderId: string, condition: (order: OrderRecord) => boolean) =>
  untilOrder({ store: shop.store, pipeline }, { tenant: TENANT, orderId }, condition);

export const savePolicy = (document: unknown) =>
  shop.store.policies.save(TENANT, parsePolicy(document), undefined, now());
export const steps = () => shop.platform.enforced.map(({ step }) => step);
export const kinds = async (orderId: string) =>
  (await shop.store.orders.listTimeline({ tenant: TENANT, orderId })).map(({ kind }) => kind);

/** Run each test of a file in a shop of its own, which can have several orders. */
export function openShopOfOrdersForEach(): void {
  beforeEach(async () => {
    const store = await createTestStore();
    // Orders of a shop that never installed the app wait, so every test here would hang.
    await store.tenants.saveCredential(TENANT, "test", "secret", "installed", 0);
    const platform = createTestPlatform();
    const verifier = createScriptedVerifier(() => ({ result: aResult(shop.level) }));
    shop = { store, platform, verifier, level: "low", aheadMs: 0, stoppedAtMs: null, alerts: [], orders: 0 };
    const accessOf = () => ({ verifier: shop.verifier, keyId: "key" });
    pipeline = startPipeline({ store, platform, accessOf, logger, now });
  });

  afterEach(async () => {
    await pipeline.stop(100);
    await shop.store.close();
  });
}

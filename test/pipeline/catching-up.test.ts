import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import type { Logger } from "../../src/base/logger.ts";
import type { Pipeline } from "../../src/pipeline/pipeline.ts";
import type { ObservedOrder } from "../../src/platform/platform.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import { createTestStore } from "../support/test-store.ts";
import type { OrderRecord, Store } from "../../src/store/store.ts";
import type { RiskLevel } from "../../src/order/risk-level.ts";
import { aResult, anOrder } from "../support/orders.ts";
import { untilOrder } from "../support/pipeline-waits.ts";
import { until as waitFor } from "../support/until.ts";
import { createRunningClock } from "../support/running-clock.ts";
import { startPipeline } from "../support/test-pipeline.ts";
import { createTestPlatform, orderEvent, type TestPlatform } from "../support/platform.ts";
import { createScriptedVerifier, type ScriptedVerifier } from "../support/verifier.ts";

const TENANT = "test:shop";

let store: Store;
let platform: TestPlatform;
let verifier: ScriptedVerifier;
let level: RiskLevel;
let aheadMs: number;
/** The stopped clock's time, apart from `aheadMs`; null while it runs. */
let stoppedAtMs: number | null;
let alerts: string[];
let pipeline: Pipeline;
let orders: number;

const clock = createRunningClock();
const now = () => (stoppedAtMs ?? clock()) + aheadMs;

const logger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error: ({ alert }) => void (typeof alert === "string" && alerts.push(alert)),
};

const accessOf = () => ({ verifier, keyId: "key" });
const start = (): Pipeline => startPipeline({ store, platform, accessOf, logger, now });

async function deliver(amount = 59.9): Promise<string> {
  const orderId = String((orders += 1));
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

const until = (orderId: string, condition: (order: OrderRecord) => boolean) =>
  untilOrder({ store, pipeline }, { tenant: TENANT, orderId }, condition);

const savePolicy = (document: unknown) =>
  store.policies.save(TENANT, parsePolicy(document), undefined, now());
const steps = () => platform.enforced.map(({ step }) => step);
const kinds = async (orderId: string) =>
  (await store.orders.listTimeline({ tenant: TENANT, orderId })).map(({ kind }) => kind);

function shown(changes: Partial<ObservedOrder> = {}): ObservedOrder {
  return {
    cancelled: false,
    fulfilled: false,
    partlyFulfilled: false,
    holdable: false,
    tags: ["holdfast-high"],
    holds: [{ holdId: "h", reference: "f" }],
    assessment: "HIGH",
    platformRisk: null,
    ...changes,
  };
}

beforeEach(async () => {
  store = await createTestStore();
  // Orders of a shop that never installed the app wait, so every test here would hang.
  await store.tenants.saveCredential(TENANT, "test", "secret", "installed", 0);
  platform = createTestPlatform();
  level = "low";
  aheadMs = 0;
  stoppedAtMs = null;
  alerts = [];
  orders = 0;
  verifier = createScriptedVerifier(() => ({ result: aResult(level) }));
  pipeline = start();
});

afterEach(async () => {
  await pipeline.stop(100);
  await store.close();
});

describe("an order that was decided without the service", () => {
  it("is checked once the service is back, and loses what the answer doesn't support", async () => {
    await savePolicy({ whenUnavailable: "hold" });
    let up = false;
    verifier = createScriptedVerifier(() => {
      if (up) return { result: aResult("low") };
      throw new HoldfastError("VERIFICATION_NO_CREDITS", "no credits", { retryable: true, metered: "no" });
    });
    platform.onObserve = async () => shown({ tags: [] });
    const orderId = await deliver();
    await until(orderId, ({ state }) => state === "review");
    up = true;
    aheadMs += 4 * 60_000;

    const order = await until(orderId, ({ decision }) => decision?.source === "service");
    await until(orderId, ({ state }) => state === "settled");

    expect(order.decision).toMatchObject({ action: "allow", degraded: false, supersedes: { held: true } });
    expect(steps()).toContain("release");
    expect(await kinds(orderId)).toContain("caught-up");
  });

  it("is tagged as not checked, and loses the tag once the service has answered", async () => {
    let up = false;
    verifier = createScriptedVerifier(() => {
      if (up) return { result: aResult("low") };
      throw new HoldfastError("VERIFICATION_NO_CREDITS", "no credits", { retryable: true, metered: "no" });
    });
    const orderId = await deliver();
    const unchecked = await until(orderId, ({ state }) => state === "settled");
    up = true;
    aheadMs += 4 * 60_000;
    const checked = await until(
      orderId,
      ({ state, decision }) => state === "settled" && decision?.source === "service",
    );

    expect(unchecked.decision).toMatchObject({
      action: "allow",
      riskLevel: null,
      unchecked: "VERIFICATION_NO_CREDITS",
      tags: ["holdfast-unchecked"],
    });
    expect(unchecked.result?.recommendations).not.toContain("Process the order as usual.");
    expect(checked.decision).toMatchObject({ riskLevel: "low", tags: [] });
    expect(checked.decision).not.toHaveProperty("unchecked");
    expect(steps()).toContain("untag");
    expect(checked.decision?.supersedes?.tags).toEqual(["holdfast-unchecked"]);
  });

  it("is checked right after the call that finds the service back, larger amounts first", async () => {
    let answering: Promise<void> | null = null;
    const asked: number[] = [];
    verifier = createScriptedVerifier(async (_call, { orderAmount }) => {
      if (answering === null) {
        throw new HoldfastError("VERIFICATION_NO_CREDITS", "no credits", { retryable: true, metered: "no" });
      }
      asked.push(orderAmount);
      await answering;
      return { result: aResult("low") };
    });
    const orders: { readonly amount: number; readonly orderId: string }[] = [];
    for (const amount of [1_000, 100, 900]) {
      const orderId = await deliver(amount);
      await until(orderId, ({ state }) => state === "settled");
      orders.push({ amount, orderId });
    }
    const dueOf = async ({ orderId }: { readonly orderId: string }) =>
      (await store.orders.get({ tenant: TENANT, orderId }))?.dueAtMs ?? 0;
    const dueAtFirst = new Map(
      await Promise.all(orders.map(async (order) => [order.orderId, await dueOf(order)] as const)),
    );
    let finish: () => void = () => undefined;
    answering = new Promise((resolve) => (finish = resolve));
    stoppedAtMs = clock();
    aheadMs += 4 * 60_000;
    // All are due. Whichever is asked about first, the others find its call under way, at the same moment.
    await waitFor(() => expect(asked).toHaveLength(1), { between: () => pipeline.wake() });
    const [first] = orders.filter(({ amount }) => amount === asked[0]) as [(typeof orders)[number]];
    const rest = orders.filter((order) => order !== first).toSorted((a, b) => b.amount - a.amount);
    const [large, small] = rest as [(typeof orders)[number], (typeof orders)[number]];
    for (const { orderId } of rest)
      await until(orderId, ({ dueAtMs }) => dueAtMs !== dueAtFirst.get(orderId));
    expect(asked).toEqual([first.amount]);
    finish();
    const isAnswered = ({ decision }: OrderRecord): boolean => decision?.source === "service";
    await until(first.orderId, isAnswered);
    // Within two seconds of the call that they found under way, the larger amount is due before the smaller one.
    aheadMs = (await dueOf(large)) - stoppedAtMs;
    await until(large.orderId, isAnswered);
    expect(asked).toEqual([first.amount, large.amount]);
    aheadMs += 2_000;
    await until(small.orderId, isAnswered);

    expect(asked).toEqual([first.amount, large.amount, small.amount]);
  });

  it("is watched like any held order while the service stays away", async () => {
    await savePolicy({ whenUnavailable: "hold" });
    verifier = createScriptedVerifier(() => {
      throw new HoldfastError("VERIFICATION_NO_CREDITS", "no credits", { retryable: true, metered: "no" });
    });
    const orderId = await deliver();
    await until(orderId, ({ state }) => state === "review");

    platform.onObserve = async () => shown({ tags: [] });
    aheadMs += 11 * 60_000;
    await waitFor(async () => expect(await kinds(orderId)).toContain("tag-repaired"));
  });

  it("keeps its decision while the service stays away", async () => {
    verifier = createScriptedVerifier(() => {
      throw new HoldfastError("VERIFICATION_NO_CREDITS", "no credits", { retryable: true, metered: "no" });
    });
    const orderId = await deliver();
    const first = await until(orderId, ({ state }) => state === "settled");
    aheadMs += 5 * 60_000;

    const later = await until(orderId, ({ dueAtMs }) => dueAtMs !== first.dueAtMs);

    expect(later).toMatchObject({ state: "settled", decision: first.decision, attempts: first.attempts + 1 });
    expect(later.dueAtMs).toBeGreaterThan(now());
  });
});

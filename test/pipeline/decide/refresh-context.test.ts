import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HELD } from "../../support/situations.ts";
import { toKnown, type MappedOrder } from "../../../src/platform/platform.ts";
import { toContentsJson } from "../../../src/server/api/orders/order-contents.ts";
import { HoldfastError } from "../../../src/base/errors.ts";
import type { Pipeline } from "../../../src/pipeline/pipeline.ts";
import type { OrderContext } from "../../../src/order/order-context.ts";
import type { RiskLevel } from "../../../src/order/risk-level.ts";
import { judgeReview } from "../../../src/pipeline/order-life/review.ts";
import { parsePolicy } from "../../../src/policy/policy.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { OrderRecord, Store } from "../../../src/store/store.ts";
import { aResult, anOrder } from "../../support/orders.ts";
import { untilHandled, untilOrder } from "../../support/pipeline-waits.ts";
import { createRunningClock } from "../../support/running-clock.ts";
import { startPipeline } from "../../support/test-pipeline.ts";
import { createTestPlatform, orderEvent, type TestPlatform } from "../../support/platform.ts";
import { createScriptedVerifier, type ScriptedVerifier } from "../../support/verifier.ts";

const TENANT = "test:shop";
const KEY = { tenant: TENANT, orderId: "1" };
const RULES = [
  { name: "Shopify says cancel", when: { platformRisk: ["cancel"] }, then: { action: "hold" } },
  { name: "Shopify is sure", when: { platformRisk: ["accept"], quantity: 1 }, then: { action: "allow" } },
];

let store: Store;
let platform: TestPlatform;
let verifier: ScriptedVerifier;
let level: RiskLevel;
let aheadMs: number;
let pipeline: Pipeline;
let deliveries: number;
let reads: number;
let context: OrderContext;
let alerts: string[];

const clock = createRunningClock();
const now = () => clock() + aheadMs;

beforeEach(async () => {
  store = await createTestStore();
  await store.tenants.saveCredential(TENANT, "test", "secret", "installed", 0);
  platform = createTestPlatform();
  level = "low";
  aheadMs = 0;
  deliveries = 0;
  reads = 0;
  alerts = [];
  context = {};
  platform.onReadContext = async () => {
    reads += 1;
    return context;
  };
  verifier = createScriptedVerifier(() => ({ result: aResult(level) }));
  pipeline = startPipeline({
    store,
    platform,
    accessOf: () => ({ verifier, keyId: "key" }),
    logger: {
      debug() {},
      info() {},
      warn() {},
      error: ({ alert }) => void (typeof alert === "string" && alerts.push(alert)),
    },
    now,
  });
});

afterEach(async () => {
  await pipeline.stop(100);
  await store.close();
});

async function accept(topic: string, body: Buffer): Promise<void> {
  const deliveryId = `d-${(deliveries += 1)}`;
  await pipeline.intake.accept({
    tenant: TENANT,
    deliveryId,
    platform: "test",
    topic,
    receivedAtMs: now(),
    body,
  });
}

const until = (condition: (order: OrderRecord) => boolean) => untilOrder({ store, pipeline }, KEY, condition);

async function decideOrder(known: OrderContext = { quantity: 1 }): Promise<OrderRecord> {
  const request = anOrder({ orderId: "1" });
  const mapped = { outcome: "screenable", request, test: false, context: known } as const;
  await accept("orders/create", orderEvent({ orderId: "1", mapped }));
  return until(({ state }) => state === "settled" || state === "review");
}

/** Sets what the platform says from now on, and delivers its notification. */
async function say(news: OrderContext): Promise<void> {
  context = news;
  const before = reads;
  await accept(
    "risk",
    Buffer.from(JSON.stringify({ kind: "context-changed", orderId: "1", said: deliveries })),
  );
  await until(
    ({ rereadAtMs, state }) =>
      reads > before && rereadAtMs === null && state !== "decided" && state !== "enforcing",
  );
}

const kinds = async () => (await store.orders.listTimeline(KEY)).map(({ kind }) => kind);
const choose = (document: object) => store.policies.save(TENANT, parsePolicy(document), undefined, now());

describe("an order that the platform says more about later", () => {
  it("is held by a rule on the platform's own risk, without another call", async () => {
    await choose({ rules: RULES });
    expect((await decideOrder()).decision).toMatchObject({ action: "allow" });

    await say({ platformRisk: "cancel", avs: "N" });

    const held = await until(({ state }) => state === "review");
    expect(held).toMatchObject({
      creditsSpent: 1,
      mapped: { context: { quantity: 1, platformRisk: "cancel", avs: "N" } },
      facts: { context: { platformRisk: "cancel", avs: "n" } },
      decision: { action: "hold", source: "service", riskLevel: "low" },
    });
    expect(held.decision?.reasons[0]).toBe("rule:Shopify says cancel");
    expect(verifier.calls).toHaveLength(1);
    const timeline = await store.orders.listTimeline(KEY);
    expect(timeline.find(({ kind }) => kind === "context-changed")).toMatchObject({
      detail: "platformRisk: cancel, avs: N",
      actor: "platform",
    });
  });

  it("stays held by the service when the platform finds the risk low", async () => {
    await choose({ rules: RULES.slice(0, 1) });
    level = "high";
    platform.onObserve = async () => HELD;
    const first = await decideOrder();

    await say({ platformRisk: "accept" });

    expect(await until(({ rereadAtMs }) => rereadAtMs === null)).toMatchObject({
      state: "review",
      decision: first.decision,
      decidedAtMs: first.decidedAtMs,
      facts: { context: { platformRisk: "accept" } },
    });
    expect(await kinds()).toContain("context-changed");
    expect(verifier.calls).toHaveLength(1);
  });

  it("stays held when the platform withdraws the reason for a rule's hold", async () => {
    await choose({ rules: RULES.slice(0, 1) });
    platform.onObserve = async () => HELD;
    await decideOrder({ platformRisk: "cancel" });

    await say({ platformRisk: "accept" });

    expect(await until(({ rereadAtMs }) => rereadAtMs === null)).toMatchObject({
      decision: { action: "hold" },
    });
  });

  it("is released if a rule accepts the platform's assessment", async () => {
    await choose({ rules: RULES });
    level = "high";
    await decideOrder();

    await say({ platformRisk: "accept" });

    expect(await until(({ state }) => state === "settled")).toMatchObject({
      decision: { action: "allow", riskLevel: "high" },
    });
    expect(platform.enforced.map(({ step }) => step)).toContain("release");
  });

  it("isn't decided again because of a changed policy, only because of new data", async () => {
    const first = await decideOrder();
    await choose({ levels: { low: { action: "hold", tags: [] } } });

    await say({ platformRisk: "investigate" });

    expect(await until(({ rereadAtMs }) => rereadAtMs === null)).toMatchObject({ decision: first.decision });
  });

  it("stays released after a person released its hold on the platform", async () => {
    await choose({
      rules: [{ name: "risky", when: { platformRisk: ["cancel"] }, then: { action: "cancel" } }],
    });
    level = "high";
    platform.onObserve = async () => ({ ...HELD, holds: [] });
    await decideOrder();
    aheadMs += 11 * 60_000;
    const released = await until(({ state }) => state === "settled");

    await say({ platformRisk: "cancel" });

    expect(await until(({ rereadAtMs }) => rereadAtMs === null)).toMatchObject({
      state: "settled",
      decision: released.decision,
    });
  });

  it("stays canceled, whatever a rule accepts", async () => {
    await choose({ rules: RULES });
    level = "critical";
    const canceled = await decideOrder();
    expect(canceled.decision?.action).toBe("cancel");

    await say({ platformRisk: "accept" });

    expect(await until(({ rereadAtMs }) => rereadAtMs === null)).toMatchObject({
      decision: canceled.decision,
    });
  });

  it("stays as a person decided it", async () => {
    await choose({ rules: RULES });
    level = "high";
    await decideOrder();
    const review = { act: "approve", actor: "person:1", atMs: now(), note: null } as const;
    await store.reviews.decide(KEY, review, (standing) =>
      judgeReview(standing, review, { policyVersion: 0, nowMs: now(), seenDecidedAtMs: undefined }),
    );
    await until(({ state, decision }) => state === "settled" && decision?.source === "person");

    await say({ platformRisk: "cancel" });

    expect(await until(({ rereadAtMs }) => rereadAtMs === null)).toMatchObject({
      state: "settled",
      decision: { source: "person", action: "allow" },
      facts: { context: { platformRisk: "cancel" } },
    });
  });

  it("is read once for a repeated body, and never for an unknown order", async () => {
    await decideOrder();
    const body = Buffer.from(JSON.stringify({ kind: "context-changed", orderId: "1" }));
    const stranger = Buffer.from(JSON.stringify({ kind: "context-changed", orderId: "2" }));
    await accept("risk", body);
    await until(({ rereadAtMs }) => reads === 1 && rereadAtMs === null);

    for (const again of [body, body, stranger]) await accept("risk", again);
    await untilHandled({ store, pipeline });

    expect(reads).toBe(1);
  });

  it("isn't sent to the service any sooner if it was decided without it", async () => {
    const error = new HoldfastError("VERIFICATION_NO_CREDITS", "none", { retryable: true });
    verifier = createScriptedVerifier(() => Promise.reject(error));
    expect((await decideOrder()).decision).toMatchObject({ degraded: true });
    const calls = verifier.calls.length;

    await say({ platformRisk: "investigate" });

    const rested = await until(({ rereadAtMs }) => rereadAtMs === null);
    expect(rested.dueAtMs).toBeGreaterThan(now() + 30_000);
    expect(verifier.calls).toHaveLength(calls);
  });

  const failToRead = async () => {
    reads += 1;
    throw new HoldfastError("PLATFORM_UNAVAILABLE", "down", { retryable: true });
  };

  it("isn't read again a day after it was placed if the platform can't be reached", async () => {
    await decideOrder();
    platform.onReadContext = failToRead;
    aheadMs += 24 * 3_600_000;
    await accept("risk", Buffer.from(JSON.stringify({ kind: "context-changed", orderId: "1" })));

    expect(await until(({ rereadAtMs }) => reads === 1 && rereadAtMs === null)).toMatchObject({
      state: "settled",
    });
  });

  it("is read again later if the platform can't be reached, but not if it refuses", async () => {
    await decideOrder();
    platform.onReadContext = failToRead;
    await accept("risk", Buffer.from(JSON.stringify({ kind: "context-changed", orderId: "1" })));
    const waiting = await until(({ rereadAtMs }) => reads === 1 && (rereadAtMs ?? 0) > now() + 60_000);
    expect(waiting.dueAtMs).toBe(waiting.rereadAtMs);

    platform.onReadContext = async () => {
      reads += 1;
      throw new HoldfastError("PLATFORM_REFUSED", "no", { retryable: false });
    };
    aheadMs += 10 * 60_000;

    expect(await until(({ rereadAtMs }) => reads === 2 && rereadAtMs === null)).toMatchObject({
      state: "settled",
    });
  });
});

describe("an order whose payment isn't there yet", () => {
  it("is decided immediately, and its payment is read a minute later, once", async () => {
    await choose({ rules: [{ name: "wrong address", when: { avs: ["N"] }, then: { action: "hold" } }] });
    platform.onEnrich = async (_tenant, { mapped }) => ({ mapped, limitations: [], awaitsPayment: true });
    const first = await decideOrder();
    expect(first).toMatchObject({ decision: { action: "allow" } });
    expect((first.rereadAtMs ?? 0) - (first.decidedAtMs ?? 0)).toBeGreaterThan(50_000);
    expect(reads).toBe(0);

    context = { avs: "N", bin: "424242" };
    aheadMs += 61_000;

    expect(await until(({ state }) => state === "review")).toMatchObject({
      decision: { action: "hold" },
      mapped: { context: { avs: "N", bin: "424242" } },
      rereadAtMs: null,
    });
    expect({ reads, calls: verifier.calls.length }).toEqual({ reads: 1, calls: 1 });
    const entry = (await store.orders.listTimeline(KEY)).find(({ kind }) => kind === "context-changed");
    expect(entry?.detail).toBe("avs: N, bin");
  });

  it("is read once even if the payment never comes", async () => {
    platform.onEnrich = async (_tenant, { mapped }) => ({ mapped, limitations: [], awaitsPayment: true });
    await decideOrder();
    aheadMs += 61_000;
    await until(({ rereadAtMs }) => reads === 1 && rereadAtMs === null);
    aheadMs += 3_600_000;

    expect(await until(({ rereadAtMs }) => rereadAtMs === null)).toMatchObject({ dueAtMs: null });
    expect(reads).toBe(1);
  });
});

describe("detail that the platform couldn't provide", () => {
  const paymentInfo = { brand: "Visa", lastFourDigits: "4242", expiry: "12/30", holderName: "Ann Lee" };
  const withCard: TestPlatform["onEnrich"] = async (_tenant, { mapped }) => {
    if (mapped.outcome !== "screenable") return { mapped, limitations: [] };
    return {
      mapped: { ...mapped, request: { ...mapped.request, paymentInfo, totalOrders: 3 } },
      limitations: [],
    };
  };
  const limited =
    (...limitations: string[]): TestPlatform["onEnrich"] =>
    async (_tenant, { mapped }) => ({ mapped, limitations });

  it.each([
    ["PLATFORM_THROTTLED", "throttled"],
    ["PLATFORM_UNAVAILABLE", "unavailable"],
    ["DETAIL_INCOMPLETE", "unavailable"],
  ])("says why after %s, and fills in what a later look finds, without another call", async (code, why) => {
    platform.onEnrich = limited(code);
    const first = await decideOrder();
    expect(first.mapped?.unread).toEqual({ payment: why, history: why });

    platform.onEnrich = withCard;
    aheadMs += 61_000;

    const later = await until(({ mapped }) => mapped?.late !== undefined);
    expect(later.mapped?.late).toEqual({ paymentInfo, totalOrders: 3 });
    expect(later.mapped?.unread).toBeUndefined();
    expect(toKnown(later.mapped ?? NOTHING)).not.toHaveProperty("paymentInfo");
    expect(toContentsJson(later.mapped)).toMatchObject({
      card: paymentInfo,
      buyer: { earlierOrders: 3 },
      unread: {},
    });
    expect(verifier.calls).toHaveLength(1);
    expect(await kinds()).toContain("context-changed");
  });

  it.each(["PLATFORM_THROTTLED", "DETAIL_INCOMPLETE", "PLATFORM_UNAUTHORIZED"])(
    "looks again less and less often, for a day, after %s",
    async (code) => {
      platform.onEnrich = limited(code);
      let { rereadAtMs: nextMs } = await decideOrder();
      const pauses: number[] = [];
      while (nextMs !== null) {
        const seenMs = nextMs;
        pauses.push(seenMs - now());
        aheadMs += seenMs - now() + 1;
        ({ rereadAtMs: nextMs } = await until(({ rereadAtMs }) => rereadAtMs !== seenMs));
      }

      expect(reads).toBe(pauses.length);
      expect(pauses.length).toBeGreaterThan(5);
      expect(pauses.length).toBeLessThan(12);
      // After the first two, each pause is about twice as long as the one before.
      const later = pauses.slice(3);
      expect(later.every((pause, index) => pause > 1.5 * pauses[index + 2]!)).toBe(true);
    },
  );

  it("isn't looked for before the platform wants to be asked again", async () => {
    const retryAtMs = now() + 3 * 3_600_000;
    platform.onEnrich = async (_tenant, { mapped }) => {
      return { mapped, limitations: ["PLATFORM_THROTTLED"], retryAtMs };
    };

    expect((await decideOrder()).rereadAtMs).toBe(retryAtMs);
    aheadMs += 3 * 3_600_000;
    const again = await until(({ rereadAtMs }) => rereadAtMs !== retryAtMs);

    expect(again.rereadAtMs).toBeGreaterThan(now() + 2 * 3_600_000);
  });

  it.each([
    ["PAYMENT_NOT_GRANTED", { payment: "not-granted" }],
    ["HISTORY_NOT_GRANTED", { history: "not-granted" }],
    ["DETAIL_UNUSABLE", { payment: "refused", history: "refused" }],
  ])("isn't looked for again after %s", async (code, unread) => {
    platform.onEnrich = limited(code);

    const { mapped, rereadAtMs } = await decideOrder();

    expect(mapped?.unread).toEqual(unread);
    expect(rereadAtMs).toBeNull();
  });
});

const NOTHING: MappedOrder = { outcome: "unscreenable", reason: "NO_EMAIL", known: {}, test: false };

describe("a held order that Shopify Protect covers", () => {
  it("gets one warning two days before its cover ends, even past the hold's own deadline", async () => {
    level = "high";
    platform.onObserve = async () => HELD;
    const first = await decideOrder({ protect: "active" });
    expect(alerts).not.toContain("protection_lapsing");

    aheadMs += 5 * 86_400_000 + 60_000;
    await until(() => alerts.includes("protection_lapsing"));
    aheadMs += 86_400_000;
    await until(({ dueAtMs, attempts }) => attempts > first.attempts + 1 && (dueAtMs ?? 0) > now());

    expect(alerts.filter((name) => name === "protection_lapsing")).toHaveLength(1);
    expect(await kinds()).toContain("protection-lapsing");
  });
});

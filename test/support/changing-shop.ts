import { afterEach, beforeEach } from "vitest";
import { HoldfastError, type ErrorCode } from "../../src/base/errors.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import type { Pipeline } from "../../src/pipeline/pipeline.ts";
import { judgeReview } from "../../src/pipeline/order-life/review.ts";
import type { MappedOrder, PlatformEvent, PlatformOrder } from "../../src/platform/platform.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import { createTestStore } from "./test-store.ts";
import type { OrderRecord, Store } from "../../src/store/store.ts";
import type { ReviewResult } from "../../src/store/orders/reviews.ts";
import type { PersonAct } from "../../src/order/decision.ts";
import type { RiskLevel } from "../../src/order/risk-level.ts";
import { aResult, anOrder } from "./orders.ts";
import { shownHeld } from "./shown.ts";
import { startPipeline } from "./test-pipeline.ts";
import { createTestPlatform, type TestPlatform } from "./platform.ts";
import { untilHeard as untilDecided, untilOrder } from "./pipeline-waits.ts";
import { createRunningClock } from "./running-clock.ts";
import { createScriptedVerifier, type ScriptedVerifier } from "./verifier.ts";

export const TENANT = "test:shop";
export const KEY = { tenant: TENANT, orderId: "1" };
export const HOUR_MS = 3_600_000;
const INSTALLED_FOR_MS = 48 * HOUR_MS;

/** The service's answer by the destination country. */
const LEVELS: Readonly<Record<string, RiskLevel>> = { US: "low", CA: "high", MX: "medium", FR: "critical" };

/** What a test sets. */
export const world: { down: ErrorCode | null; hasService: boolean; aheadMs: number } = {
  down: null,
  hasService: true,
  aheadMs: 0,
};

export let store: Store;
export let platform: TestPlatform;
export let verifier: ScriptedVerifier;
let deliveries: number;
let pipeline: Pipeline;

const clock = createRunningClock();
export const now = () => clock() + world.aheadMs;

let lastMomentMs = 0;
/** Now, but always later than before: the platform's states of an order follow each other. */
function nextMoment(): number {
  lastMomentMs = Math.max(lastMomentMs + 1, now());
  return lastMomentMs;
}

const accessOf = () => (world.hasService ? { verifier, keyId: "key" } : null);
const start = (): Pipeline => startPipeline({ store, platform, accessOf, now });

export async function accept(topic: string, event: PlatformEvent): Promise<string> {
  const deliveryId = `d-${(deliveries += 1)}`;
  await pipeline.intake.accept({
    tenant: TENANT,
    deliveryId,
    platform: "test",
    topic,
    receivedAtMs: now(),
    body: Buffer.from(JSON.stringify(event)),
  });
  return deliveryId;
}

export function toOrder(mapped: MappedOrder, more: Partial<PlatformOrder> = {}): PlatformOrder {
  const known = mapped.outcome === "screenable" ? mapped.request : mapped.known;
  const { orderAmount: amount, currency } = known;
  return { orderId: "1", name: "#1", customerId: undefined, mapped, amount, currency, ...more };
}
export const screenable = (changes: Partial<VerificationRequest> = {}): MappedOrder => ({
  outcome: "screenable",
  test: false,
  request: anOrder({ orderId: "1", orderTimestamp: new Date(now()).toISOString(), ...changes }),
});
export const CANCELLED: MappedOrder = {
  outcome: "unscreenable",
  reason: "CANCELLED",
  known: {},
  test: false,
};
/** Changes that send the goods to a country; see the answers by country above. */
export const to = (country: string): Partial<VerificationRequest> => ({
  shippingAddress: { ...anOrder().shippingAddress, country },
});

export const create = (changes?: Partial<VerificationRequest>) =>
  accept("orders/create", {
    kind: "order",
    order: toOrder(screenable(changes), { updatedAtMs: nextMoment() }),
  });
export const update = (mapped: MappedOrder, updatedAtMs = nextMoment(), more?: Partial<PlatformOrder>) =>
  accept("orders/updated", { kind: "order-changed", order: toOrder(mapped, { updatedAtMs, ...more }) });
export const change = (changes: Partial<VerificationRequest>, updatedAtMs?: number) =>
  update(screenable(changes), updatedAtMs);

export const until = (condition: (order: OrderRecord) => boolean | Promise<boolean>) =>
  untilOrder({ store, pipeline }, KEY, condition);
export const untilAtRest = () =>
  until(({ state, revision }) => ["settled", "review"].includes(state) && revision?.rescreen !== true);
/** A new order with everything done that follows its first answer. */
export async function settle(changes?: Partial<VerificationRequest>): Promise<OrderRecord> {
  await create(changes);
  return untilAtRest();
}
/** A new order on hold. */
export async function hold(): Promise<OrderRecord> {
  await create(to("CA"));
  return until(({ state }) => state === "review");
}
/** A new order whose cancel waits. */
export async function delayCancel(): Promise<void> {
  await create(to("FR"));
  await until(({ state }) => state === "waiting");
}
/** Every delivery was carried out. */
export const untilHeard = () => untilDecided({ store, pipeline }, TENANT);
/** Holdfast looks at the held order in time, and warns of a deadline that is at most six hours away. */
export async function untilWarned(): Promise<void> {
  world.aheadMs += 11 * 60_000;
  await until(async () => (await kinds()).includes("hold-expiring"));
}
/** Steps that the platform carried out, in order. */
export const steps = () => platform.enforced.map(({ step }) => step);
export const kinds = async () => (await store.orders.listTimeline(KEY)).map(({ kind }) => kind);
export const details = async (wanted: string) =>
  (await store.orders.listTimeline(KEY)).flatMap(({ kind, detail }) => (kind === wanted ? [detail] : []));
export const savePolicy = (document: unknown) =>
  store.policies.save(TENANT, parsePolicy(document), undefined, now());
export const install = (atMs: number) =>
  store.tenants.saveCredential(TENANT, "test", "secret", "installed", atMs);

interface Press {
  readonly actor?: string;
  readonly atMs?: number;
  /** How long it can be undone. Default: it takes effect immediately. */
  readonly undoMs?: number;
  /** The decision that the person saw. */
  readonly seenDecidedAtMs?: number | null | undefined;
}

/** A person reviews the order. */
export async function press(
  act: PersonAct,
  { actor = "person:7", atMs = now(), undoMs, seenDecidedAtMs }: Press = {},
): Promise<ReviewResult> {
  const effectiveAtMs = undoMs === undefined ? undefined : atMs + undoMs;
  const asked = { act, actor, atMs, note: null, effectiveAtMs };
  return store.reviews.decide(KEY, asked, (standing) =>
    judgeReview(standing, asked, { policyVersion: 1, nowMs: now(), seenDecidedAtMs }),
  );
}

/** The shop checks the order before it's placed. */
export const check = () => pipeline.check({ tenant: TENANT, orderId: "1", mapped: screenable() });

/** Another process replaces the one that works. */
export async function restart(): Promise<void> {
  await pipeline.stop(0);
  pipeline = start();
}

/** Run each test of a file in its own shop. */
export function openShopForEach(): void {
  beforeEach(async () => {
    store = await createTestStore();
    platform = createTestPlatform();
    Object.assign(world, { down: null, hasService: true, aheadMs: 0 });
    deliveries = 0;
    lastMomentMs = 0;
    platform.onObserve = async () => shownHeld();
    verifier = createScriptedVerifier((_call, { shippingAddress: { country } }) => {
      const { down } = world;
      if (down !== null) throw new HoldfastError(down, "down", { retryable: true, metered: "no" });
      return { result: aResult(LEVELS[country] ?? "low") };
    });
    await install(now() - INSTALLED_FOR_MS);
    pipeline = start();
  });

  afterEach(async () => {
    await pipeline.stop(100);
    await store.close();
  });
}

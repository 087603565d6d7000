import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HoldfastError, type ErrorCode } from "../../src/errors.ts";
import { createLocalEngine } from "../../src/local/engine.ts";
import { SILENT_LOGGER } from "../../src/logger.ts";
import { createMetrics } from "../../src/metrics.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import { createPipeline, type Pipeline } from "../../src/pipeline/pipeline.ts";
import type {
  MappedOrder,
  ObservedOrder,
  PlatformEvent,
  PlatformOrder,
} from "../../src/pipeline/platform.ts";
import { createPolicies } from "../../src/pipeline/policies.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import type { OrderRecord, Store } from "../../src/store/store.ts";
import { createGate } from "../../src/verification/gate.ts";
import type { RiskLevel } from "../../src/verification/result.ts";
import { aResult, anOrder } from "../support/orders.ts";
import { createTestPlatform, type TestPlatform } from "../support/platform.ts";
import { createScriptedVerifier, type ScriptedVerifier } from "../support/verifier.ts";

const TENANT = "test:shop";
const KEY = { tenant: TENANT, orderId: "1" };
const HOUR_MS = 3_600_000;

let store: Store;
let platform: TestPlatform;
let verifier: ScriptedVerifier;
/** The service's answer by the country that goods go to. */
let levels: Record<string, RiskLevel>;
let down: ErrorCode | null;
let aheadMs: number;
let deliveries: number;
let pipeline: Pipeline;

const now = () => Date.now() + aheadMs;

function start(): Pipeline {
  const made = createPipeline({
    store,
    platforms: [platform],
    engine: createLocalEngine({ now }),
    gate: createGate({ now }),
    accessOf: () => ({ verifier, keyId: "key" }),
    policyOf: createPolicies(store),
    maxPaidAttempts: 2,
    maxInFlight: 10,
    timeoutMs: 5_000,
    metrics: createMetrics(),
    logger: SILENT_LOGGER,
    now,
    owner: "app:test",
  });
  made.start();
  return made;
}

async function accept(topic: string, event: PlatformEvent, triggeredAtMs = now()): Promise<string> {
  const deliveryId = `d-${(deliveries += 1)}`;
  await pipeline.intake.accept({
    tenant: TENANT,
    deliveryId,
    platform: "test",
    topic,
    triggeredAtMs,
    receivedAtMs: now(),
    body: Buffer.from(JSON.stringify(event)),
  });
  return deliveryId;
}

function toOrder(mapped: MappedOrder, more: Partial<PlatformOrder> = {}): PlatformOrder {
  const known = mapped.outcome === "screenable" ? mapped.request : mapped.known;
  const { orderAmount: amount, currency } = known;
  return { orderId: "1", name: "#1", customerId: undefined, mapped, amount, currency, ...more };
}
const screenable = (changes: Partial<VerificationRequest> = {}): MappedOrder => ({
  outcome: "screenable",
  test: false,
  request: anOrder({ orderId: "1", orderTimestamp: new Date(now()).toISOString(), ...changes }),
});
const CANCELLED: MappedOrder = { outcome: "unscreenable", reason: "CANCELLED", known: {}, test: false };
const to = (country: string): Partial<VerificationRequest> => ({
  shippingAddress: { ...anOrder().shippingAddress, country },
});

const create = (changes?: Partial<VerificationRequest>) =>
  accept("orders/create", { kind: "order", order: toOrder(screenable(changes)) });
const update = (mapped: MappedOrder, triggeredAtMs?: number, more?: Partial<PlatformOrder>) =>
  accept("orders/updated", { kind: "order-changed", order: toOrder(mapped, more) }, triggeredAtMs);
const change = (changes: Partial<VerificationRequest>, triggeredAtMs?: number) =>
  update(screenable(changes), triggeredAtMs);

async function until(condition: (order: OrderRecord) => boolean): Promise<OrderRecord> {
  for (;;) {
    const order = await store.getOrder(KEY);
    if (order !== null && condition(order)) return order;
    pipeline.wake();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
const untilAtRest = () =>
  until(({ state, revision }) => ["settled", "review"].includes(state) && revision?.rescreen !== true);
/** Every delivery was carried out. */
async function untilHeard(): Promise<void> {
  while ((await store.countUndecided(TENANT, Number.MAX_SAFE_INTEGER)) > 0) {
    pipeline.wake();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
const steps = () => platform.enforced.map(({ step }) => step);
const kinds = async () => (await store.listTimeline(KEY)).map(({ kind }) => kind);
const details = async (wanted: string) =>
  (await store.listTimeline(KEY)).flatMap(({ kind, detail }) => (kind === wanted ? [detail] : []));
const savePolicy = (document: unknown) => store.savePolicy(TENANT, parsePolicy(document), undefined, now());
const install = (atMs: number) => store.saveCredential(TENANT, "test", "secret", "installed", atMs);

beforeEach(async () => {
  store = await createMemoryStore();
  platform = createTestPlatform();
  levels = { US: "low", CA: "high", MX: "medium", FR: "critical" };
  down = null;
  aheadMs = 0;
  deliveries = 0;
  platform.onObserve = async (): Promise<ObservedOrder> => ({
    cancelled: false,
    fulfilled: false,
    partlyFulfilled: false,
    holdable: false,
    tags: ["holdfast-high"],
    holds: [{ holdId: "h", reference: "f" }],
    assessment: "HIGH",
  });
  verifier = createScriptedVerifier((_call, { shippingAddress: { country } }) => {
    if (down !== null) throw new HoldfastError(down, "down", { retryable: true, metered: "no" });
    return { result: aResult(levels[country] ?? "low") };
  });
  pipeline = start();
});

afterEach(async () => {
  await pipeline.stop(100);
  await store.close();
});

describe("a material change", () => {
  it("has the order screened again, for one credit, and the platform follows", async () => {
    await create();
    await untilAtRest();

    await change(to("CA"));
    const order = await until(({ state }) => state === "review");

    expect(order).toMatchObject({
      creditsSpent: 2,
      revision: null,
      mapped: { request: { shippingAddress: { country: "CA" } } },
      decision: { action: "hold", riskLevel: "high", source: "service" },
      result: { riskLevel: "high" },
    });
    expect(steps()).toEqual(["assess", "hold", "assess", "tag"]);
    expect(await store.listChanges(KEY)).toMatchObject([
      { material: true, fields: [{ path: "shippingAddress.country", before: "US", after: "CA" }] },
    ]);
    expect(await details("changed")).toEqual(["shippingAddress.country (to be checked)"]);
    expect(await kinds()).toContain("decided-again");
  });

  it("releases a hold and takes off the tags that the new answer does not support", async () => {
    await create(to("CA"));
    await until(({ state }) => state === "review");

    await change(to("MX"));
    await until(({ state }) => state === "settled");

    expect(steps()).toEqual(["hold", "assess", "tag", "release", "assess", "tag", "untag"]);
    expect(platform.enforced.filter(({ step }) => step === "tag").map(({ tags }) => tags)).toEqual([
      ["holdfast-high"],
      ["holdfast-medium"],
    ]);
  });

  it("costs nothing when the order goes back to what was answered before", async () => {
    await create();
    await untilAtRest();
    await change(to("CA"));
    await until(({ state }) => state === "review");

    await change(to("US"));
    const order = await until(({ state }) => state === "settled");

    expect(order).toMatchObject({ creditsSpent: 2, decision: { action: "allow", source: "cache" } });
    expect(steps()).toContain("release");
  });

  it("is what an order is decided on that nobody had decided yet", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    platform.onEnrich = async (_tenant, order) => {
      await promise;
      return { mapped: order.mapped, limitations: [] };
    };
    await create();
    await until(({ state }) => state === "received");
    await change(to("CA"));
    await until(({ revision }) => revision !== null);
    resolve();

    const order = await until(({ state }) => state === "review");

    expect(order).toMatchObject({ decision: { riskLevel: "high" }, revision: null });
  });

  it("takes the place of a decision that waits to be carried out", async () => {
    platform.onEnforce = (step) =>
      step === "hold" ? { outcome: "wait", reason: "not-routed-yet", retryAtMs: now() + HOUR_MS } : undefined;
    await create(to("CA"));
    await until(({ state }) => state === "waiting");

    await change(to("US"));
    const order = await untilAtRest();

    expect(order).toMatchObject({ state: "settled", decision: { action: "allow" }, creditsSpent: 2 });
    expect(steps()).toContain("release");
  });

  it("is screened although a person released the hold of what came before", async () => {
    await create(to("CA"));
    await until(({ state }) => state === "review");
    platform.onObserve = async () => ({
      cancelled: false,
      fulfilled: false,
      partlyFulfilled: false,
      holdable: true,
      tags: [],
      holds: [],
      assessment: null,
    });
    aheadMs += 11 * 60_000;
    await until(({ state }) => state === "settled");

    await change({ ...to("CA"), customerEmail: "other@example.com" });
    await until(({ state }) => state === "review");

    expect(steps().filter((step) => step === "hold")).toHaveLength(2);
  });

  it("of small steps shows against what was screened", async () => {
    await create({ orderAmount: 100 });
    await untilAtRest();

    await change({ orderAmount: 104 });
    await untilHeard();
    expect(verifier.calls).toHaveLength(1);
    await change({ orderAmount: 108 });
    await until(({ creditsSpent, state }) => creditsSpent === 2 && state === "settled");

    const changes = await store.listChanges(KEY);
    expect(changes.map(({ material, fields }) => [material, fields[0]?.before, fields[0]?.after])).toEqual([
      [false, 100, 104],
      [true, 104, 108],
    ]);
  });

  it("has an order judged that could not be sent before", async () => {
    const { customerEmail, ...known } = anOrder({ orderId: "1" });
    const mapped: MappedOrder = { outcome: "unscreenable", reason: "NO_EMAIL", known, test: false };
    await accept("orders/create", { kind: "order", order: toOrder(mapped) });
    await untilAtRest();
    expect(verifier.calls).toHaveLength(0);

    await change({ customerEmail });
    await until(({ decision, state }) => decision?.source === "service" && state === "settled");

    expect(verifier.calls).toHaveLength(1);
  });
});

describe("an update that changes nothing that matters", () => {
  it("writes no more than that it came, however often it comes", async () => {
    await create();
    const before = await untilAtRest();
    const timeline = await kinds();

    const asOfMs = now() + 1_000;
    for (let index = 0; index < 20; index += 1) await change({}, asOfMs);
    await untilHeard();

    expect(await store.getOrder(KEY)).toEqual({ ...before, asOfMs });
    expect(await kinds()).toEqual(timeline);
    expect(await store.listChanges(KEY)).toEqual([]);
    expect(verifier.calls).toHaveLength(1);
  });

  it("is kept once and shown, and costs nothing", async () => {
    await create();
    await untilAtRest();
    const street = `${anOrder().shippingAddress.street}, Flat 7`;

    for (let index = 0; index < 20; index += 1) {
      await change({ shippingAddress: { ...anOrder().shippingAddress, street } });
    }
    await untilHeard();

    expect(await store.listChanges(KEY)).toMatchObject([
      { material: false, fields: [{ path: "shippingAddress.street", after: street }] },
    ]);
    expect(await details("changed")).toEqual(["shippingAddress.street (not material)"]);
    expect(await store.getOrder(KEY)).toMatchObject({ state: "settled", dueAtMs: null, creditsSpent: 1 });
    expect(JSON.stringify(await store.listTimeline(KEY))).not.toContain("Flat 7");
  });

  it("and lacks what the platform withholds costs nothing", async () => {
    await create();
    await untilAtRest();

    const known = { orderAmount: 59.9, currency: "USD", orderId: "1" };
    await update({ outcome: "unscreenable", reason: "PERSONAL_DATA_NOT_GRANTED", known, test: false });
    await untilHeard();

    expect(await store.getOrder(KEY)).toMatchObject({ state: "settled", creditsSpent: 1 });
    expect(await store.listChanges(KEY)).toMatchObject([{ material: false }]);
  });
});

describe("an update that is not followed", () => {
  it("is one that is older than what is known", async () => {
    await create();
    await untilAtRest();
    const before = now();
    await change(to("MX"), before + 1_000);
    await until(({ creditsSpent, state }) => creditsSpent === 2 && state === "settled");

    await change(to("CA"), before + 500);
    await untilHeard();

    expect(await store.getOrder(KEY)).toMatchObject({
      creditsSpent: 2,
      revision: null,
      asOfMs: before + 1_000,
    });
    expect(await store.listChanges(KEY)).toHaveLength(1);
  });

  it("is one that was taken back by a later one that came first", async () => {
    await create();
    await untilAtRest();
    const before = now();
    await change({}, before + 2_000);
    await untilHeard();

    await change(to("FR"), before + 1_000);
    await untilHeard();

    expect(await store.getOrder(KEY)).toMatchObject({ state: "settled", creditsSpent: 1, revision: null });
    expect(await store.listChanges(KEY)).toEqual([]);
    expect(steps()).not.toContain("cancel");
  });

  it("is one that is older than a later one that said what was known by then", async () => {
    await savePolicy({ rescreenOnChange: false });
    await create();
    await untilAtRest();
    const before = now();
    await change(to("CA"), before + 1_000);
    await untilHeard();
    await change(to("CA"), before + 3_000);
    await untilHeard();

    await change(to("MX"), before + 2_000);
    await untilHeard();

    expect(await store.listChanges(KEY)).toHaveLength(1);
  });

  it("is one from before the order was listed by the platform, nobody having told of it", async () => {
    const readAtMs = now();
    const found = { tenant: TENANT, platform: "test", receivedAtMs: readAtMs, asOfMs: readAtMs };
    const entry = { atMs: readAtMs, kind: "found", detail: "", actor: "holdfast" };
    await store.receiveOrder({ ...toOrder(screenable()), ...found }, entry);
    await untilAtRest();

    await change(to("FR"), readAtMs - 1);
    await untilHeard();

    expect(await store.getOrder(KEY)).toMatchObject({ state: "settled", creditsSpent: 1 });
    expect(await store.listChanges(KEY)).toEqual([]);
  });

  it("is not every later one because a header named a moment that is still to come", async () => {
    await create();
    await untilAtRest();
    await change({}, now() + 365 * 24 * HOUR_MS);
    await untilHeard();
    aheadMs += HOUR_MS;

    await change(to("CA"));

    expect(await until(({ state }) => state === "review")).toMatchObject({ creditsSpent: 2 });
  });

  it("is one of a shop whose policy does not screen again, where it is still shown", async () => {
    await savePolicy({ rescreenOnChange: false });
    await create();
    await untilAtRest();

    await change(to("CA"));
    await untilHeard();

    expect(await store.getOrder(KEY)).toMatchObject({ state: "settled", dueAtMs: null, creditsSpent: 1 });
    expect(await store.listChanges(KEY)).toMatchObject([{ material: true }]);
    expect(await details("changed")).toEqual(["shippingAddress.country (not checked again, by policy)"]);
  });

  it("stays so when the order is looked at for another reason", async () => {
    await savePolicy({ rescreenOnChange: false });
    await create(to("CA"));
    await until(({ state }) => state === "review");
    await change(to("US"));
    await untilHeard();
    const first = await until(({ dueAtMs }) => dueAtMs !== null);
    aheadMs += 11 * 60_000;

    const next = await until(({ dueAtMs }) => dueAtMs !== first.dueAtMs);

    expect(next).toMatchObject({ state: "review", creditsSpent: 1 });
  });

  it("is one of an order that has shipped", async () => {
    await create();
    await untilAtRest();

    await update(screenable(to("CA")), undefined, { fulfilled: true });
    await untilHeard();

    expect(await store.getOrder(KEY)).toMatchObject({ state: "settled", creditsSpent: 1 });
    expect(await details("changed")).toEqual(["shippingAddress.country (shipped)"]);
  });

  it("is one of an order that was cancelled, by us or by a person", async () => {
    await create(to("FR"));
    await until(({ state }) => state === "settled");
    expect(steps()).toContain("cancel");

    await change(to("US"));
    await untilHeard();

    expect(await store.getOrder(KEY)).toMatchObject({ state: "settled", creditsSpent: 1 });
    expect(await store.listChanges(KEY)).toEqual([]);
  });

  it("is one from before the order ended", async () => {
    await create();
    await untilAtRest();
    const before = now();
    aheadMs += 1_000;
    await accept("orders/delete", { kind: "order-cancelled", orderId: "1" });
    await untilHeard();

    await change(to("CA"), before);
    await untilHeard();

    expect(await store.getOrder(KEY)).toMatchObject({ state: "settled", creditsSpent: 1 });
  });

  it("is one of an erased order, of which nothing is kept", async () => {
    await create();
    await untilAtRest();
    const request = { tenant: TENANT, orderIds: ["1"], customerId: undefined, email: undefined };
    await store.eraseOrders(request, { atMs: now(), kind: "erased", detail: "", actor: "platform" });

    await change(to("CA"));
    await untilHeard();

    expect(await store.getOrder(KEY)).toMatchObject({ mapped: null, revision: null, creditsSpent: 1 });
    expect(await store.listChanges(KEY)).toEqual([]);
  });
});

describe("an update that says cancelled", () => {
  it("ends the order, and later ones say nothing new", async () => {
    await create(to("CA"));
    await until(({ state }) => state === "review");

    for (let index = 0; index < 5; index += 1) {
      await update(CANCELLED);
      await untilHeard();
    }

    expect(await until(({ state }) => state === "settled")).toMatchObject({ dueAtMs: null });
    expect((await kinds()).filter((kind) => kind === "cancelled-on-platform")).toHaveLength(1);
  });

  it("does not remember every old order of a shop", async () => {
    await install(now() - HOUR_MS);

    await update(CANCELLED);
    await untilHeard();

    expect(await store.getOrder(KEY)).toBeNull();
  });
});

describe("an update of an order that nobody told of", () => {
  const placed = (agoMs: number) => ({ orderTimestamp: new Date(now() - agoMs).toISOString() });

  it("brings the order in when it is new", async () => {
    await install(now() - HOUR_MS);

    await change(placed(60_000));
    await untilAtRest();
    await create(placed(60_000));
    await untilHeard();

    expect(await store.getOrder(KEY)).toMatchObject({ state: "settled", creditsSpent: 1 });
  });

  it.each([
    ["was placed before the installation", 30 * 60_000, 45 * 60_000],
    ["was placed hours ago", 48 * HOUR_MS, 3 * HOUR_MS],
  ])("is left alone when it %s", async (_case, installedAgoMs, placedAgoMs) => {
    await install(now() - installedAgoMs);

    await change({ ...placed(placedAgoMs), ...to("FR") });
    await untilHeard();

    expect(await store.getOrder(KEY)).toBeNull();
    expect(verifier.calls).toHaveLength(0);
  });

  it("is left alone when nobody installed the app, or the order does not say when it was placed", async () => {
    await change(placed(60_000));
    await untilHeard();
    await install(now() - HOUR_MS);
    const { orderTimestamp: _none, ...request } = anOrder({ orderId: "1" });
    await update({ outcome: "screenable", test: false, request });
    await untilHeard();

    expect(await store.getOrder(KEY)).toBeNull();
  });
});

describe("a changed order while the service is down", () => {
  it("waits as an order that is new does, keeping its state, then is asked about once", async () => {
    await create();
    await untilAtRest();
    down = "VERIFICATION_UNREACHABLE";
    await change(to("CA"));
    const waiting = await until(({ revision }) => (revision?.attempts ?? 0) > 0);
    expect(waiting).toMatchObject({ state: "settled", problem: "VERIFICATION_UNREACHABLE" });
    down = null;
    aheadMs += 60_000;

    const order = await until(({ state }) => state === "review");

    expect(order).toMatchObject({ creditsSpent: 2, decision: { degraded: false } });
  });

  it("is decided by a guess in the end, which cancels nothing and releases nothing", async () => {
    await create(to("CA"));
    await until(({ state }) => state === "review");
    await savePolicy({ whenUnavailable: "allow" });
    // Worth no waiting: somebody has to buy credits.
    down = "VERIFICATION_NO_CREDITS";

    await change(to("US"));
    const order = await until(({ state, decision }) => state === "review" && decision?.degraded === true);

    expect(order).toMatchObject({
      decision: { action: "hold", reasons: expect.arrayContaining(["hold-kept"]) },
    });
    expect(steps()).not.toContain("release");
    expect(steps()).not.toContain("cancel");

    down = null;
    aheadMs += HOUR_MS;
    await until(({ state }) => state === "settled");
    expect(steps()).toContain("release");
  });
});

describe("a hold that the service asked for", () => {
  /** Worth no waiting: a change is decided by a guess at once. */
  const DOWN: ErrorCode = "VERIFICATION_NO_CREDITS";
  const guessed = (country: string) => (order: OrderRecord) => {
    const { mapped, decision, revision, state } = order;
    const goesTo = mapped?.outcome === "screenable" ? mapped.request.shippingAddress.country : undefined;
    return goesTo === country && decision?.degraded === true && revision === null && state !== "decided";
  };

  it("is kept through one guess after another, until the service has answered", async () => {
    await create(to("CA"));
    await until(({ state }) => state === "review");
    await savePolicy({ whenUnavailable: "allow" });
    down = DOWN;
    await change(to("MX"));
    await until(guessed("MX"));

    await change(to("US"));
    await until(guessed("US"));
    const order = await until(({ state }) => state === "review" || state === "settled");

    expect(order).toMatchObject({ state: "review", decision: { action: "hold", source: "policy" } });
    expect(steps()).not.toContain("release");

    down = null;
    aheadMs += HOUR_MS;
    await until(({ state, decision }) => state === "settled" && decision?.degraded === false);
    expect(steps()).toContain("release");
  });

  it("is kept when the first of the guesses said to hold by itself", async () => {
    await create(to("CA"));
    await until(({ state }) => state === "review");
    await savePolicy({ whenUnavailable: "hold" });
    down = DOWN;
    await change(to("MX"));
    const first = await until(guessed("MX"));
    expect(first.decision?.reasons).not.toContain("hold-kept");
    await until(({ state }) => state === "review");
    await savePolicy({ whenUnavailable: "allow" });

    await change(to("US"));
    await until(guessed("US"));

    expect(await until(({ state }) => state === "review" || state === "settled")).toMatchObject({
      state: "review",
      decision: { action: "hold", reasons: expect.arrayContaining(["hold-kept"]) },
    });
    expect(steps()).not.toContain("release");
  });

  it("is no longer asked for once an answer let the order go, whose release is still to come", async () => {
    await create(to("CA"));
    await until(({ state }) => state === "review");
    platform.onEnforce = (step) =>
      step === "release" ? { outcome: "wait", reason: "busy", retryAtMs: now() + HOUR_MS } : undefined;
    await change(to("US"));
    await until(({ state }) => state === "waiting");
    await savePolicy({ whenUnavailable: "allow" });
    down = DOWN;
    platform.onEnforce = () => undefined;

    await change(to("MX"));

    expect(await until(guessed("MX"))).toMatchObject({ decision: { action: "allow" } });
    await until(() => steps().includes("release"));
  });
});

describe("a changed order whose decision is still being carried out", () => {
  const wasDone = async (wanted: string) =>
    (await store.listSteps(KEY)).some(({ step, state }) => step === wanted && state === "done");
  async function untilDone(wanted: string): Promise<void> {
    while (!(await wasDone(wanted))) {
      pipeline.wake();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
  const later = () => ({ outcome: "wait", reason: "not-routed-yet", retryAtMs: now() + HOUR_MS }) as const;
  const waits = ({ revision }: OrderRecord) => (revision?.attempts ?? 0) > 0;

  it("is held as soon as it can be, while its change waits for the service", async () => {
    platform.onEnforce = (step) => (step === "hold" ? later() : undefined);
    await create(to("CA"));
    await until(({ state }) => state === "waiting");
    down = "VERIFICATION_UNREACHABLE";
    await change(to("MX"));
    const waiting = await until(waits);
    // Also the service is asked again, not only once the platform is ready.
    expect(waiting.dueAtMs).toBeLessThan(now() + 60_000);
    platform.onEnforce = () => undefined;

    await accept("fulfillment/ready", { kind: "order-ready", reference: "1" });
    await untilDone("hold");

    expect(await until(({ state }) => state === "review")).toMatchObject({
      decision: { riskLevel: "high", degraded: false },
      revision: { rescreen: true },
    });
    down = null;
    aheadMs += 60_000;
    expect(await until(({ state }) => state === "settled")).toMatchObject({
      decision: { riskLevel: "medium", degraded: false },
      creditsSpent: 2,
    });
    expect(steps()).toContain("release");
  });

  it("is held but not cancelled on an answer about what it was like before", async () => {
    platform.onEnforce = (step) => (step === "cancel" ? later() : undefined);
    await create(to("FR"));
    await until(({ state }) => state === "waiting");
    platform.onEnforce = () => undefined;
    down = "VERIFICATION_UNREACHABLE";

    await change(to("US"));
    await untilDone("hold");
    await until(waits);
    aheadMs += 2_000;
    await until(({ revision }) => (revision?.attempts ?? 0) > 1);

    expect(await until(({ dueAtMs }) => dueAtMs !== null)).toMatchObject({ state: "waiting" });
    expect(steps()).not.toContain("cancel");
    down = null;
    aheadMs += 60_000;
    await until(({ state, decision }) => state === "settled" && decision?.action === "allow");
    expect(steps()).not.toContain("cancel");
    expect(steps()).toContain("release");
  });

  it("is cancelled after all when the change that waited is taken back", async () => {
    platform.onEnforce = (step) => (step === "cancel" ? later() : undefined);
    await create(to("FR"));
    await until(({ state }) => state === "waiting");
    platform.onEnforce = () => undefined;
    down = "VERIFICATION_UNREACHABLE";
    await change(to("US"));
    await until(waits);

    await change(to("FR"));
    await until(({ revision }) => revision?.rescreen === false);
    aheadMs += HOUR_MS;

    await until(({ state }) => state === "settled");
    expect(steps()).toContain("cancel");
  });

  it("waits no longer for the service because it is changed again", async () => {
    await create();
    await untilAtRest();
    down = "VERIFICATION_UNREACHABLE";
    await change(to("CA"));
    const first = await until(({ revision }) => (revision?.attempts ?? 0) > 1);

    await change(to("MX"));
    const second = await until(({ asOfMs }) => asOfMs !== first.asOfMs);

    expect(second.revision?.attempts).toBeGreaterThan(1);
  });
});

describe("a process that is killed between a change and the decision on it", () => {
  it("asks once more in all, with the content it had fixed", async () => {
    await create();
    await untilAtRest();
    let enriched = 0;
    platform.onEnrich = async (_tenant, order) => {
      enriched += 1;
      const { mapped } = order;
      if (mapped.outcome !== "screenable") return { mapped, limitations: [] };
      const paymentInfo = { lastFourDigits: String(1000 + enriched) };
      return { mapped: { ...mapped, request: { ...mapped.request, paymentInfo } }, limitations: [] };
    };
    const save = store.saveOrder.bind(store);
    let lost = 0;
    // The answer is there, and the process does not live to write down what was decided on it.
    store.saveOrder = async (key, owner, transition) => {
      if (transition.changes.decision !== undefined && lost === 0) {
        lost += 1;
        return false;
      }
      return save(key, owner, transition);
    };
    await change(to("CA"));
    await until(() => lost === 1);
    aheadMs += 61_000;

    const order = await until(({ state }) => state === "review");

    expect(order).toMatchObject({ creditsSpent: 2 });
    expect(verifier.calls).toHaveLength(2);
    expect(enriched).toBe(1);
  });
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HoldfastError, type ErrorCode, type Metered } from "../../src/base/errors.ts";
import type { Pipeline } from "../../src/pipeline/pipeline.ts";
import type { RiskLevel } from "../../src/order/risk-level.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import type { MappedOrder, PlatformEvent } from "../../src/platform/platform.ts";
import { createTestStore } from "../support/test-store.ts";
import type { OrderRecord, Store } from "../../src/store/store.ts";
import { aResult, anOrder } from "../support/orders.ts";
import { createTestPlatform, orderEvent } from "../support/platform.ts";
import { startPipeline } from "../support/test-pipeline.ts";
import { until } from "../support/until.ts";
import { createScriptedVerifier, type ScriptedVerifier } from "../support/verifier.ts";

const TENANT = "test:shop";
const ARRIVAL_MS = Date.UTC(2026, 10, 20, 12);
/** By the platform's clock. */
const PLACED_MS = ARRIVAL_MS - 2 * 3_600_000;
const FOUR_MINUTES_MS = 240_000;
/** How long a call hangs before it times out. */
const HANG_MS = 10_000;

/** How the service fails on an order, by its number: each in its own way. */
const FAILURES: readonly (readonly [code: ErrorCode, metered: Metered])[] = [
  ["VERIFICATION_FAILED", "yes"],
  ["VERIFICATION_TIMEOUT", "unknown"],
  ["VERIFICATION_INTERRUPTED", "unknown"],
  ["VERIFICATION_INTERRUPTED", "unknown"],
  ["VERIFICATION_MALFORMED", "yes"],
  ["VERIFICATION_MALFORMED", "yes"],
  ["VERIFICATION_FAILED", "yes"],
  ["VERIFICATION_MALFORMED", "yes"],
  ["VERIFICATION_UNREACHABLE", "no"],
];
const IDS = FAILURES.map((_, index) => String(index + 1));

let store: Store;
let verifier: ScriptedVerifier;
let pipeline: Pipeline;
let nowMs: number;
let isDown: boolean;
let level: RiskLevel;

const start = (): Pipeline =>
  startPipeline({
    store,
    platform: createTestPlatform(),
    accessOf: () => ({ verifier, keyId: "key" }),
    now: () => nowMs,
    maxPaidAttempts: 3,
  });

// Each has another buyer, so that the orders aren't a burst.
const toMapped = (orderId: string, changes: Partial<VerificationRequest> = {}): MappedOrder => ({
  outcome: "screenable",
  request: anOrder({ orderId, customerEmail: `customer${orderId}@example.com`, ...changes }),
  test: false,
});

async function deliver(orderId: string, receivedAtMs = nowMs): Promise<void> {
  await accept(
    `d-${orderId}`,
    receivedAtMs,
    orderEvent({ orderId, mapped: toMapped(orderId), updatedAtMs: PLACED_MS }),
  );
}

function accept(deliveryId: string, receivedAtMs: number, body: Buffer): Promise<unknown> {
  const topic = "orders/create";
  return pipeline.intake.accept({
    tenant: TENANT,
    deliveryId,
    platform: "test",
    topic,
    receivedAtMs,
    body,
  });
}

/** The platform reports two hours late that the order goes elsewhere. */
async function change(orderId: string): Promise<void> {
  const shippingAddress = { ...anOrder().shippingAddress, street: "9 Other Road" };
  const order = {
    orderId,
    name: "#1",
    customerId: undefined,
    mapped: toMapped(orderId, { shippingAddress }),
  };
  const event: PlatformEvent = {
    kind: "order-changed",
    order: { ...order, amount: 1, currency: "USD", updatedAtMs: PLACED_MS + 1_000 },
  };
  await accept(`c-${orderId}`, nowMs, Buffer.from(JSON.stringify(event)));
  await until(async () => (await read([orderId]))[0]?.revision?.rescreen === true, {
    between: () => pipeline.wake(),
  });
}

async function read(ids: readonly string[]): Promise<readonly OrderRecord[]> {
  const orders = await Promise.all(ids.map((orderId) => store.orders.get({ tenant: TENANT, orderId })));
  return orders.filter((order) => order !== null);
}

/** Wait until nothing is left to do now, then let time pass until something is due, and so on until the condition holds. */
async function passUntil(
  ids: readonly string[],
  condition: (order: OrderRecord) => boolean,
): Promise<readonly OrderRecord[]> {
  for (;;) {
    const orders = await until(
      async () => {
        const present = await read(ids);
        const isIdle = present.every(({ dueAtMs }) => dueAtMs === null || dueAtMs > nowMs);
        return present.length === ids.length && isIdle && present;
      },
      { between: () => pipeline.wake() },
    );
    if (orders.every(condition)) return orders;
    nowMs = Math.min(...orders.flatMap(({ dueAtMs }) => (dueAtMs === null ? [] : [dueAtMs])));
  }
}

const isDecided = ({ decision }: OrderRecord): boolean => decision !== null;
const callsOf = (orderId: string) => verifier.calls.filter((call) => call.orderId === orderId).length;

beforeEach(async () => {
  nowMs = ARRIVAL_MS;
  isDown = true;
  level = "critical";
  store = await createTestStore();
  await store.tenants.saveCredential(TENANT, "test", "secret", "installed", 0);
  verifier = createScriptedVerifier((_call, { orderId }) => {
    if (!isDown) return { result: aResult(level) };
    const [code, metered] = FAILURES[Number(orderId) - 1] ?? ["VERIFICATION_FAILED", "yes"];
    if (code === "VERIFICATION_TIMEOUT") nowMs += HANG_MS;
    throw new HoldfastError(code, "scripted", { retryable: true, metered });
  });
  pipeline = start();
});
afterEach(async () => {
  await pipeline.stop(100);
  await store.close();
});

describe("orders of one shop that the service fails on, each in its own way", () => {
  it("are all decided within four minutes, though they wait for each other behind the circuit", async () => {
    for (const orderId of IDS) await deliver(orderId);

    const orders = await passUntil(IDS, isDecided);

    const waits = orders.map(({ decidedAtMs }) => (decidedAtMs ?? Infinity) - ARRIVAL_MS);
    expect(Math.max(...waits), String(waits)).toBeLessThanOrEqual(FOUR_MINUTES_MS);
    expect(orders.map(({ decision }) => decision?.degraded)).toEqual(IDS.map(() => true));
    expect(Math.max(...IDS.map(callsOf).slice(0, -1)), "paid calls while an order waits").toBeLessThanOrEqual(
      2,
    );
  });

  it("are decided again once the service works, with at most three calls each", async () => {
    for (const orderId of IDS) await deliver(orderId);
    await passUntil(IDS, isDecided);
    isDown = false;

    const orders = await passUntil(IDS, ({ decision }) => decision?.source === "service");

    expect(orders.map(({ decision }) => decision?.action)).toEqual(IDS.map(() => "cancel"));
    expect(Math.max(...orders.map(({ creditsSpent }) => creditsSpent))).toBeLessThanOrEqual(3);
  });
});

describe("an order that arrived an hour before this process began to work", () => {
  it("is asked about as patiently as a new one", async () => {
    await deliver("9", ARRIVAL_MS - 3_600_000);

    const [order] = await passUntil(["9"], isDecided);

    const waitedMs = (order?.decidedAtMs ?? 0) - ARRIVAL_MS;
    expect(waitedMs).toBeGreaterThan(FOUR_MINUTES_MS / 4);
    expect(waitedMs).toBeLessThanOrEqual(FOUR_MINUTES_MS);
  });
});

describe("a changed order that the service fails on", () => {
  it("is decided again within four minutes of the change, however late the change was reported", async () => {
    isDown = false;
    level = "low";
    await deliver("9");
    await passUntil(["9"], isDecided);
    isDown = true;
    await change("9");

    const [order] = await passUntil(["9"], ({ revision }) => revision?.rescreen !== true);

    const waitedMs = (order?.decidedAtMs ?? 0) - ARRIVAL_MS;
    expect(order?.decision?.degraded).toBe(true);
    expect(waitedMs).toBeGreaterThan(FOUR_MINUTES_MS / 4);
    expect(waitedMs).toBeLessThanOrEqual(FOUR_MINUTES_MS);
  });
});

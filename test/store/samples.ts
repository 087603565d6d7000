import type { RetentionLimits } from "../../src/store/retention/retention.ts";
import type { MappedOrder } from "../../src/platform/platform.ts";
import type { Decision } from "../../src/order/decision.ts";
import type {
  AttemptRequest,
  ClaimOptions,
  NewDelivery,
  NewOrder,
  TimelineEntry,
} from "../../src/store/store.ts";
import type { TimelineEvent } from "../../src/store/orders/timeline.ts";
import type { VerificationResult } from "../../src/order/result.ts";

/** The time at which every test starts. */
export const T0 = Date.UTC(2026, 10, 20, 12);
export const MINUTE_MS = 60_000;
export const TENANT = "shopify:one.example";
export const OTHER_TENANT = "shopify:two.example";

export function delivery(deliveryId: string, changes: Partial<NewDelivery> = {}): NewDelivery {
  return {
    tenant: TENANT,
    deliveryId,
    platform: "shopify",
    topic: "orders/create",
    receivedAtMs: T0,
    body: Buffer.from(`{"id":"${deliveryId}"}`),
    ...changes,
  };
}

export function mapped(email = "jane@shop.example", name = "Jane Example"): MappedOrder {
  const address = {
    street: "1 Example Street",
    city: "Springfield",
    state: "IL",
    postalCode: "62701",
    country: "US",
  };
  return {
    outcome: "screenable",
    test: false,
    request: {
      orderAmount: 19.99,
      currency: "USD",
      customerName: name,
      customerEmail: email,
      isFirstTimeCustomer: true,
      shippingAddress: address,
      billingAddress: address,
    },
  };
}

export function order(orderId: string, changes: Partial<NewOrder> = {}): NewOrder {
  return {
    tenant: TENANT,
    orderId,
    platform: "shopify",
    name: `#${orderId}`,
    customerId: undefined,
    receivedAtMs: T0,
    mapped: mapped(),
    amount: 19.99,
    currency: "USD",
    ...changes,
  };
}

/** Kinds without further fields. */
type PlainKind = {
  [Kind in TimelineEvent["kind"]]: { kind: Kind } extends TimelineEvent ? Kind : never;
}[TimelineEvent["kind"]];

export function entry(kind: PlainKind, atMs = T0): TimelineEntry {
  return { atMs, kind, detail: `${kind} it`, event: { kind } as TimelineEvent, actor: "holdfast" };
}

export function claim(owner: string, changes: Partial<ClaimOptions> = {}): ClaimOptions {
  return { owner, nowMs: T0, leaseMs: MINUTE_MS, limit: 10, ...changes };
}

export function result(reasoning = "the addresses are far apart"): VerificationResult {
  return {
    riskScore: 70,
    riskLevel: "high",
    riskFactors: [{ factor: "distance", severity: "high", description: "far apart", category: "address" }],
    reasoning,
    recommendations: ["call the customer"],
  };
}

export function decision(changes: Partial<Decision> = {}): Decision {
  return {
    action: "hold",
    tags: ["holdfast-high"],
    reasons: ["level:high"],
    source: "service",
    degraded: false,
    riskLevel: "high",
    riskScore: 70,
    enforce: true,
    policyVersion: 1,
    ...changes,
  };
}

export function attempt(fingerprint: string, changes: Partial<AttemptRequest> = {}): AttemptRequest {
  return {
    tenant: TENANT,
    fingerprint,
    answersSinceMs: 0,
    failuresSinceMs: 0,
    orderId: undefined,
    owner: "p1",
    nowMs: T0,
    leaseMs: MINUTE_MS,
    maxPaidAttempts: 2,
    retryAfterMs: 0,
    reserveAfterMs: MINUTE_MS,
    seenHealthyAtMs: 0,
    budget: {
      daily: null,
      monthly: null,
      dayStartMs: T0 - 12 * 60 * MINUTE_MS,
      monthStartMs: Date.UTC(2026, 10, 1),
    },
    amount: undefined,
    currency: "USD",
    burst: { limit: null, atMs: T0, sources: [] },
    circuit: "key:none",
    trialUntilMs: T0 + MINUTE_MS,
    ...changes,
  };
}

const DAY_MS = 86_400_000;
/** 30 days for content, 90 for orders; the month isn't over yet. */
export const RETENTION_LIMITS: RetentionLimits = {
  nowMs: T0,
  contentBeforeMs: T0 - 30 * DAY_MS,
  deliveriesBeforeMs: T0 - 30 * DAY_MS,
  awaitingBeforeMs: T0 - 30 * DAY_MS,
  ordersBeforeMs: T0 - 90 * DAY_MS,
  ledgerBeforeMs: T0 - 90 * DAY_MS,
  quotasBeforeMs: T0 - 90 * DAY_MS,
  passingBeforeMs: T0 - 2 * DAY_MS,
  circuitsBeforeMs: T0 - 30 * DAY_MS,
  entry: entry("erased"),
};

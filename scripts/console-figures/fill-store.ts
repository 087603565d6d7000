import { createLocalEngine, type LocalEngine } from "../../src/engine/engine.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import type { Decision } from "../../src/order/decision.ts";
import { chooseAction } from "../../src/policy/choose-action.ts";
import { DEFAULT_POLICY } from "../../src/policy/policy.ts";
import { toOrderFacts, toStoredFacts } from "../../src/policy/order-facts.ts";
import { toDecidedEntry, toTimelineEntry } from "../../src/pipeline/timeline.ts";
import type { OrderRecord, OrderTransition, Store } from "../../src/store/store.ts";
import { toMadeOrder } from "./made-orders.ts";

/** Orders received at once, in one commit. */
const BATCH = 250;
const OWNER = "filled";
const HOUR_MS = 3_600_000;
/** One in this many held orders still waits for a person; the others were approved. */
const STILL_HELD = 4;

/** Options of {@link fillStore}. */
export interface FillOptions {
  readonly tenant: string;
  readonly platform: string;
  readonly orders: number;
  /** Number of days over which the orders came in, up to now. */
  readonly days: number;
  readonly nowMs: number;
}

/** Fill a store with decided orders of the past, through its own interface: received, claimed, checked, decided. */
export async function fillStore(store: Store, options: FillOptions): Promise<void> {
  const engine = createLocalEngine({ sandbox: true });
  for (let start = 0; start < options.orders; start += BATCH) {
    const count = Math.min(BATCH, options.orders - start);
    const numbers = Array.from({ length: count }, (_, index) => start + index);
    await Promise.all(numbers.map((number) => receive(store, options, number)));
    const claimed = await store.orders.claim({
      owner: OWNER,
      nowMs: options.nowMs,
      leaseMs: HOUR_MS,
      limit: BATCH,
    });
    await Promise.all(
      claimed.map((order, index) => settle({ store, engine, nowMs: options.nowMs }, order, index)),
    );
  }
}

async function receive(store: Store, options: FillOptions, number: number): Promise<void> {
  const { tenant, platform, orders, days, nowMs } = options;
  // The last one came a minute ago.
  const receivedAtMs = nowMs - 60_000 - Math.round(((orders - 1 - number) / orders) * days * 24 * HOUR_MS);
  const { request, amount, name } = toMadeOrder(number, receivedAtMs);
  await store.orders.receive(
    {
      tenant,
      orderId: request.orderId ?? String(number),
      platform,
      name,
      customerId: `customer-${number % 997}`,
      receivedAtMs,
      mapped: { outcome: "screenable", request, test: false },
      amount,
      currency: request.currency,
    },
    toTimelineEntry(receivedAtMs, { kind: "received" }, "orders/create", "platform"),
  );
}

interface Settling {
  readonly store: Store;
  readonly engine: LocalEngine;
  readonly nowMs: number;
}

async function settle({ store, engine, nowMs }: Settling, order: OrderRecord, index: number): Promise<void> {
  if (order.mapped?.outcome !== "screenable") return;
  const { request } = order.mapped;
  const { engine: _, confidence: __, limitations: ___, scorecard: ____, ...result } = engine.assess(request);
  const decision = toDecision(request, result);
  const isHeld = decision.action === "hold";
  const isQueued = isHeld && index % STILL_HELD === 0;
  await store.orders.save(order, OWNER, toTransition({ order, request, result, decision, isQueued, nowMs }));
}

function toDecision(
  request: VerificationRequest,
  result: Parameters<typeof chooseAction>[0]["result"],
): Decision {
  return chooseAction({
    policy: DEFAULT_POLICY,
    policyVersion: 0,
    facts: toOrderFacts(request),
    result,
    source: "service",
    degraded: false,
  });
}

interface TransitionParts {
  readonly order: OrderRecord;
  readonly request: VerificationRequest;
  readonly result: NonNullable<OrderTransition["changes"]["result"]>;
  readonly decision: Decision;
  readonly isQueued: boolean;
  readonly nowMs: number;
}

function toTransition(parts: TransitionParts): OrderTransition {
  const { order, request, result, decision, isQueued, nowMs } = parts;
  const { receivedAtMs } = order;
  const isApproved = decision.action === "hold" && !isQueued;
  const decidedAtMs = receivedAtMs + 900;
  return {
    changes: {
      state: isQueued ? "review" : "settled",
      dueAtMs: null,
      result,
      facts: toStoredFacts(toOrderFacts(request)),
      decision: isApproved ? toApproval(decision) : decision,
      decidedAtMs,
      settledAtMs: decidedAtMs + 600,
      // Deadlines from a few hours ago to three days ahead.
      holdDeadlineMs: isQueued ? nowMs + ((receivedAtMs / 1_000) % 77) * HOUR_MS - 5 * HOUR_MS : null,
    },
    entries: [
      toDecidedEntry(decidedAtMs, decision),
      toTimelineEntry(decidedAtMs + 600, { kind: isQueued ? "review" : "settled", problems: [] }, ""),
    ],
    release: true,
  };
}

function toApproval(machine: Decision): Decision {
  const { action, tags, reasons, source, degraded, policyVersion } = machine;
  return {
    ...machine,
    action: "allow",
    tags: [],
    reasons: ["person:approved"],
    source: "person",
    actor: "person:7",
    machine: { action, tags, reasons, source, degraded, policyVersion },
  };
}

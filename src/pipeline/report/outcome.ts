import { isStop, toPersonAct, type DeclineReason } from "../../order/decision.ts";
import { isForRecord } from "../../order/order-effects.ts";
import type { Dispute, TenantId } from "../../platform/platform.ts";
import { toPastDecision } from "../../policy/past-decision.ts";
import type { Outcome } from "../../policy/replay-tally.ts";
import type { DecidedContent, DecidedOrder, DecidedPage } from "../../store/figures/replay-source.ts";
import type { TimeWindow } from "../../store/slices.ts";
import type { OrderTrace } from "../../store/outcomes/outcomes.ts";
import type { OrderFilter, OrderRecord, OrderState, Store } from "../../store/store.ts";
import { toTracedEnd } from "../order-life/order-end.ts";
import { hasEndedAs } from "../timeline.ts";

/** Orders per page: a few milliseconds of work before other requests get their turn. */
export const ORDERS_PER_PAGE = 100;

export type PageStore = Pick<Store, "figures" | "outcomes" | "nextTurn">;

export interface TracedOrder {
  readonly order: DecidedOrder;
  readonly trace: OrderTrace | undefined;
}

export interface DecidedWindow extends TimeWindow {
  readonly content?: DecidedContent;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A tenant's decided orders, page by page, newest first. Requests are served between two pages. The signal stops it there,
 * and it rejects.
 *
 * @param window - `content` is how much of each order to decrypt. Default: nothing.
 */
export async function* readDecidedOrders(
  store: Pick<Store, "figures" | "nextTurn">,
  tenant: TenantId,
  { signal, content = "none", ...window }: DecidedWindow,
): AsyncGenerator<readonly DecidedOrder[]> {
  let after: DecidedPage["next"] = null;
  do {
    // SQLite reads block the event loop, so let other work run.
    await store.nextTurn(tenant, signal);
    const page = { ...window, limit: ORDERS_PER_PAGE, content, after };
    const { orders, next }: Awaited<ReturnType<Store["figures"]["listDecided"]>> =
      await store.figures.listDecided(tenant, page);
    yield orders;
    after = next;
  } while (after !== null);
}

/** Like {@link readDecidedOrders}, with what happened to each order. */
export async function* readDecidedPages(
  store: PageStore,
  tenant: TenantId,
  window: DecidedWindow,
): AsyncGenerator<readonly TracedOrder[]> {
  for await (const orders of readDecidedOrders(store, tenant, window)) {
    const ids = orders.map(({ orderId }) => orderId);
    const traces = await store.outcomes.loadTraces(tenant, ids);
    yield orders.map((order) => ({ order, trace: traces.get(order.orderId) }));
  }
}

/**
 * The outcome of an order. A chargeback for fraud counts most, then a person's decision, then the end that we recorded, then
 * what the platform showed later. Pure.
 */
export function toOutcome(
  { decision, skipReason, state }: Pick<DecidedOrder, "decision" | "skipReason" | "state">,
  trace: OrderTrace | undefined,
): Outcome {
  if (trace?.disputes.some(isFraudLoss) === true) return "charged-back";
  if (decision.source === "person") return OF_ACTS[toPersonAct(decision)];
  if (skipReason === "CANCELLED") return "cancelled";
  const { events = [], observed = null } = trace ?? {};
  const isCanceled = events.some((event) => event.kind === "cancel-done" || hasEndedAs("cancelled", event));
  if (isCanceled) return "cancelled";
  if (events.some(isApproval)) return "approved";
  return events.some((event) => hasEndedAs("shipped", event)) ? "shipped" : toSeen(observed, state);
}

/** Which of some orders ended like this, for a list. An undecided order is open. */
export function createOutcomeFilter(
  store: Pick<Store, "outcomes">,
  tenant: TenantId,
  outcome: Outcome,
): NonNullable<OrderFilter["accept"]> {
  return async (orders) => {
    const ids = orders.map(({ orderId }) => orderId);
    const traces = await store.outcomes.loadTraces(tenant, ids);
    const kept = orders.filter((order) => toListedOutcome(order, traces.get(order.orderId)) === outcome);
    return new Set(kept.map(({ orderId }) => orderId));
  };
}

export function toListedOutcome(
  { decision, ...order }: Pick<OrderRecord, "decision" | "skipReason" | "state">,
  trace: OrderTrace | undefined,
): Outcome {
  return decision === null ? "open" : toOutcome({ ...order, decision }, trace);
}

const OF_ACTS = { approve: "approved", decline: "declined", handle: "handled" } as const;

/** Whether a person released our hold on the platform. What an app did isn't a verdict, nor is what nobody is known to have done. */
function isApproval({ event }: OrderTrace["events"][number]): boolean {
  return event.kind === "hold-overridden" && event.by === "person";
}

/** Whether an order was charged back for fraud, and the bank didn't decide for the shop. */
function isFraudLoss({ kind, status, isFraud }: Dispute): boolean {
  return isFraud && kind === "chargeback" && status !== "won" && status !== "prevented";
}

function toSeen(observed: OrderTrace["observed"], state: OrderState): Outcome {
  if (observed?.known === true) {
    if (observed.cancelled) return "cancelled";
    return observed.shipped ? "shipped" : "open";
  }
  return state === "settled" || state === "failed" ? "unknown" : "open";
}

/**
 * A paid order without a dispute counts as good after this time. Card networks let cardholders dispute for up to 120 days,
 * but orders are kept for 90 by default: waiting longer would leave few to count. A later chargeback still turns the order
 * into fraud.
 */
export const UNDISPUTED_AFTER_MS = 60 * 86_400_000;

/** Decline reasons that mean fraud. The others mean the customer's wish, a promotion or a customer who didn't answer. */
const FRAUD_REASONS: ReadonlySet<DeclineReason | undefined> = new Set<DeclineReason>([
  "suspected-fraud",
  "stolen-payment",
  "false-details",
]);
/** These orders aren't sales. */
const NO_SALE: ReadonlySet<string | null> = new Set(["TEST_ORDER", "ZERO_AMOUNT", "CANCELLED"]);

/** Whether the shop sold the order: it isn't a test and wasn't canceled, nor declined before it shipped. */
export function isSold(order: DecidedOrder, trace: OrderTrace | undefined): boolean {
  const outcome = toOutcome(order, trace);
  if (NO_SALE.has(order.skipReason) || outcome === "cancelled") return false;
  return outcome !== "declined" || hasShipped(order, trace);
}

/** Whether the order went to the customer after all, although Holdfast should have stopped it or somebody declined it. */
export function wasLetGo(order: DecidedOrder, trace: OrderTrace | undefined): boolean {
  // A chargeback comes later, and says nothing about the goods.
  const before = trace && { ...trace, disputes: [] };
  const isAtRest = order.state === "settled" || order.state === "failed";
  return order.decision.enforce && isAtRest && isSold(order, before);
}

function hasShipped(order: DecidedOrder, trace: OrderTrace | undefined): boolean {
  const { observed = null } = trace ?? {};
  return toTracedEnd(order, trace) === "shipped" || toSeen(observed, order.state) === "shipped";
}

export type FraudOutcome = "fraud" | "good" | "refunded";

/**
 * How an order turned out, according to a bank, a person or the time without a dispute; null while that isn't known.
 * Holdfast's own cancel isn't evidence. `refunded` is neither fraud nor good: either the goods were returned or somebody
 * refunded before the bank did, and platforms don't say which. A refunded order isn't disputed, so time proves nothing. Pure.
 */
export function toFraudOutcome(
  order: Pick<DecidedOrder, "effects" | "decision" | "skipReason" | "state" | "receivedAtMs">,
  trace: OrderTrace | undefined,
  nowMs: number,
): FraudOutcome | null {
  const outcome = toOutcome(order, trace);
  if (outcome === "charged-back") return "fraud";
  // An inquiry may become a chargeback, and a prevented one was refunded.
  if (
    NO_SALE.has(order.skipReason) ||
    trace?.disputes.some(({ isFraud, status }) => isFraud && status !== "won")
  )
    return null;
  if (outcome === "declined") return FRAUD_REASONS.has(order.decision.declineReason) ? "fraud" : null;
  if (isCancelledAsFraud(order, trace)) return "fraud";
  if (outcome === "approved") return "good";
  if (isRefunded(outcome, trace)) return "refunded";
  const isOld = nowMs - order.receivedAtMs >= UNDISPUTED_AFTER_MS;
  return isOld && isPassed(order, outcome) ? "good" : null;
}

/** A cancel also refunds, and is more specific. */
function isRefunded(outcome: Outcome, trace: OrderTrace | undefined): boolean {
  return outcome !== "cancelled" && trace?.events.some(({ kind }) => kind === "refunded") === true;
}

/** Only cancels by somebody on the platform, because Holdfast's own cancels give the same reason. */
function isCancelledAsFraud({ decision }: Pick<DecidedOrder, "decision">, trace: OrderTrace | undefined) {
  if (decision.action === "cancel" && decision.enforce) return false;
  return (trace?.events ?? []).some(
    ({ event }) => event.kind === "cancelled-on-platform" && event.asFraud === true,
  );
}

/** The order went to the customer. For imported orders from before Holdfast, disputes aren't known. */
function isPassed(order: Pick<DecidedOrder, "effects" | "decision" | "state">, outcome: Outcome): boolean {
  if (isForRecord(order)) return false;
  if (outcome === "shipped" || outcome === "handled") return true;
  return outcome === "unknown" && order.state === "settled" && !isStop(toPastDecision(order.decision).action);
}

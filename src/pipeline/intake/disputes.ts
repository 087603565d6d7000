import { alertOnce } from "../../alerts/alert-once.ts";
import { isForRecord } from "../../order/order-effects.ts";
import type { Dispute } from "../../platform/platform.ts";
import type { KeptDispute } from "../../store/outcomes/disputes.ts";
import type { OrderKey, OrderRecord } from "../../store/store.ts";
import type { Carried, DeliveryTask } from "../tasks.ts";
import { toTimelineEntry } from "../timeline.ts";
import { toRemembered } from "../enforce/observe.ts";
import { holdDisputed, needsHoldForInquiry } from "../order-life/inquiry.ts";
import { toCancelProgress } from "../order-life/step-plan.ts";
import { alertEvidenceDue } from "../watch/evidence-due.ts";
import { alertHidden } from "../watch/hidden-order.ts";

/** Longer than a bank takes to decide, so each dispute alerts once. */
const QUIET_MS = 180 * 86_400_000;
/** How long to wait while the order is worked on. */
const BUSY_MS = 5_000;
const UNDECIDED_MS = 60_000;

/**
 * Store a dispute with its order, and alert a person. An open inquiry puts the order on hold: the bank only asks so far, and a
 * refund now costs less than a later chargeback. Disputes of unknown orders are ignored: only for known ones was it checked
 * which tenant they belong to.
 */
export async function noteDispute(task: DeliveryTask, dispute: Dispute): Promise<Carried> {
  const { store, now, delivery } = task;
  const { tenant } = delivery;
  const key = { tenant, orderId: dispute.orderId };
  if ((await store.tenants.get(tenant))?.state !== "installed") return "not-installed";
  if ((await store.deliveries.traceBody(delivery)).repeated) return "known-already";
  const { kind, status, reason } = dispute;
  const detail = `${kind} ${status}: ${reason.replaceAll("_", " ")}`;
  const entry = toTimelineEntry(now(), { kind: "dispute" }, detail, "platform");
  const recorded = await store.outcomes.recordDispute(key, dispute, entry);
  if (recorded === null) return "order-unknown";
  const { kept } = recorded;
  if (kept.status !== "open") return "dispute-recorded";
  await alertShop(task, key, kept);
  await alertEvidenceDue(task, { ...kept, tenant });
  return kept.kind === "inquiry" ? stopShipping(task, key, kept) : "dispute-recorded";
}

const ALERTS = {
  inquiry: ["dispute_inquiry", "a bank asks about an order's payment"],
  chargeback: ["dispute_chargeback", "an order was charged back"],
} as const;

function alertShop(
  task: DeliveryTask,
  { tenant, orderId }: OrderKey,
  { disputeId, kind, reason: problem }: KeptDispute,
): Promise<void> {
  const incident = { tenant, name: `dispute_${kind}:${disputeId}`, quietMs: QUIET_MS };
  const [alert, message] = ALERTS[kind];
  return alertOnce(task, incident, alert, { problem, tenant, orderId }, message);
}

async function stopShipping(task: DeliveryTask, key: OrderKey, inquiry: KeptDispute): Promise<Carried> {
  const { store, policyOf, now, platform, signal } = task;
  const order = await store.orders.get(key);
  const { policy } = await policyOf(key.tenant);
  if (order === null || isForRecord(order) || policy.mode === "shadow") return "dispute-recorded";
  // A cancel that has begun on the platform can't be stopped: wait for its end.
  const isCanceling = toCancelProgress(order, await store.orders.listSteps(order)) === "begun";
  if (isUndecided(order) || isCanceling) return { retryAtMs: now() + UNDECIDED_MS };
  if (!needsHoldForInquiry(order, inquiry)) return "dispute-recorded";
  const remembered = toRemembered(store, order);
  const observed = await platform.observe(key.tenant, key.orderId, { signal, remembered });
  if (observed === "hidden") {
    await alertHidden(task, order);
    return "dispute-order-hidden";
  }
  if (observed === null || observed.cancelled || observed.fulfilled) return "dispute-too-late-to-hold";
  const decided = await store.orders.decideAtRest(key, now(), ({ order: current, steps }) =>
    holdDisputed(current, steps, inquiry, now()),
  );
  return decided === "busy" ? { retryAtMs: now() + BUSY_MS } : `dispute-${decided}`;
}

function isUndecided({ decision, state }: OrderRecord): boolean {
  return decision === null && state !== "settled" && state !== "failed";
}

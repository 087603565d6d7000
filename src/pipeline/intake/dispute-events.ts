import type { Logger } from "../../base/logger.ts";
import type { Dispute, Platform } from "../../platform/platform.ts";
import type { KeptDispute } from "../../store/outcomes/disputes.ts";
import type { ClaimedDelivery, OrderKey, OrderRecord, Store } from "../../store/store.ts";
import type { PolicyOf } from "../../settings/current-policy.ts";
import { holdDisputed, isToHold, toCancelProgress } from "../decide/inquiry-hold.ts";
import { toTimelineEntry } from "../timeline.ts";

/** Parts of {@link noteDispute}. */
export interface DisputeEventOptions {
  readonly store: Pick<
    Store,
    "getTenant" | "traceBody" | "recordDispute" | "openIncident" | "getOrder" | "listSteps" | "decideAtRest"
  >;
  readonly policyOf: PolicyOf;
  readonly now: () => number;
  readonly logger: Logger;
}

/** A delivery about a dispute. */
export interface DisputeDelivery {
  readonly delivery: ClaimedDelivery;
  readonly platform: Platform;
  readonly signal: AbortSignal;
}

type Noted = string | { readonly retryAtMs: number };

/** Longer than a bank takes to decide, so that each dispute alerts once. */
const QUIET_MS = 180 * 86_400_000;
/** While the order is being worked on. */
const BUSY_MS = 5_000;
const UNDECIDED_MS = 60_000;

/**
 * Keep a dispute with its order, and tell a person. The order of an open inquiry stops shipping: the bank still asks,
 * and a refund now costs less than the chargeback that may follow. Only orders that are known count: whose they are was
 * checked when they came.
 */
export async function noteDispute(
  options: DisputeEventOptions,
  { delivery, platform, signal }: DisputeDelivery,
  dispute: Dispute,
): Promise<Noted> {
  const { store, now } = options;
  const { tenant } = delivery;
  const key = { tenant, orderId: dispute.orderId };
  if ((await store.getTenant(tenant))?.state !== "installed") return "not-installed";
  if ((await store.traceBody(delivery)).repeated) return "known-already";
  const entry = toTimelineEntry(now(), { kind: "dispute" }, toDetail(dispute), "platform");
  const recorded = await store.recordDispute(key, dispute, entry);
  if (recorded === null) return "order-unknown";
  const { kept } = recorded;
  if (kept.status !== "open") return "dispute-recorded";
  await tell(options, key, kept);
  return kept.kind === "inquiry"
    ? stopShipping(options, key, kept, { platform, signal })
    : "dispute-recorded";
}

/** A dispute's line in the timeline. */
function toDetail({ kind, status, reason }: Dispute): string {
  return `${kind} ${status}: ${reason.replaceAll("_", " ")}`;
}

async function tell(
  { store, logger, now }: DisputeEventOptions,
  { tenant, orderId }: OrderKey,
  { disputeId, kind, reason }: KeptDispute,
): Promise<void> {
  const incident = { tenant, name: `dispute_${kind}:${disputeId}`, nowMs: now(), quietMs: QUIET_MS };
  if (!(await store.openIncident(incident)).isNews) return;
  const about = { problem: reason, tenant, orderId };
  if (kind === "inquiry") {
    logger.error({ alert: "dispute_inquiry", ...about }, "a bank asks about an order's payment");
  } else {
    logger.error({ alert: "dispute_chargeback", ...about }, "an order was charged back");
  }
}

async function stopShipping(
  options: DisputeEventOptions,
  key: OrderKey,
  inquiry: KeptDispute,
  { platform, signal }: Pick<DisputeDelivery, "platform" | "signal">,
): Promise<Noted> {
  const { store, policyOf, now } = options;
  const order = await store.getOrder(key);
  const { policy } = await policyOf(key.tenant);
  if (order === null || order.recordOnly || policy.mode === "shadow") return "dispute-recorded";
  // What has begun on the platform can't be called back: how it ends is seen first.
  const isCanceling = toCancelProgress(order, await store.listSteps(order)) === "begun";
  if (isUndecided(order) || isCanceling) return { retryAtMs: now() + UNDECIDED_MS };
  if (!isToHold(order, inquiry)) return "dispute-recorded";
  const observed = await platform.observe(key.tenant, key.orderId, { signal });
  if (observed === null || observed.cancelled || observed.fulfilled) return "dispute-too-late-to-hold";
  const decided = await store.decideAtRest(key, now(), ({ order: current, steps }) =>
    holdDisputed(current, steps, inquiry, now()),
  );
  return decided === "busy" ? { retryAtMs: now() + BUSY_MS } : `dispute-${decided}`;
}

function isUndecided({ decision, state }: OrderRecord): boolean {
  return decision === null && state !== "settled" && state !== "failed";
}

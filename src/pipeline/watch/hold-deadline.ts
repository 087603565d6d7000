import { findReason } from "../../order/reasons.ts";
import type { Policy } from "../../policy/policy.ts";
import { isOptedOut, toOrderFacts } from "../../policy/rules.ts";
import type { OrderRecord, StepRecord, TimelineEntry, IncidentStore } from "../../store/store.ts";
import { type ObservedOrder, toKnown } from "../../platform/platform.ts";
import type { OrderEnd } from "../../platform/enforcement-step.ts";
import type { Logger } from "../../base/logger.ts";
import { toTimelineEntry } from "../timeline.ts";
import { toProblemText, type OrderProblem } from "../../store/orders/timeline.ts";

/** What has to be done about a held order, by what the platform shows and what time it is. */
export type HoldFinding =
  /** The order ended there: nothing is left to watch. */
  | { readonly kind: "ended"; readonly ended: OrderEnd }
  /** A person took our hold away: theirs is the last word. */
  | { readonly kind: "overridden" }
  /** The deadline has passed, and whoever was to be warned of it was. */
  | { readonly kind: "overdue"; readonly outcome: "keep" | "release" | "cancel" }
  /** Still held, as it should be. `expiring`: the deadline is near. `holdable`: more of it may be held now. */
  | { readonly kind: "held"; readonly expiring: boolean; readonly holdable: boolean };

/** How long before its deadline a hold is warned of, so that somebody can look at the order in working hours. */
export const WARNING_MS = 6 * 3_600_000;

type HeldOrder = Pick<OrderRecord, "holdDeadlineMs" | "decision" | "mapped" | "facts">;

/**
 * Judge a held order. Pure. A deadline that passed while Holdfast couldn't look, in a downtime or in shadow mode, does nothing
 * before somebody was warned of it.
 */
export function judgeHold(
  order: HeldOrder,
  observed: ObservedOrder,
  policy: Policy,
  { nowMs, isWarned }: { readonly nowMs: number; readonly isWarned: boolean },
): HoldFinding {
  if (observed.cancelled) return { kind: "ended", ended: "cancelled" };
  if (observed.holds.length === 0) {
    return observed.fulfilled ? { kind: "ended", ended: "shipped" } : { kind: "overridden" };
  }
  const deadlineMs = order.holdDeadlineMs ?? Number.POSITIVE_INFINITY;
  const outcome = toDeadlineOutcome(policy, order);
  if (nowMs >= deadlineMs && (isWarned || outcome === "keep")) return { kind: "overdue", outcome };
  return { kind: "held", expiring: nowMs >= deadlineMs - WARNING_MS, holdable: observed.holdable };
}

const HOUR_MS = 3_600_000;

/**
 * The deadline of a hold that is being warned of now. Who is warned late gets the usual time all the same: the order isn't
 * released or canceled before they could look at it.
 */
export function toWarnedDeadlineMs(policy: Policy, order: HeldOrder, nowMs: number): number | null {
  const { holdDeadlineMs } = order;
  if (holdDeadlineMs === null || toDeadlineOutcome(policy, order) === "keep") return holdDeadlineMs;
  const noticeMs = Math.min(WARNING_MS, policy.hold.deadlineHours * HOUR_MS);
  return holdDeadlineMs - nowMs < noticeMs / 2 ? nowMs + noticeMs : holdDeadlineMs;
}

/**
 * Time lets go neither of what a bank asks about, nor of what was to be canceled and could not be: a person declined it, the
 * platform refused, too many were canceled in an hour, or somebody had released its hold before. What would have been
 * canceled before the shop saved a policy waits for a person, as the shop was told.
 */
function toDeadlineOutcome(policy: Policy, order: HeldOrder): "keep" | "release" | "cancel" {
  const { decision } = order;
  const { onDeadline } = policy.hold;
  if (isForPersons(decision)) return "keep";
  if (onDeadline === "release") return isToBeCanceled(decision) ? "keep" : "release";
  return onDeadline === "cancel" && mayBeCanceled(policy, order) ? "cancel" : "keep";
}

/**
 * A deadline may cancel only what the service said to be fraud: a guess never cancels, and nobody who is opted out of
 * automated decisions is canceled.
 */
function mayBeCanceled(policy: Policy, order: HeldOrder): boolean {
  const { decision } = order;
  if (decision === null || hasOptedOut(policy, order)) return false;
  const isAnswered = !decision.degraded && ["service", "cache"].includes(decision.source);
  // An answer in shadow mode may have released what is held for the one before it.
  return isAnswered && (decision.action === "hold" || decision.action === "cancel");
}

function isToBeCanceled(decision: HeldOrder["decision"]): boolean {
  return decision?.action === "cancel" || decision?.machine?.action === "cancel";
}

function isForPersons(decision: HeldOrder["decision"]): boolean {
  if (decision === null) return false;
  const { source, disputed, reasons } = decision;
  return source === "person" || disputed === true || findReason(reasons, "no-policy-saved") !== undefined;
}

function hasOptedOut(policy: Policy, { mapped, facts }: HeldOrder): boolean {
  const { context } = toOrderFacts({}, mapped?.context);
  return isOptedOut(policy, { context, optedOut: facts?.optedOut });
}

/** How long before an authorization ends somebody is warned: time to decide within a working day. */
const AUTHORIZATION_WARNING_MS = 24 * 3_600_000;

/** From when on somebody has to know that a held order's payment can soon no longer be captured; null without an end. */
function toAuthorizationWarningMs({ mapped }: Pick<OrderRecord, "mapped">): number | null {
  const endMs = Date.parse(mapped?.context?.authorizationExpiresAt ?? "");
  return Number.isNaN(endMs) ? null : endMs - AUTHORIZATION_WARNING_MS;
}

/** Shopify Protect covers an order that ships within 7 days of being placed, with tracking. */
const COVER_MS = 7 * 24 * 3_600_000;
/** How long before its end a cover is warned of: long enough to decide, pack and ship. */
const COVER_WARNING_MS = 48 * 3_600_000;

/** When to warn that a hold lets the order's cover lapse; null when there is no cover to lose. */
export function toCoverWarningMs({
  mapped,
  receivedAtMs,
}: Pick<OrderRecord, "mapped" | "receivedAtMs">): number | null {
  if (mapped === null) return null;
  const { protect, protectEligibility } = mapped.context ?? {};
  const isCovered = protect === "active" || (protect === "pending" && protectEligibility !== "not-eligible");
  if (!isCovered) return null;
  const { orderTimestamp } = toKnown(mapped);
  const placedAtMs = Date.parse(orderTimestamp ?? "");
  return (Number.isNaN(placedAtMs) ? receivedAtMs : placedAtMs) + COVER_MS - COVER_WARNING_MS;
}

/** When to warn that a hold costs something; null for what there is not to lose. */
export function toWarningsMs(
  order: Pick<OrderRecord, "mapped" | "receivedAtMs">,
): readonly (number | null)[] {
  return [toCoverWarningMs(order), toAuthorizationWarningMs(order)];
}

/** What Holdfast noted about a hold. */
export type HoldNotes = NonNullable<StepRecord["notes"]>;

/** Where warnings go, and the time. */
interface Surroundings {
  readonly logger: Logger;
  readonly now: () => number;
}

/** What a look at a held order leaves to write down. */
interface Warned {
  readonly notes: HoldNotes;
  readonly entries: readonly TimelineEntry[];
}

/**
 * Warn, each once, when the hold is about to cost the order its cover, or its payment. Nothing is done about it: whether the
 * order ships is a person's decision.
 */
export function warnOfLosses({ logger, now }: Surroundings, order: OrderRecord, notes: HoldNotes): Warned {
  const { tenant, orderId } = order;
  const nowMs = now();
  const isTime = (warningMs: number | null): boolean => warningMs !== null && nowMs >= warningMs;
  const warned: Record<string, string> = {};
  const entries: TimelineEntry[] = [];
  if (isTime(toCoverWarningMs(order)) && notes["lapsing"] === undefined) {
    logger.error(
      { alert: "protection_lapsing", tenant, orderId },
      "a hold is about to cost an order its chargeback protection",
    );
    const detail = "ships with tracking within 7 days of being placed, or loses its cover";
    entries.push(toTimelineEntry(nowMs, { kind: "protection-lapsing" }, detail));
    warned["lapsing"] = "yes";
  }
  // Once for each authorization.
  const endsAt = order.mapped?.context?.authorizationExpiresAt ?? "";
  if (isTime(toAuthorizationWarningMs(order)) && notes["authorization"] !== endsAt) {
    logger.error(
      { alert: "authorization_expiring", tenant, orderId },
      "the payment of a held order can soon no longer be captured",
    );
    const detail = `the payment can be captured until ${endsAt}`;
    entries.push(toTimelineEntry(nowMs, { kind: "authorization-expiring" }, detail));
    warned["authorization"] = endsAt;
  }
  return { notes: warned, entries };
}

const MONTH_MS = 30 * 24 * 3_600_000;
/** Platforms route an order for fulfilment within minutes; what takes longer is somebody's to look at. */
const LATE_HOLD_MS = 30 * 60_000;

/** An order whose goods are not all on hold can ship: told once. */
export async function warnOfLateHold(
  { store, logger, now }: Surroundings & { readonly store: Pick<IncidentStore, "openIncident"> },
  { tenant, orderId, decidedAtMs }: OrderRecord,
  problems: readonly OrderProblem[],
): Promise<void> {
  const nowMs = now();
  if (nowMs < (decidedAtMs ?? nowMs) + LATE_HOLD_MS) return;
  const incident = { tenant, name: `hold_not_placed:${orderId}`, nowMs, quietMs: MONTH_MS };
  if ((await store.openIncident(incident)).isNews)
    logger.error(
      { alert: "hold_not_placed", problem: toProblemText(problems), tenant, orderId },
      "an order that is to be held is not held yet, or not all of it",
    );
}

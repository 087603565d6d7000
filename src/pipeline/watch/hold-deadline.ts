import { findReason } from "../../order/reasons.ts";
import type { Policy } from "../../policy/policy.ts";
import { isOptedOut, toOrderFacts } from "../../policy/rules.ts";
import type { OrderRecord, StepRecord, TimelineEntry, IncidentStore } from "../../store/store.ts";
import { type ObservedOrder, toKnown } from "../../platform/platform.ts";
import type { OrderEnd } from "../../platform/enforcement-step.ts";
import type { Logger } from "../../base/logger.ts";
import { toTimelineEntry } from "../timeline.ts";
import { toProblemText, type OrderProblem } from "../../store/orders/timeline.ts";

/** What to do about a held order, given what the platform shows and the time. */
export type HoldFinding =
  /** The order ended on the platform: nothing is left to watch. */
  | { readonly kind: "ended"; readonly ended: OrderEnd }
  /** A person released our hold, and that is final. */
  | { readonly kind: "overridden" }
  /** The deadline has passed, and whoever was to be warned was. `holdable`: more of it may be held now. */
  | {
      readonly kind: "overdue";
      readonly outcome: "keep" | "release" | "cancel";
      readonly holdable: boolean;
    }
  /** Still held, as it should be. `expiring`: the deadline is near. `holdable`: more of it may be held now. */
  | { readonly kind: "held"; readonly expiring: boolean; readonly holdable: boolean };

/** How long before a hold's deadline to warn, so that somebody can review the order in working hours. */
export const WARNING_MS = 6 * 3_600_000;

type HeldOrder = Pick<OrderRecord, "holdDeadlineMs" | "decision" | "mapped" | "facts">;

/**
 * Say what to do about a held order. Pure. A deadline that passed while Holdfast couldn't look, in a downtime or in shadow mode,
 * does nothing before somebody was warned of it.
 */
export function judgeHold(
  order: HeldOrder,
  observed: ObservedOrder,
  policy: Policy,
  { nowMs, isWarned }: { readonly nowMs: number; readonly isWarned: boolean },
): HoldFinding {
  if (observed.cancelled) return { kind: "ended", ended: "cancelled" };
  if (observed.holds.length === 0 && observed.holdsReplaced !== true) {
    return observed.fulfilled ? { kind: "ended", ended: "shipped" } : { kind: "overridden" };
  }
  const { holdable } = observed;
  const deadlineMs = order.holdDeadlineMs ?? Number.POSITIVE_INFINITY;
  const outcome = toDeadlineOutcome(policy, order);
  if (nowMs >= deadlineMs && (isWarned || outcome === "keep")) return { kind: "overdue", outcome, holdable };
  return { kind: "held", expiring: nowMs >= deadlineMs - WARNING_MS, holdable };
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
 * What happens at the deadline. It doesn't release an order that a bank asks about, nor one that should have been canceled: a
 * person declined it, the platform refused the cancel, or the hourly limit stopped it. A hold in place of a cancel waits for a
 * person, as the shop was told.
 */
function toDeadlineOutcome(policy: Policy, order: HeldOrder): "keep" | "release" | "cancel" {
  const { decision } = order;
  const { onDeadline } = policy.hold;
  if (isForPersons(decision)) return "keep";
  if (onDeadline === "release") return isToBeCanceled(decision) ? "keep" : "release";
  return onDeadline === "cancel" && mayBeCanceled(policy, order) ? "cancel" : "keep";
}

/**
 * Whether the deadline may cancel the order: only if an answer of the service held or canceled it, and if the customer isn't
 * opted out of automated decisions.
 */
function mayBeCanceled(policy: Policy, order: HeldOrder): boolean {
  const { decision } = order;
  if (decision === null || hasOptedOut(policy, order)) return false;
  const isAnswered = !decision.degraded && ["service", "cache"].includes(decision.source);
  // An answer in shadow mode may allow an order that is still held for the answer before.
  return isAnswered && (decision.action === "hold" || decision.action === "cancel");
}

function isToBeCanceled(decision: HeldOrder["decision"]): boolean {
  return decision?.action === "cancel" || decision?.machine?.action === "cancel";
}

/** Why an order is held instead of canceled until a person decides. */
const HELD_INSTEAD = [
  "no-policy-saved",
  "opted-out",
  "local-never-cancels",
  "hold-released",
  "policy-changed",
] as const;

function isForPersons(decision: HeldOrder["decision"]): boolean {
  if (decision === null) return false;
  const { source, disputed, reasons } = decision;
  const isHeldInstead = HELD_INSTEAD.some((code) => findReason(reasons, code) !== undefined);
  return source === "person" || disputed === true || isHeldInstead;
}

function hasOptedOut(policy: Policy, { mapped, facts }: HeldOrder): boolean {
  const { context } = toOrderFacts({}, mapped?.context);
  return isOptedOut(policy, { context, optedOut: facts?.optedOut });
}

/** How long before an authorization ends to warn: time to decide within a working day. */
const AUTHORIZATION_WARNING_MS = 24 * 3_600_000;

/** When to warn that a held order's authorization ends soon; null if it has no known end. */
function toAuthorizationWarningMs({ mapped }: Pick<OrderRecord, "mapped">): number | null {
  const endMs = Date.parse(mapped?.context?.authorizationExpiresAt ?? "");
  return Number.isNaN(endMs) ? null : endMs - AUTHORIZATION_WARNING_MS;
}

/** Shopify Protect covers an order that ships within 7 days of being placed, with tracking. */
const COVER_MS = 7 * 24 * 3_600_000;
/** How long before the cover ends to warn: time to decide, pack and ship. */
const COVER_WARNING_MS = 48 * 3_600_000;

/** When to warn that the order's cover ends soon; null if it has none. */
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

/** When to warn that a hold costs the cover or the authorization; null for what the order doesn't have. */
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

/** What to save after a look at a held order. */
interface Warned {
  readonly notes: HoldNotes;
  readonly entries: readonly TimelineEntry[];
}

/**
 * Warn once each when a hold is about to cost the order its cover or its authorization. Holdfast only warns: a person decides
 * whether the order ships.
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
      "an order is about to lose its chargeback protection because of a hold",
    );
    const detail = "must ship with tracking within 7 days of being placed, or it loses its cover";
    entries.push(toTimelineEntry(nowMs, { kind: "protection-lapsing" }, detail));
    warned["lapsing"] = "yes";
  }
  // Warn once for each authorization.
  const endsAt = order.mapped?.context?.authorizationExpiresAt ?? "";
  if (isTime(toAuthorizationWarningMs(order)) && notes["authorization"] !== endsAt) {
    logger.error(
      { alert: "authorization_expiring", tenant, orderId },
      "the authorization of a held order's payment is about to expire",
    );
    const detail = `the payment can be captured until ${endsAt}`;
    entries.push(toTimelineEntry(nowMs, { kind: "authorization-expiring" }, detail));
    warned["authorization"] = endsAt;
  }
  return { notes: warned, entries };
}

const MONTH_MS = 30 * 24 * 3_600_000;
/** Platforms route an order for fulfillment within minutes. If it takes longer than this, alert somebody. */
const LATE_HOLD_MS = 30 * 60_000;

/** Alert once that some of an order's goods still aren't on hold and can ship. */
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
      "an order should be on hold, but it or part of it isn't",
    );
}

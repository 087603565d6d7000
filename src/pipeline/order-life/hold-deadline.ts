import { isCancelAllowedAtDeadline } from "../../policy/choose-action.ts";
import type { Policy } from "../../policy/policy.ts";
import { isOptedOut } from "../../policy/rules.ts";
import { toOrderFacts } from "../../policy/order-facts.ts";
import type { OrderRecord } from "../../store/store.ts";
import type { ObservedOrder } from "../../platform/platform.ts";
import type { HoldRelease, OrderEnd } from "../../platform/enforcement-step.ts";

/** What to do about a held order, given what the platform shows and the time. */
export type HoldFinding =
  /** The order ended on the platform: nothing is left to watch. */
  | { readonly kind: "ended"; readonly ended: OrderEnd }
  /** Somebody released our hold, and that is final: a person, or it isn't known who. */
  | { readonly kind: "overridden"; readonly release: HoldRelease }
  /** An app released our hold: nobody has decided about the order. */
  | { readonly kind: "released"; readonly release: HoldRelease }
  /** The deadline has passed, and people were warned before. `holdable`: more of it may be held now. */
  | {
      readonly kind: "overdue";
      readonly outcome: "keep" | "release" | "cancel";
      readonly holdable: boolean;
    }
  /** Still held, as it should be. `expiring`: the deadline is near. `holdable`: more of it may be held now. */
  | { readonly kind: "held"; readonly expiring: boolean; readonly holdable: boolean };

/** How long before a hold's deadline to warn, so that somebody can review the order in working hours. */
export const HOLD_WARNING_MS = 6 * 3_600_000;

const HOUR_MS = 3_600_000;

export function toHoldDeadlineMs(policy: Policy, fromMs: number): number {
  return fromMs + policy.hold.deadlineHours * HOUR_MS;
}

/** The latest deadline is this long before the platform hides the order: a hidden order can't be canceled. */
const BEFORE_HIDING_MS = 24 * HOUR_MS;

/** A hold's deadline, early enough for a platform that hides the order at some age. As it is if that is too near. */
export function toVisibleDeadlineMs(
  { holdDeadlineMs }: Pick<OrderRecord, "holdDeadlineMs">,
  { hiddenFromMs }: Pick<ObservedOrder, "hiddenFromMs">,
  nowMs: number,
): number | null {
  if (holdDeadlineMs === null || hiddenFromMs === undefined) return holdDeadlineMs;
  const latestMs = hiddenFromMs - BEFORE_HIDING_MS;
  return latestMs - nowMs < HOLD_WARNING_MS ? holdDeadlineMs : Math.min(holdDeadlineMs, latestMs);
}

type HeldOrder = Pick<OrderRecord, "holdDeadlineMs" | "decision" | "mapped" | "facts">;

/**
 * Say what to do about a held order. Pure. If the deadline passed while Holdfast couldn't look, during a downtime or in
 * shadow mode, it has no effect until people were warned about it.
 */
export function judgeHold(
  order: HeldOrder,
  observed: ObservedOrder,
  policy: Policy,
  {
    nowMs,
    isWarned,
    isForPerson = false,
  }: { readonly nowMs: number; readonly isWarned: boolean; readonly isForPerson?: boolean },
): HoldFinding {
  if (observed.cancelled) return { kind: "ended", ended: "cancelled" };
  const release = toRelease(observed);
  if (release !== null) {
    if (observed.fulfilled) return { kind: "ended", ended: "shipped" };
    return { kind: isFinal(release) ? "overridden" : "released", release };
  }
  const { holdable } = observed;
  const deadlineMs = order.holdDeadlineMs ?? Number.POSITIVE_INFINITY;
  const outcome = toDeadlineOutcome(policy, order, isForPerson);
  if (nowMs >= deadlineMs && (isWarned || outcome === "keep")) return { kind: "overdue", outcome, holdable };
  return { kind: "held", expiring: nowMs >= deadlineMs - HOLD_WARNING_MS, holdable };
}

/** Who released our hold; null if it's there, or what it held was replaced. */
export function toRelease({ holds, holdsReplaced, released }: ObservedOrder): HoldRelease | null {
  return holds.length > 0 || holdsReplaced === true ? null : (released ?? { by: "person" });
}

/** Whether a release is final. If it isn't known who released a hold, it may have been a person. */
export function isFinal({ by }: HoldRelease): boolean {
  return by !== "app";
}

/**
 * The deadline of a hold whose warning is sent now. If the warning is late, the deadline moves, so that people still have
 * time to look at the order before it is released or canceled.
 */
export function toWarnedDeadlineMs(
  policy: Policy,
  order: HeldOrder,
  nowMs: number,
  isForPerson: boolean,
): number | null {
  const { holdDeadlineMs } = order;
  if (holdDeadlineMs === null || toDeadlineOutcome(policy, order, isForPerson) === "keep")
    return holdDeadlineMs;
  const noticeMs = Math.min(HOLD_WARNING_MS, policy.hold.deadlineHours * HOUR_MS);
  return holdDeadlineMs - nowMs < noticeMs / 2 ? nowMs + noticeMs : holdDeadlineMs;
}

/**
 * What happens at the deadline. It doesn't release an order that a bank asks about or one that should have been canceled: a
 * person declined it, the platform refused the cancel, or the hourly limit stopped it. A hold in place of a cancel waits for
 * a person, as the shop was told. So does an order whose buyer said that it isn't theirs, or sent evidence (`isForPerson`).
 */
function toDeadlineOutcome(
  policy: Policy,
  order: HeldOrder,
  isForPerson: boolean,
): "keep" | "release" | "cancel" {
  const { decision } = order;
  const { onDeadline } = policy.hold;
  if (isForPerson || isForPersons(decision)) return "keep";
  if (onDeadline === "release") return shouldBeCanceled(decision) ? "keep" : "release";
  // A buyer who confirmed the order waits for a person.
  const isConfirmed = decision?.confirmed !== undefined;
  return onDeadline === "cancel" && !isConfirmed && mayBeCanceled(policy, order) ? "cancel" : "keep";
}

function mayBeCanceled(policy: Policy, order: HeldOrder): boolean {
  const { decision } = order;
  return decision !== null && isCancelAllowedAtDeadline(policy, decision) && !hasOptedOut(policy, order);
}

function shouldBeCanceled(decision: HeldOrder["decision"]): boolean {
  return decision?.action === "cancel" || decision?.machine?.action === "cancel";
}

function isForPersons(decision: HeldOrder["decision"]): boolean {
  if (decision === null) return false;
  const { source, disputed, heldInstead } = decision;
  return source === "person" || disputed === true || heldInstead !== undefined;
}

function hasOptedOut(policy: Policy, { mapped, facts }: HeldOrder): boolean {
  const { context } = toOrderFacts({}, mapped?.context);
  return isOptedOut(policy, { context, optedOut: facts?.optedOut });
}

import { isStop, type Decision } from "../../order/decision.ts";
import type { OrderRecord, StepRecord } from "../../store/store.ts";
import type { Situation } from "./situation.ts";
import { findStep, isHeldForRecheck, toCancelProgress } from "./step-plan.ts";

/**
 * Our hold from before the decision, if a person's release of it would change what is done now; undefined if not. That person
 * didn't know this decision: it came later, or the order was still being checked. They wanted the order to proceed. So instead of
 * being canceled it is held, which shows them why. And it isn't held again merely because the service hasn't answered.
 */
export function findHoldThatCounts({ order, steps, policy }: Situation): StepRecord | undefined {
  const { decision } = order;
  if (decision === null || !mayBeHonored(decision) || policy.mode === "shadow") return undefined;
  if (decision.action !== "cancel" && !isHeldOnlyToCheck(decision, steps)) return undefined;
  return findHoldBefore(order, steps);
}

function mayBeHonored({ action, source, enforce, disputed }: Decision): boolean {
  return enforce && source !== "person" && disputed !== true && isStop(action);
}

/** A hold because of an answer differs from the hold during the check, even if a person released the latter. */
function isHeldOnlyToCheck({ heldToCheck, supersedes }: Decision, steps: readonly StepRecord[]): boolean {
  const isOfCheck = supersedes?.whileChecking === true || isHeldForRecheck(steps);
  return isOfCheck && heldToCheck === true;
}

/** Our hold from before the decision, unless Holdfast has released it or begun to cancel the order. */
function findHoldBefore(order: OrderRecord, steps: readonly StepRecord[]): StepRecord | undefined {
  const [hold, release] = [findStep(steps, "hold"), findStep(steps, "release")];
  if (hold?.state !== "done" || hold.atMs >= (order.decidedAtMs ?? 0)) return undefined;
  const isReleased = hold.notes?.["releasing"] !== undefined || (release?.atMs ?? 0) > hold.atMs;
  return isReleased || toCancelProgress(order, steps) !== null ? undefined : hold;
}

import { isStop, type Decision } from "../../order/decision.ts";
import { findReason } from "../../order/reasons.ts";
import { isCancelAllowedAtDeadline } from "../../policy/choose-action.ts";
import type { Policy } from "../../policy/policy.ts";
import type { OrderRecord, StepRecord } from "../../store/store.ts";
import { findRelease } from "../enforce/final-step-guard.ts";
import { isFinal } from "../order-life/hold-deadline.ts";
import { findStep, isHeldForRecheck, toCancelProgress } from "../order-life/step-plan.ts";
import type { OrderTask } from "../tasks.ts";
import { restOverridden } from "../watch/hold-keeper.ts";
import { keepDecision } from "./decide.ts";
import { makeDecision } from "./make-decision.ts";
import { toKeptBasis } from "./refresh-context.ts";
import { holdForPerson } from "../order-life/supersede.ts";

/**
 * A person released our hold on the platform, and didn't know this decision: it came later, or the order was still being
 * checked. They wanted the order to proceed. So instead of being canceled it is held, which shows them why. And it isn't held
 * again merely because the service hasn't answered.
 */
export async function honorRelease(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  const { decision } = order;
  if (decision === null || !mayBeHonored(decision)) return order;
  const { policy } = await task.policyOf(order.tenant);
  if (policy.mode === "shadow") return order;
  const steps = await task.store.listSteps(order);
  if (decision.action !== "cancel" && !isHeldOnlyToCheck(decision, steps)) return order;
  const hold = findHoldBefore(order, steps);
  const release = hold === undefined ? null : await findRelease(task, order, hold);
  if (release === null || !isFinal(release)) return order;
  return decision.action === "cancel"
    ? keepDecision(task, order, holdForPerson(order, decision, steps, "hold-released", task.now()))
    : restOverridden(task, order, release);
}

function mayBeHonored({ action, source, enforce, disputed }: Decision): boolean {
  return enforce && source !== "person" && disputed !== true && isStop(action);
}

/** A hold because of an answer differs from the hold during the check, even if a person released the latter. */
function isHeldOnlyToCheck({ reasons, supersedes }: Decision, steps: readonly StepRecord[]): boolean {
  const isOfCheck = supersedes?.whileChecking === true || isHeldForRecheck(steps);
  return isOfCheck && findReason(reasons, "held-to-check") !== undefined;
}

/** Our hold from before the decision, unless Holdfast has released it or begun to cancel the order. */
function findHoldBefore(order: OrderRecord, steps: readonly StepRecord[]): StepRecord | undefined {
  const [hold, release] = [findStep(steps, "hold"), findStep(steps, "release")];
  if (hold?.state !== "done" || hold.atMs >= (order.decidedAtMs ?? 0)) return undefined;
  const isReleased = hold.notes?.["releasing"] !== undefined || (release?.atMs ?? 0) > hold.atMs;
  return isReleased || toCancelProgress(order, steps) !== null ? undefined : hold;
}

/**
 * The policy was changed while an order waited to be canceled. If the new one would not cancel it, the order is held for a
 * person instead: a cancel can't be undone, and the shop no longer wants it.
 */
export async function honorPolicy(task: OrderTask, order: OrderRecord): Promise<OrderRecord> {
  const { decision } = order;
  if (decision?.action !== "cancel" || decision.source === "person" || !decision.enforce) return order;
  const { policy, version } = await task.policyOf(order.tenant);
  if (version === decision.policyVersion || policy.mode === "shadow") return order;
  const steps = await task.store.listSteps(order);
  if (toCancelProgress(order, steps) !== null || (await isStillMeant(task, order, decision, policy)))
    return order;
  return keepDecision(task, order, holdForPerson(order, decision, steps, "policy-changed", task.now()));
}

/** Whether a policy cancels an order too, at no cost: on the stored answer, or at the deadline of its hold. */
async function isStillMeant(task: OrderTask, order: OrderRecord, decision: Decision, policy: Policy) {
  if (findReason(decision.reasons, "deadline") !== undefined)
    return policy.hold.onDeadline === "cancel" && isCancelAllowedAtDeadline(policy, decision);
  const kept = toKeptBasis(order);
  if (kept === null || order.mapped === null) return false;
  const again = await makeDecision(task, order, order.mapped, task.signal, kept);
  return again.outcome === "decided" && again.decision.action === "cancel";
}

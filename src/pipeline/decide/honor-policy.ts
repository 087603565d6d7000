import type { Decision } from "../../order/decision.ts";
import { findReason } from "../../order/reasons.ts";
import type { Policy } from "../../policy/policy.ts";
import type { OrderRecord } from "../../store/store.ts";
import { toCancelProgress } from "../enforce/step-plan.ts";
import type { OrderTask } from "../tasks.ts";
import { keepDecision } from "./decide.ts";
import { makeDecision } from "./make-decision.ts";
import { toKeptBasis } from "./refresh-context.ts";
import { holdForPerson } from "./supersede.ts";

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
async function isStillMeant(
  task: OrderTask,
  order: OrderRecord,
  decision: Decision,
  policy: Policy,
): Promise<boolean> {
  if (findReason(decision.reasons, "deadline") !== undefined) return policy.hold.onDeadline === "cancel";
  const kept = toKeptBasis(order);
  if (kept === null || order.mapped === null) return false;
  const again = await makeDecision(task, order, order.mapped, task.signal, kept);
  return again.outcome === "decided" && again.decision.action === "cancel";
}

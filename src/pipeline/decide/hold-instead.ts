import { isCancelAllowedAtDeadline } from "../../policy/choose-action.ts";
import { findRelease } from "../enforce/observe.ts";
import { decisionOf, learn, type Situation } from "../order-life/situation.ts";
import { holdForPerson } from "../order-life/supersede.ts";
import type { Handler, OrderTask } from "../tasks.ts";
import { keepDecision } from "./keep-decision.ts";
import { toKeptBasis } from "./kept-basis.ts";
import { makeDecision } from "./make-decision.ts";

/** Ask the platform whether somebody released the hold from before the decision. */
export const askWhoReleased: Handler<"ask-who-released"> = async (task, situation, { hold }) => {
  const releasedBefore = await findRelease(task, situation.order, hold);
  return learn(await task.lookAround(situation), { releasedBefore });
};

/** Apply the new policy to the stored answer of an order that waits to be canceled, at no cost. */
export const judgeCancelAgain: Handler<"judge-cancel-again"> = async (task, situation) =>
  learn(situation, { stillCancels: await isStillMeant(task, situation) });

/** Whether a policy cancels an order too: on the stored answer, or at the deadline of its hold. */
async function isStillMeant(task: OrderTask, { order, policy }: Situation): Promise<boolean> {
  const { decision, mapped } = order;
  if (decision?.atDeadline === true)
    return policy.hold.onDeadline === "cancel" && isCancelAllowedAtDeadline(policy, decision);
  const kept = toKeptBasis(order);
  if (kept === null || mapped === null) return false;
  const again = await makeDecision(task, order, mapped, task.signal, kept);
  return again.outcome === "decided" && again.decision.action === "cancel";
}

/** Hold an order that was to be canceled, until a person decides. */
export const holdInstead: Handler<"hold-instead"> = (task, situation, { cause }) => {
  const { order, steps } = situation;
  const former = { ...decisionOf(order), heldInstead: cause };
  return keepDecision(task, situation, holdForPerson(order, former, steps, cause, task.now()));
};

import { toMachineDecision, type Decision } from "../../order/decision.ts";
import { keepDecision } from "../decide/keep-decision.ts";
import { decisionOf } from "../order-life/situation.ts";
import { replaceDecision } from "../order-life/supersede.ts";
import { toKeptBasis } from "../decide/kept-basis.ts";
import { makeDecision } from "../decide/make-decision.ts";
import { isAskable } from "../../store/buyer-checks/buyer-check.ts";
import type { OrderRecord } from "../../store/store.ts";
import type { Handler, OrderTask } from "../tasks.ts";
import { toTimelineEntry } from "../timeline.ts";

/**
 * Give a buyer's right answer its effect. A release is a decision of its own, whose steps are taken like those of others, so a person
 * who decides meanwhile comes first. Its tags stay. It captures no payment: nobody of the shop looked at the order.
 */
export const takeBuyerAnswer: Handler<"take-buyer-answer"> = async (
  task,
  situation,
  { method, effect: promised },
) => {
  const { order, steps } = situation;
  const { verify: _verify, ...former } = decisionOf(order);
  const latest = (await task.store.orders.get(order)) ?? order;
  if (!isAskable(latest))
    return task.end(situation, { changes: { dueAtMs: task.now(), attempts: order.attempts + 1 } });
  const effect = promised === "release" && (await stillAsks(task, order)) ? "release" : "milder";
  const confirmed = { method, effect } as const;
  if (effect === "milder") {
    const entry = toTimelineEntry(task.now(), { kind: "buyer-confirmed", effect }, method);
    return task.save(situation, { changes: { decision: { ...former, confirmed } }, entries: [entry] });
  }
  const decision: Decision = {
    ...former,
    action: "tag",
    reasons: ["buyer:confirmed", ...former.reasons],
    machine: toMachineDecision(former),
    confirmed,
  };
  const released = await keepDecision(task, situation, replaceDecision(order, steps, decision, task.now()));
  task.metrics.buyer("released");
  return released;
};

/** Whether the policy and its lists, as they are now, still release the order on a right answer. Not if its buyer is blocked now. */
async function stillAsks(task: OrderTask, order: OrderRecord): Promise<boolean> {
  const kept = toKeptBasis(order);
  if (kept === null || order.mapped === null) return false;
  const made = await makeDecision(task, order, order.mapped, task.signal, kept);
  return made.outcome === "decided" && made.decision.verify === "release";
}

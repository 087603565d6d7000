import { raiseAlert } from "../../base/alerts.ts";
import type { Decision } from "../../order/decision.ts";
import type { Reason } from "../../order/reasons.ts";
import { toProblemChanges, toProblemText, type OrderProblem } from "../../store/orders/timeline.ts";
import type { OrderRecord, StepRecord } from "../../store/store.ts";
import { needsRecheck } from "../order-life/changed-order.ts";
import { toHoldDeadlineMs } from "../order-life/hold-deadline.ts";
import { needsCatchUp, toLookAtRestMs } from "../order-life/next-look.ts";
import { decisionOf, type Situation, type WaitingStep } from "../order-life/situation.ts";
import { toTried } from "../order-life/step-pass.ts";
import { isDone, isHeldStill, toFinalState, toStepProblems } from "../order-life/step-plan.ts";
import type { Handler, OrderTask } from "../tasks.ts";
import { toGapProblem, toProblemEntry, toTimelineEntry } from "../timeline.ts";
import { warnOfLateHold } from "./late-hold.ts";

/** All steps have ended, except that a hold may cover only a part of the goods, which is watched later. The order comes to rest. */
export const comeToRest: Handler<"come-to-rest"> = async (task, situation, { wasBegun, partial }) => {
  const { platform, metrics, logger, now, signal } = task;
  const { order, policy } = situation;
  const { tenant, orderId } = order;
  const records = toTried(situation);
  // No step of this decision touches the order, so end the checkout's hold here.
  if (records.every(({ cause }) => cause === "shadow"))
    await platform.endCheckoutHold?.(tenant, orderId, { signal });
  const { state, detail, ...decided } = toRest(situation, records);
  const failed = toStepProblems(records);
  const problems = [...failed, ...toGaps(partial)];
  const settledAtMs = now();
  const changed = toProblemChanges(problems);
  const entries = [toTimelineEntry(settledAtMs, { kind: state, problems }, changed.problem ?? detail)];
  const holdDeadlineMs =
    state === "review" ? (order.holdDeadlineMs ?? toHoldDeadlineMs(policy, settledAtMs)) : null;
  // A change that came too late to stop the cancel is looked at now.
  const isUnchecked = wasBegun && needsRecheck(order);
  const rest = { state, holdDeadlineMs, settledAtMs };
  const lookMs = isUnchecked ? settledAtMs : await findNextLook(task, order, rest);
  const dueAtMs = toEarlier(lookMs, partial?.retryAtMs);
  const changes = { state, ...changed, ...decided, dueAtMs, attempts: 0, settledAtMs, holdDeadlineMs };
  // Before it is saved: a process that is killed in between repeats this.
  if (failed.length > 0)
    raiseAlert(
      logger,
      "enforcement_failed",
      { problem: toProblemText(failed), tenant, orderId },
      "a decision couldn't be applied on the platform",
    );
  await task.end(situation, { changes, entries });
  if (order.settledAtMs === null) metrics.settled(settledAtMs - order.receivedAtMs);
  if (partial !== undefined) await warnOfLateHold(task, order, toGaps(partial));
  return null;
};

/** When to look at an order that comes to rest; null for never. */
async function findNextLook(
  { accessOf }: OrderTask,
  order: OrderRecord,
  { settledAtMs: nowMs, ...rest }: Pick<OrderRecord, "state" | "holdDeadlineMs"> & { settledAtMs: number },
): Promise<number | null> {
  const isAskedAgain = needsCatchUp(order, nowMs) && (await accessOf(order.tenant)) !== null;
  return toLookAtRestMs(order, rest, { isAskedAgain, nowMs });
}

function toEarlier(lookMs: number | null, retryAtMs: number | undefined): number | null {
  return lookMs === null || retryAtMs === undefined ? (retryAtMs ?? lookMs) : Math.min(lookMs, retryAtMs);
}

/** The state of an order whose steps have all ended, and its decision if that changed. */
function toRest({ order, steps }: Situation, records: readonly StepRecord[]) {
  const decision = decisionOf(order);
  // The hold keeps an owner and a deadline.
  if (isHeldStill(decision, records, steps))
    return { state: "review", detail: "nothing was changed: our hold stays" } as const;
  const state = toFinalState(records);
  if (!decision.enforce) return { state, detail: "recorded only: nothing was changed on the platform" };
  if (state === "settled" && isStopped(records))
    return {
      state,
      detail: "stopped: nothing more is changed in shadow mode",
      ...toStopped(decision, records),
    };
  return { state, detail: "the decision is applied on the platform" };
}

/** Whether shadow mode came before the end of a decision's steps. */
function isStopped(records: readonly StepRecord[]): boolean {
  return !isDone(records, "cancel") && records.some(({ cause }) => cause === "shadow");
}

/** A stopped decision is only recorded. What was already done for it stays. */
function toStopped(decision: Decision, records: readonly StepRecord[]): { readonly decision: Decision } {
  const former = isDone(records, "untag") ? [] : (decision.supersedes?.tags ?? []);
  const tags = [...new Set([...(isDone(records, "tag") ? decision.tags : []), ...former])];
  const supersedes = tags.length === 0 ? {} : { supersedes: { ...decision.supersedes, held: false, tags } };
  const reasons: readonly Reason[] = [...decision.reasons, "shadow"];
  return { decision: { ...decision, ...supersedes, enforce: false, reasons } };
}

/** Some steps aren't possible yet: the order is due again when the first of them may be. */
export const waitForSteps: Handler<"wait-for-steps"> = async (task, situation, move) => {
  const { now } = task;
  const { order } = situation;
  const waits = [...move.waits.values()];
  const dueAtMs = Math.min(...waits.map(({ retryAtMs }) => retryAtMs));
  // Steps often wait for the same reason.
  const codes = new Set(waits.flatMap((waiting) => (waiting.outcome === "wait" ? [waiting.reason] : [])));
  const problems = [...[...codes].map((code) => ({ code })), ...waits.flatMap(toGaps)];
  if (move.waits.has("hold")) await warnOfLateHold(task, order, problems);
  const changed = toProblemChanges(problems);
  const entries = order.problem === changed.problem ? [] : [toProblemEntry(now(), "waiting", problems)];
  const changes = { state: "waiting", dueAtMs, ...changed, attempts: order.attempts + 1 } as const;
  return task.end(situation, { changes, entries });
};

function toGaps(waiting: WaitingStep | undefined): readonly OrderProblem[] {
  return waiting?.outcome === "partial" ? [toGapProblem(waiting.gap)] : [];
}

import { raiseAlert } from "../../base/alerts.ts";
import { isHoldfastError, type HoldfastError } from "../../base/errors.ts";
import type { Decision } from "../../order/decision.ts";
import type { EnforcementStep, StepOutcome } from "../../platform/enforcement-step.ts";
import type { OrderRecord, StepRecord, TimelineEntry } from "../../store/store.ts";
import { REFUSED_RETRY_MS, toRetryAtMs } from "../order-life/retry-delay.ts";
import { decisionOf, learn, type Pass } from "../order-life/situation.ts";
import { isInShadow, toTried, type Applying } from "../order-life/step-pass.ts";
import { findStep } from "../order-life/step-plan.ts";
import type { Handler, OrderTask } from "../tasks.ts";
import { toEnd, toPartialHoldEntry, toStepRecord, toTimelineEntry, type TakenStep } from "../timeline.ts";
import { holdBack } from "./final-step-guard.ts";
import { keepNotes, toBefore, toLooseEntries } from "./loose-hold.ts";
import { takeStep } from "./take-step.ts";

/** Take one step of the decision on the platform, unless something holds it back. */
export const applyStep: Handler<"apply-step"> = async (task, situation, { step, pass }) => {
  const { order, steps, policy } = situation;
  const decision = decisionOf(order);
  const applying = { order, steps, policy, decision };
  const again = step === "hold" ? pass.loose : null;
  const before = toBefore(findStep(toTried(applying), step), again);
  const outcome = await take(task, step, applying, { before, pass });
  const waits = new Map(pass.waits);
  if (outcome.outcome === "wait" || outcome.outcome === "partial") waits.set(step, outcome);
  // Never earlier than the decision, even if the clock was set back since. Otherwise it would count for the former one.
  const atMs = Math.max(task.now(), order.decidedAtMs ?? 0);
  const record = { ...toStepRecord(step, outcome, atMs), ...keepNotes(before) };
  const asked = step === "cancel" ? { refund: policy.cancel.refund } : {};
  const entries = [...toLooseEntries(again, atMs), ...toStepEntries(record, outcome, before, asked)];
  const applied = learn(situation, { pass: { ...pass, waits, loose: step === "hold" ? null : pass.loose } });
  return task.save(applied, { changes: { state: "enforcing" }, step: record, entries });
};

/** A step as it was tried before, and the steps of its decision. */
interface Trying {
  readonly before: StepRecord | undefined;
  readonly pass: Pass;
}

async function take(
  task: OrderTask,
  step: EnforcementStep,
  applying: Applying,
  { before, pass: { wasBegun } }: Trying,
): Promise<TakenStep> {
  const { order, decision, policy } = applying;
  if (isInShadow(policy, decision)) return { outcome: "moot", reason: "shadow-mode", cause: "shadow" };
  const held = await holdBack(task, step, { ...applying, wasBegun });
  if (held !== null) return asBefore(held, before);
  try {
    const outcome = await takeStep(task, step, { order, decision, policy, memory: before?.memory ?? {} });
    if (isOnlyRecorded(decision, outcome)) return { ...outcome, outcome: "moot" };
    // A step that has begun counts as begun until it ends, whatever the platform answers.
    return outcome.outcome === "wait" && before?.begun === true ? { ...outcome, begun: true } : outcome;
  } catch (error) {
    task.signal.throwIfAborted();
    if (!isHoldfastError(error)) throw error;
    return asBefore(toOutcome(task, order, error), before);
  }
}

/** Whether a person declined an order that has shipped. Nothing is left to hold, as that person knew. */
function isOnlyRecorded(
  { cancelsNothing }: Decision,
  outcome: StepOutcome,
): outcome is Extract<StepOutcome, { readonly outcome: "impossible" }> {
  return cancelsNothing !== undefined && outcome.outcome === "impossible" && outcome.ended === "shipped";
}

/** If a step wasn't tried, or failed, it keeps the progress that it had. */
function asBefore(outcome: StepOutcome, before: StepRecord | undefined): StepOutcome {
  if (outcome.outcome !== "wait" || before === undefined) return outcome;
  const { memory, begun } = before;
  return { ...outcome, memory, begun };
}

/** Retry a failed call. If the platform refuses the app's calls, wait for a person and alert them. */
function toOutcome({ logger, now }: OrderTask, order: OrderRecord, error: HoldfastError): StepOutcome {
  const { code } = error;
  if (error.retryable) {
    const retryAtMs = toRetryAtMs(order.attempts, now(), error.retryAtMs);
    return { outcome: "wait", reason: code, retryAtMs };
  }
  if (code !== "PLATFORM_REFUSED") return { outcome: "impossible", reason: code };
  if (!order.problems.some((problem) => problem.code === code)) {
    raiseAlert(
      logger,
      "platform_refused",
      { err: error, tenant: order.tenant, orderId: order.orderId },
      "the platform refuses the calls that a decision needs",
    );
  }
  return { outcome: "wait", reason: code, retryAtMs: now() + REFUSED_RETRY_MS };
}

/** The timeline entries for a step. The same gap is reported once. */
function toStepEntries(
  { step, state, detail, memory, atMs }: StepRecord,
  outcome: StepOutcome,
  before: StepRecord | undefined,
  asked: { readonly refund?: boolean },
): readonly TimelineEntry[] {
  if (state === "waiting") return [];
  if (outcome.outcome !== "partial") {
    const event = {
      kind: `${step}-${state}`,
      ended: toEnd(outcome),
      ...(state === "done" ? asked : {}),
    } as const;
    return [toTimelineEntry(atMs, event, detail)];
  }
  return memory["gap"] === before?.memory["gap"] ? [] : [toPartialHoldEntry(atMs, outcome.gap, detail)];
}

import { raiseAlert } from "../../base/alerts.ts";
import { isHoldfastError, type HoldfastError } from "../../base/errors.ts";
import type { Decision } from "../../order/decision.ts";
import type { Reason } from "../../order/reasons.ts";
import type { OrderRecord, StepRecord, TimelineEntry } from "../../store/store.ts";
import { toProblemChanges, toProblemText, type OrderProblem } from "../../store/orders/timeline.ts";
import { toRetryAtMs, REFUSED_RETRY_MS } from "../order-life/retry-delay.ts";
import type { OrderTask } from "../tasks.ts";
import type { EnforcementStep, StepOutcome } from "../../platform/enforcement-step.ts";
import type { EnforcementTarget } from "../../platform/platform.ts";
import type { Policy } from "../../policy/policy.ts";
import { needsRecheck } from "../order-life/changed-order.ts";
import { toRemembered } from "./observe.ts";
import { toHoldDeadlineMs } from "../order-life/hold-deadline.ts";
import { warnOfLateHold } from "./late-hold.ts";
import { toLookAtRestMs } from "../order-life/next-look.ts";
import { holdBack, type DecisionToApply } from "./final-step-guard.ts";
import { findLoose, keepNotes, needsCoolOff, toBefore, toLooseEntries } from "./loose-hold.ts";
import {
  isDone,
  isHeldStill,
  toFinalState,
  toFormerTags,
  toStepProblems,
  toSteps,
} from "../order-life/step-plan.ts";
import {
  toEnd,
  toGapProblem,
  toPartialHoldEntry,
  toProblemEntry,
  toStepRecord,
  toTimelineEntry,
  type TakenStep,
} from "../timeline.ts";

/** A step to try again: nothing is done yet, or only some of the goods are held. */
type Waiting = Extract<StepOutcome, { readonly outcome: "wait" | "partial" }>;

/** A decision that is being applied, with the steps from before. */
interface Applying extends DecisionToApply {
  /** The latest record of each step, for this decision or an earlier one. */
  readonly kept: readonly StepRecord[];
}

/** Apply an order's decision on the platform, step by step, and release the order. */
export async function enforce(task: OrderTask, order: OrderRecord): Promise<null> {
  const { platform, signal } = task;
  const { decision, decidedAtMs, tenant, orderId } = order;
  if (decision === null) throw new TypeError("an order without a decision cannot be enforced");
  const { policy } = await task.policyOf(tenant);
  const kept = await task.store.listSteps(order);
  // Steps for an earlier decision don't count for this one.
  const tried = kept.filter(({ atMs }) => atMs >= (decidedAtMs ?? 0));
  const wasBegun = tried.some(({ step, begun }) => step === "cancel" && begun === true);
  const taken = await takeSteps(task, { order, decision, policy, kept, wasBegun }, tried);
  // No step of this decision touches the order, so end the checkout's hold here.
  if (taken.records.every(({ cause }) => cause === "shadow"))
    await platform.endCheckoutHold?.(tenant, orderId, { signal });
  const isWaiting = [...taken.waits.values()].some(({ outcome }) => outcome === "wait");
  await (isWaiting ? wait(task, taken) : settle(task, taken));
  return null;
}

/** A decision after all steps that are possible now. */
interface Applied extends Applying {
  /** Its steps so far. */
  readonly records: readonly StepRecord[];
  readonly waits: ReadonlyMap<EnforcementStep, Waiting>;
}

async function takeSteps(task: OrderTask, begun: Applying, tried: readonly StepRecord[]): Promise<Applied> {
  const { decision, policy } = begun;
  const { skipReason } = begun.order;
  const records = new Map(tried.map((record) => [record.step, record]));
  const waits = new Map<EnforcementStep, Waiting>();
  const coolOff = needsCoolOff(begun);
  const capture = policy.captureWhenApproved && policy.mode === "active";
  let applying = begun;
  let loose = await findLoose(task, begun, records.get("hold"), isInShadow(begun));
  const isAgain = (step: EnforcementStep): boolean => step === "hold" && loose !== null;

  // Plan again after each step: if a cancel is delayed or turns out to be impossible, a hold is needed.
  const isHeld = decision.supersedes?.held === true && isDone(begun.kept, "hold");
  const plan = (): readonly EnforcementStep[] =>
    toSteps({ decision, skipReason, records: [...records.values()], isHeld, coolOff, capture });
  const nextStep = (): EnforcementStep | undefined =>
    plan().find(
      (step) => !waits.has(step) && (isAgain(step) || shouldTry(records.get(step), isInShadow(begun))),
    );

  for (let step = nextStep(); step !== undefined; step = nextStep()) {
    task.signal.throwIfAborted();
    const again = step === "hold" ? loose : null;
    const before = toBefore(records.get(step), again);
    const outcome = await take(task, step, applying, before);
    if (outcome.outcome === "wait" || outcome.outcome === "partial") waits.set(step, outcome);
    // Never earlier than the decision, even if the clock was set back since. Otherwise it would count for the former one.
    const atMs = Math.max(task.now(), begun.order.decidedAtMs ?? 0);
    const record = { ...toStepRecord(step, outcome, atMs), ...keepNotes(before) };
    const entries = [...toLooseEntries(again, atMs), ...toStepEntries(record, outcome, before)];
    if (step === "hold") loose = null;
    const transition = { changes: { state: "enforcing" }, step: record, entries, release: false } as const;
    applying = { ...applying, order: await task.save(applying.order, transition) };
    records.set(step, record);
  }
  // The hold of a delayed cancel isn't needed any more once the order is canceled.
  const planned = plan();
  for (const step of waits.keys()) if (!planned.includes(step)) waits.delete(step);
  return { ...applying, records: [...records.values()], waits };
}

/** Whether to try a step: it wasn't tried, it waits, or it's a hold that doesn't cover all goods (unless nothing may be touched). */
function shouldTry(record: StepRecord | undefined, inShadow: boolean): boolean {
  if (record === undefined || record.state === "waiting") return true;
  return record.memory["gap"] !== undefined && !inShadow;
}

/** Whether nothing may be changed: in shadow mode, Holdfast applies only people's decisions, not its own from before. */
function isInShadow({ policy, decision }: Pick<Applying, "policy" | "decision">): boolean {
  return policy.mode === "shadow" && decision.source !== "person";
}

/** The timeline entries for a step. The same gap is reported once. */
function toStepEntries(
  { step, state, detail, memory, atMs }: StepRecord,
  outcome: StepOutcome,
  before: StepRecord | undefined,
): readonly TimelineEntry[] {
  if (state === "waiting") return [];
  if (outcome.outcome !== "partial")
    return [toTimelineEntry(atMs, { kind: `${step}-${state}`, ended: toEnd(outcome) }, detail)];
  return memory["gap"] === before?.memory["gap"] ? [] : [toPartialHoldEntry(atMs, outcome.gap, detail)];
}

async function take(
  task: OrderTask,
  step: EnforcementStep,
  applying: Applying,
  before: StepRecord | undefined,
): Promise<TakenStep> {
  const { order, decision, policy } = applying;
  if (isInShadow(applying)) return { outcome: "moot", reason: "shadow-mode", cause: "shadow" };
  const held = await holdBack(task, step, applying);
  if (held !== null) return asBefore(held, before);
  try {
    const outcome = await takeStep(task, step, { order, decision, policy, memory: before?.memory ?? {} });
    // A step that has begun counts as begun until it ends, whatever the platform answers.
    return outcome.outcome === "wait" && before?.begun === true ? { ...outcome, begun: true } : outcome;
  } catch (error) {
    task.signal.throwIfAborted();
    if (!isHoldfastError(error)) throw error;
    return asBefore(toOutcome(task, order, error), before);
  }
}

/** A step to take for a decision, or before there is one. */
export interface StepToTake extends Pick<EnforcementTarget, "decision" | "undecided" | "memory"> {
  readonly order: OrderRecord;
  readonly policy: Policy;
}

export async function takeStep(
  { store, platform, signal, metrics }: OrderTask,
  step: EnforcementStep,
  { order, policy: { cancel }, ...rest }: StepToTake,
): Promise<StepOutcome> {
  const { tenant, orderId, result } = order;
  const [formerTags, remembered] = [toFormerTags(rest.decision), toRemembered(store, order)];
  const target = { tenant, orderId, result, cancel, formerTags, remembered, ...rest };
  try {
    const outcome = await platform.enforce(step, target, { signal });
    metrics.enforced(step, outcome.outcome);
    return outcome;
  } catch (error) {
    if (!signal.aborted) metrics.enforced(step, "error");
    throw error;
  }
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

/** All steps have ended, except that a hold may cover only a part of the goods, which is watched later. The order comes to rest. */
async function settle(task: OrderTask, { order, decision, policy, kept, wasBegun, records, waits }: Applied) {
  const { metrics, logger, now, save } = task;
  const { tenant, orderId } = order;
  const partial = waits.get("hold");
  const { state, detail, ...decided } = toRest(decision, records, kept);
  const failed = toStepProblems(records);
  const problems = [...failed, ...toGaps(partial)];
  const settledAtMs = now();
  const changed = toProblemChanges(problems);
  const entries = [toTimelineEntry(settledAtMs, { kind: state, problems }, changed.problem ?? detail)];
  const holdDeadlineMs =
    state === "review" ? (order.holdDeadlineMs ?? toHoldDeadlineMs(policy, settledAtMs)) : null;
  // A change that came too late to stop the cancel is looked at now.
  const isUnchecked = wasBegun && needsRecheck(order);
  const hasService = (await task.accessOf(tenant)) !== null;
  const rest = { state, holdDeadlineMs };
  const lookMs = isUnchecked ? settledAtMs : toLookAtRestMs(order, rest, { hasService, nowMs: settledAtMs });
  const moments = [lookMs, partial?.retryAtMs].filter((atMs) => typeof atMs === "number");
  const dueAtMs = moments.length === 0 ? null : Math.min(...moments);
  const changes = { state, ...changed, ...decided, dueAtMs, attempts: 0, settledAtMs, holdDeadlineMs };
  // Before it is saved: a process that is killed in between repeats this.
  if (failed.length > 0)
    raiseAlert(
      logger,
      "enforcement_failed",
      { problem: toProblemText(failed), tenant, orderId },
      "a decision couldn't be applied on the platform",
    );
  await save(order, { changes, entries, release: true });
  if (order.settledAtMs === null) metrics.settled(settledAtMs - order.receivedAtMs);
  if (partial !== undefined) await warnOfLateHold(task, order, toGaps(partial));
}

/** The state of an order whose steps have all ended, and its decision if that changed. */
function toRest(decision: Decision, records: readonly StepRecord[], kept: readonly StepRecord[]) {
  // The hold keeps an owner and a deadline.
  if (isHeldStill(decision, records, kept))
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
async function wait(task: OrderTask, { order, waits: waiting }: Applied): Promise<void> {
  const { now, save } = task;
  const waits = [...waiting.values()];
  const dueAtMs = Math.min(...waits.map(({ retryAtMs }) => retryAtMs));
  // Steps often wait for the same reason.
  const codes = new Set(waits.flatMap((waiting) => (waiting.outcome === "wait" ? [waiting.reason] : [])));
  const problems = [...[...codes].map((code) => ({ code })), ...waits.flatMap(toGaps)];
  if (waiting.has("hold")) await warnOfLateHold(task, order, problems);
  const changed = toProblemChanges(problems);
  const entries = order.problem === changed.problem ? [] : [toProblemEntry(now(), "waiting", problems)];
  const changes = { state: "waiting", dueAtMs, ...changed, attempts: order.attempts + 1 } as const;
  await save(order, { changes, entries, release: true });
}

function toGaps(waiting: Waiting | undefined): readonly OrderProblem[] {
  return waiting?.outcome === "partial" ? [toGapProblem(waiting.gap)] : [];
}

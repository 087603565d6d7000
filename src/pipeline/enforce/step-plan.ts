import type { Decision, SkipReason } from "../../order/decision.ts";
import type { OrderRecord, StepRecord } from "../../store/store.ts";
import type { OrderProblem } from "../../store/orders/timeline.ts";
import type { EnforcementStep } from "../../platform/enforcement-step.ts";

/** What a plan is made from. */
export interface PlanInput {
  readonly decision: Decision;
  readonly skipReason: SkipReason | null;
  /** Steps of this decision that were tried. */
  readonly records: readonly StepRecord[];
  /** A cancel is to be held first and carried out after a while. */
  readonly coolOff: boolean;
  /** The payment is to be captured once the order is approved. */
  readonly capture: boolean;
}

/**
 * What has to become true on the platform, most urgent first: a hold races with fulfilment, and a cancelled order
 * should already say why when it is cancelled.
 */
export function toSteps(input: PlanInput): readonly EnforcementStep[] {
  const { decision, skipReason } = input;
  if (!decision.enforce) return [];
  if (isLeftAlone(decision, skipReason)) return toTakenBack(decision);
  const explain: EnforcementStep[] = ["assess"];
  if (decision.tags.length > 0) explain.push("tag");
  if (toFormerTags(decision).length > 0) explain.push("untag");
  switch (decision.action) {
    case "allow":
    case "tag":
      return toApprovedSteps(input, explain);
    case "hold":
      return ["hold", ...explain];
    case "cancel":
      return toCancelSteps(input, explain);
  }
}

/**
 * Steps that remove our hold and tags from an order that is left alone from now on: those of its check, or of the
 * decision before. Nobody else would remove them.
 */
function toTakenBack(decision: Decision): EnforcementStep[] {
  return [
    ...(decision.supersedes?.held === true ? (["release"] as const) : []),
    ...(toFormerTags(decision).length > 0 ? (["untag"] as const) : []),
  ];
}

/** What is released can ship: not before it is paid, where its payment is to be captured. */
function toApprovedSteps(input: PlanInput, explain: readonly EnforcementStep[]): EnforcementStep[] {
  const capture: EnforcementStep[] = isToCapture(input) ? ["capture"] : [];
  const isPaid = input.records.some(
    ({ step, state }) => step === "capture" && (state === "done" || state === "moot"),
  );
  const isHeld = input.decision.supersedes?.held === true && (capture.length === 0 || isPaid);
  return [...capture, ...(isHeld ? (["release"] as const) : []), ...explain];
}

/**
 * A guess takes nobody's money: where the service didn't check the order, a person approves. Where no service is
 * configured, the local engine's word counts, about orders that it may publish.
 */
function isToCapture({ capture, decision, skipReason }: PlanInput): boolean {
  if (!capture || decision.action !== "allow") return false;
  const { source, degraded, unchecked, guess } = decision;
  if (source === "local") return skipReason === null && unchecked === undefined && guess === undefined;
  return source === "person" || ((source === "service" || source === "cache") && !degraded);
}

/** An order that waits to be cancelled, or cannot be, must not ship meanwhile. */
function toCancelSteps(
  { records, coolOff }: PlanInput,
  explain: readonly EnforcementStep[],
): EnforcementStep[] {
  if (coolOff) return ["hold", ...explain, "cancel"];
  return cannotCancel(records) ? [...explain, "cancel", "hold"] : [...explain, "cancel"];
}

/** Tags of the decision before this one that no longer say what is true. */
export function toFormerTags({ tags, supersedes }: Decision): readonly string[] {
  return (supersedes?.tags ?? []).filter((tag) => !tags.includes(tag));
}

/** Where an order stands once every step has ended. */
export function toFinalState(records: readonly StepRecord[]): "settled" | "review" | "failed" {
  const ended = (step: EnforcementStep, ...states: readonly StepRecord["state"][]): boolean =>
    records.some((record) => record.step === step && states.includes(record.state));
  if (records.some(isCancelEnded)) return "settled";
  if (ended("hold", "done")) return "review";
  return records.some(({ state }) => state === "impossible") ? "failed" : "settled";
}

/** Whether a cancel is done, or not needed any more. One that shadow mode stopped leaves the hold that came before it. */
function isCancelEnded({ step, state, cause }: StepRecord): boolean {
  return step === "cancel" && (state === "done" || (state === "moot" && cause !== "shadow"));
}

/**
 * Whether the hold of an earlier decision stays where it is, since nothing may be touched for the present one.
 *
 * @param records - The latest of each step first, whichever decision it was taken for.
 */
export function isHeldStill({ enforce, supersedes }: Decision, records: readonly StepRecord[]): boolean {
  const isUntaken = (record: StepRecord | undefined): boolean =>
    record?.state === "moot" && record.cause === "shadow";
  if (supersedes?.held !== true || (enforce && !records.some(isUntaken))) return false;
  const find = (step: EnforcementStep) => records.find((record) => record.step === step);
  const [hold, release] = [find("hold"), find("release")];
  if (hold === undefined || (hold.state !== "done" && !isUntaken(hold))) return false;
  return release?.state !== "done" || release.atMs < hold.atMs;
}

/** How far the platform is with canceling a decided order; null when it has not begun. */
export function toCancelProgress(
  { decision, decidedAtMs }: Pick<OrderRecord, "decision" | "decidedAtMs">,
  steps: readonly StepRecord[],
): "begun" | "done" | null {
  if (decision?.action !== "cancel") return null;
  const cancel = steps.find(({ step, atMs }) => step === "cancel" && atMs >= (decidedAtMs ?? 0));
  if (cancel?.state === "done") return "done";
  return cancel?.begun === true ? "begun" : null;
}

/** What could not be done, and why. */
export function toStepProblems(records: readonly StepRecord[]): readonly OrderProblem[] {
  const failed = records.filter(({ state }) => state === "impossible");
  return failed.map(({ step, detail: code }) => ({ step, code }));
}

/** An order that was not sent and that nobody judged instead: nothing new is written, not even an assessment. */
function isLeftAlone(decision: Decision, skipReason: SkipReason | null): boolean {
  return skipReason !== null && decision.source === "policy" && decision.disputed !== true;
}

function cannotCancel(records: readonly StepRecord[]): boolean {
  return records.some(({ step, state }) => step === "cancel" && state === "impossible");
}

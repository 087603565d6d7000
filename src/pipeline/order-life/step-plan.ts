import { isServiceAnswer, type Decision } from "../../order/decision.ts";
import type { SkipReason } from "../../order/skip-reasons.ts";
import type { OrderRecord, StepRecord } from "../../store/store.ts";
import type { OrderProblem } from "../../store/orders/timeline.ts";
import type { EnforcementStep } from "../../platform/enforcement-step.ts";
import type { Policy } from "../../policy/policy.ts";

/** The record of a step; undefined if it wasn't tried. */
export function findStep(steps: readonly StepRecord[], name: EnforcementStep): StepRecord | undefined {
  return steps.find(({ step }) => step === name);
}

export function isDone(steps: readonly StepRecord[], name: EnforcementStep): boolean {
  return findStep(steps, name)?.state === "done";
}

export interface PlanInput {
  readonly decision: Decision;
  readonly skipReason: SkipReason | null;
  /** Steps of this decision that were tried. */
  readonly records: readonly StepRecord[];
  /** The hold of an earlier decision is still there. */
  readonly isHeld: boolean;
  /** Hold the order first, and cancel it after the cool-off. */
  readonly coolOff: boolean;
  /** Capture the payment once the order is approved. */
  readonly capture: boolean;
}

/**
 * The steps to take on the platform, most urgent first: a hold competes with fulfillment, and an order should show the reason
 * before it is canceled.
 */
export function toSteps(input: PlanInput): readonly EnforcementStep[] {
  const { decision, skipReason } = input;
  if (!decision.enforce) return [];
  // It was neither sent nor judged: nothing is written to it, not even an assessment.
  const isUntouched = skipReason !== null && decision.source === "policy" && decision.disputed !== true;
  if (isUntouched) return toTakenBack(decision);
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
      // What hasn't shipped must not ship.
      return decision.cancelsNothing === undefined ? toCancelSteps(input, explain) : ["hold", ...explain];
  }
}

/** Steps that remove our hold and tags, of its check or its former decision, from an order that is now left alone. */
function toTakenBack(decision: Decision): EnforcementStep[] {
  return [
    ...(decision.supersedes?.held === true ? (["release"] as const) : []),
    ...(toFormerTags(decision).length > 0 ? (["untag"] as const) : []),
  ];
}

/** A released order can ship, so if its payment has to be captured, that comes first. */
function toApprovedSteps(input: PlanInput, explain: readonly EnforcementStep[]): EnforcementStep[] {
  const capture: EnforcementStep[] = needsCapture(input) ? ["capture"] : [];
  const captured = findStep(input.records, "capture")?.state;
  const isPaid = captured === "done" || captured === "moot";
  const isHeld = input.decision.supersedes?.held === true && (capture.length === 0 || isPaid);
  return [...capture, ...(isHeld ? (["release"] as const) : []), ...explain];
}

/**
 * Whether to capture the payment. A guess captures nothing: if the service didn't check the order, a person has to approve it.
 * If no service is configured, the local engine's decision counts for orders whose level it may publish.
 */
function needsCapture({ capture, decision, skipReason }: PlanInput): boolean {
  if (!capture || decision.action !== "allow") return false;
  const { source, unchecked, guess, handled } = decision;
  // Nobody said that it's good.
  if (handled === true) return false;
  if (source === "local") return skipReason === null && unchecked === undefined && guess === undefined;
  return source === "person" || isServiceAnswer(decision);
}

/** An order that waits to be canceled, or can't be canceled, must not ship meanwhile. */
function toCancelSteps(
  { records, isHeld, coolOff }: PlanInput,
  explain: readonly EnforcementStep[],
): EnforcementStep[] {
  const cancel = findStep(records, "cancel");
  // Once the platform has begun, nothing ships any more.
  const isDelayed = cancel?.state === "waiting" && cancel.begun !== true;
  if (coolOff || (isDelayed && !isHeld)) return ["hold", ...explain, "cancel"];
  return cancel?.state === "impossible" ? [...explain, "cancel", "hold"] : [...explain, "cancel"];
}

/** Tags of the former decision that no longer apply. */
export function toFormerTags({ tags, supersedes }: Decision): readonly string[] {
  return (supersedes?.tags ?? []).filter((tag) => !tags.includes(tag));
}

export function toFinalState(records: readonly StepRecord[]): "settled" | "review" | "failed" {
  if (records.some(isCancelEnded)) return "settled";
  if (isDone(records, "hold")) return "review";
  return records.some(({ state }) => state === "impossible") ? "failed" : "settled";
}

/** Whether a cancel is done, or no longer needed. If shadow mode stopped it, the hold before it stays. */
function isCancelEnded({ step, state, cause }: StepRecord): boolean {
  return step === "cancel" && (state === "done" || (state === "moot" && cause !== "shadow"));
}

/**
 * Whether the hold of an earlier decision stays, because nothing may be touched for the current one.
 *
 * @param taken - The steps of the current decision.
 * @param kept - The latest record of each step before them, for whichever decision.
 */
export function isHeldStill(
  { enforce, supersedes }: Decision,
  taken: readonly StepRecord[],
  kept: readonly StepRecord[],
): boolean {
  const isUntaken = (record: StepRecord | undefined): boolean =>
    record?.state === "moot" && record.cause === "shadow";
  if (supersedes?.held !== true || (enforce && !taken.some(isUntaken))) return false;
  const latest = [...taken, ...kept];
  const [hold, release] = [findStep(latest, "hold"), findStep(latest, "release")];
  if (hold === undefined || (hold.state !== "done" && !isUntaken(hold))) return false;
  return release?.state !== "done" || release.atMs < hold.atMs;
}

/** The note on a hold that was placed because a decided order is to be checked again. */
export const FOR_RECHECK = { recheck: "yes" } as const;

export function isHeldForRecheck(steps: readonly StepRecord[]): boolean {
  const [hold, release] = [findStep(steps, "hold"), findStep(steps, "release")];
  return hold?.notes?.["recheck"] !== undefined && (release?.atMs ?? 0) <= hold.atMs;
}

/** The note on a hold that was placed again after an app had released it. */
export const HELD_AGAIN = { again: "yes" } as const;

/** The note while that hold is being placed. */
export const HOLDING_AGAIN = { again: "begun" } as const;

export function isHoldingAgain(notes: StepRecord["notes"] = {}): boolean {
  return notes["again"] === HOLDING_AGAIN.again;
}

/** Whether a hold that an app released is placed again. Once: two apps must not fight over an order. */
export function mayHoldAgain(policy: Policy, notes: StepRecord["notes"] = {}): boolean {
  return policy.hold.onAppRelease === "hold-again" && notes["again"] !== HELD_AGAIN.again;
}

/** How far the platform is with canceling an order; null if it hasn't begun. */
export function toCancelProgress(
  { decision, decidedAtMs }: Pick<OrderRecord, "decision" | "decidedAtMs">,
  steps: readonly StepRecord[],
): "begun" | "done" | null {
  if (decision?.action !== "cancel") return null;
  const cancel = steps.find(({ step, atMs }) => step === "cancel" && atMs >= (decidedAtMs ?? 0));
  if (cancel?.state === "done") return "done";
  return cancel?.begun === true ? "begun" : null;
}

export function toStepProblems(records: readonly StepRecord[]): readonly OrderProblem[] {
  const failed = records.filter(({ state }) => state === "impossible");
  return failed.map(({ step, detail: code }) => ({ step, code }));
}

import type { Decision } from "../../order/decision.ts";
import type { EnforcementStep } from "../../platform/enforcement-step.ts";
import type { Policy } from "../../policy/policy.ts";
import type { StepRecord } from "../../store/store.ts";
import { needsRecheck } from "./changed-order.ts";
import type { Pass, Situation } from "./situation.ts";
import { findStep, isDone, toSteps } from "./step-plan.ts";

/** The situation of an order whose decision is being applied. */
export type Applying = Pick<Situation, "order" | "steps" | "policy"> & { readonly decision: Decision };

/** The steps that were tried for the current decision. Those for an earlier one don't count. */
export function toTried({ order, steps }: Pick<Applying, "order" | "steps">): readonly StepRecord[] {
  return steps.filter(({ atMs }) => atMs >= (order.decidedAtMs ?? 0));
}

/** The pass at its beginning, before any of its steps. */
export function beginPass(applying: Applying): Pass {
  const { decision, steps } = applying;
  const wasBegun = toTried(applying).some(({ step, begun }) => step === "cancel" && begun === true);
  const isHeld = decision.supersedes?.held === true && isDone(steps, "hold");
  return { wasBegun, isHeld, coolOff: needsCoolOff(applying, wasBegun), loose: null, waits: new Map() };
}

/** Whether a cancel waits on hold first. Not if a person decided it, or if it has already begun. */
function needsCoolOff({ order, decision, policy }: Applying, wasBegun: boolean): boolean {
  if (decision.source === "person" || wasBegun) return false;
  return policy.cancel.coolOffMinutes > 0 || needsRecheck(order);
}

/** Whether nothing may be changed: in shadow mode, Holdfast applies only people's decisions, not its own from before. */
export function isInShadow(policy: Policy, decision: Decision): boolean {
  return policy.mode === "shadow" && decision.source !== "person";
}

/** The hold that covered all goods and that a cancel waits on; undefined if it doesn't wait on one. */
export function findWaitedOn(applying: Applying, { coolOff }: Pass): StepRecord | undefined {
  const { decision, policy } = applying;
  if (decision.action !== "cancel" || !coolOff || isInShadow(policy, decision)) return undefined;
  const hold = findStep(toTried(applying), "hold");
  return hold?.state === "done" && hold.memory["gap"] === undefined ? hold : undefined;
}

/** Planned again after each step: if a cancel is delayed or turns out to be impossible, a hold is needed. */
export function planSteps(applying: Applying, { isHeld, coolOff }: Pass): readonly EnforcementStep[] {
  const { order, decision, policy } = applying;
  const capture = policy.captureWhenApproved && policy.mode === "active";
  const records = toTried(applying);
  return toSteps({ decision, skipReason: order.skipReason, records, isHeld, coolOff, capture });
}

/** The step to take now; undefined if each step has ended or has to wait. */
export function findNextStep(applying: Applying, pass: Pass): EnforcementStep | undefined {
  const tried = toTried(applying);
  const inShadow = isInShadow(applying.policy, applying.decision);
  return planSteps(applying, pass).find((step) => {
    if (pass.waits.has(step)) return false;
    return (step === "hold" && pass.loose !== null) || shouldTry(findStep(tried, step), inShadow);
  });
}

/** Whether to try a step: it wasn't tried, it waits, or it's a hold that doesn't cover all goods (unless nothing may be touched). */
function shouldTry(record: StepRecord | undefined, inShadow: boolean): boolean {
  if (record === undefined || record.state === "waiting") return true;
  return record.memory["gap"] !== undefined && !inShadow;
}

/** The steps to try again later. The hold of a delayed cancel isn't needed any more once the order is canceled. */
export function toWaits(applying: Applying, pass: Pass): Pass["waits"] {
  const planned = planSteps(applying, pass);
  return new Map([...pass.waits].filter(([step]) => planned.includes(step)));
}

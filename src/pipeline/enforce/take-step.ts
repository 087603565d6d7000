import type { EnforcementStep, StepOutcome } from "../../platform/enforcement-step.ts";
import type { EnforcementTarget } from "../../platform/platform.ts";
import type { Policy } from "../../policy/policy.ts";
import type { OrderRecord } from "../../store/store.ts";
import { toFormerTags } from "../order-life/step-plan.ts";
import type { OrderTask } from "../tasks.ts";
import { toRemembered } from "./observe.ts";

/** A step to take for a decision, or before there is one. */
export interface StepToTake extends Pick<EnforcementTarget, "decision" | "undecided" | "memory"> {
  readonly order: OrderRecord;
  readonly policy: Policy;
}

/** Carry out a step on the platform, and count it. */
export async function takeStep(
  { store, platform, signal, assertHeld, metrics }: OrderTask,
  step: EnforcementStep,
  { order, policy: { cancel }, ...rest }: StepToTake,
): Promise<StepOutcome> {
  const { tenant, orderId, result } = order;
  const [formerTags, remembered] = [toFormerTags(rest.decision), toRemembered(store, order)];
  const target = { tenant, orderId, result, cancel, formerTags, remembered, ...rest };
  // What led to this step was read before, and the process may have been frozen since.
  assertHeld();
  try {
    const outcome = await platform.enforce(step, target, { signal });
    metrics.enforced(step, outcome.outcome);
    return outcome;
  } catch (error) {
    if (!signal.aborted) metrics.enforced(step, "error");
    throw error;
  }
}

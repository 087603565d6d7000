import type { EnforcementTarget } from "../../platform/platform.ts";
import type { EnforcementStep, StepOutcome } from "../../platform/enforcement-step.ts";
import type { Policy } from "../../policy/policy.ts";
import type { OrderRecord } from "../../store/store.ts";
import type { OrderTask } from "../tasks.ts";
import { toFormerTags } from "./step-plan.ts";

/** A step to take for a decision, or before there is one. */
export interface StepToTake extends Pick<EnforcementTarget, "decision" | "undecided" | "memory"> {
  readonly order: OrderRecord;
  readonly policy: Policy;
}

/** Take one step on the platform, and count how it ended. */
export async function takeStep(
  { platform, signal, metrics }: OrderTask,
  step: EnforcementStep,
  { order: { tenant, orderId, result }, policy: { cancel }, ...rest }: StepToTake,
): Promise<StepOutcome> {
  const target = { tenant, orderId, result, cancel, formerTags: toFormerTags(rest.decision), ...rest };
  try {
    const outcome = await platform.enforce(step, target, { signal });
    metrics.enforced(step, outcome.outcome);
    return outcome;
  } catch (error) {
    if (!signal.aborted) metrics.enforced(step, "error");
    throw error;
  }
}

import { toMachineDecision, type Decision } from "../../order/decision.ts";
import { findReason } from "../../order/reasons.ts";
import type { OrderRecord, StepRecord } from "../../store/store.ts";
import { isHoldGone } from "../enforce/final-step-guard.ts";
import { isHeldForRecheck, toCancelProgress } from "../enforce/step-plan.ts";
import type { OrderTask } from "../tasks.ts";
import { toDecidedEntry } from "../timeline.ts";
import { restOverridden } from "../watch/hold-keeper.ts";
import { keepDecision } from "./decide.ts";
import { supersede, type Superseding } from "./supersede.ts";

/**
 * A person released our hold on the platform, and didn't know this decision: it came later, or the order was still being
 * checked. They wanted the order to proceed. So instead of being canceled it is held, which shows them why. And it isn't held
 * again merely because the service hasn't answered.
 */
export async function honorRelease(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  const { decision } = order;
  if (decision === null || !mayBeHonored(decision)) return order;
  const { policy } = await task.policyOf(order.tenant);
  if (policy.mode === "shadow") return order;
  const steps = await task.store.listSteps(order);
  if (decision.action !== "cancel" && !isHeldOnlyToCheck(decision, steps)) return order;
  const hold = findHoldBefore(order, steps);
  if (hold === undefined || !(await isHoldGone(task, order, hold))) return order;
  return decision.action === "cancel"
    ? keepDecision(task, order, holdInstead(order, decision, steps, "hold-released", task.now()))
    : restOverridden(task, order);
}

function mayBeHonored({ action, source, enforce, disputed }: Decision): boolean {
  return enforce && source !== "person" && disputed !== true && (action === "cancel" || action === "hold");
}

/** A hold because of an answer differs from the hold during the check, even if a person released the latter. */
function isHeldOnlyToCheck({ reasons, supersedes }: Decision, steps: readonly StepRecord[]): boolean {
  const isOfCheck = supersedes?.whileChecking === true || isHeldForRecheck(steps);
  return isOfCheck && findReason(reasons, "held-to-check") !== undefined;
}

/** Our hold from before the decision, unless Holdfast has released it or begun to cancel the order. */
function findHoldBefore(order: OrderRecord, steps: readonly StepRecord[]): StepRecord | undefined {
  const [hold, release] = (["hold", "release"] as const).map((name) =>
    steps.find(({ step }) => step === name),
  );
  if (hold?.state !== "done" || hold.atMs >= (order.decidedAtMs ?? 0)) return undefined;
  const isReleased = hold.notes?.["releasing"] !== undefined || (release?.atMs ?? 0) > hold.atMs;
  return isReleased || toCancelProgress(order, steps) !== null ? undefined : hold;
}

/** Hold an order that was to be canceled, until a person decides. */
export function holdInstead(
  order: OrderRecord,
  former: Decision,
  steps: readonly StepRecord[],
  reason: "hold-released" | "policy-changed",
  nowMs: number,
): Superseding {
  const decision: Decision = {
    ...former,
    action: "hold",
    reasons: [reason, ...former.reasons],
    machine: toMachineDecision(former),
  };
  const changes = { state: "decided", dueAtMs: nowMs, attempts: 0, decision, decidedAtMs: nowMs } as const;
  return supersede(order, steps, {
    decision,
    changes: { ...changes, problem: null, holdDeadlineMs: null },
    entries: [toDecidedEntry(nowMs, decision)],
  });
}

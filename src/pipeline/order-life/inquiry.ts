import type { KeptDispute } from "../../store/outcomes/disputes.ts";
import type { OrderRecord, StepRecord } from "../../store/store.ts";
import { toCancelProgress } from "./step-plan.ts";
import { holdForPerson, type Superseding } from "./supersede.ts";

/**
 * Whether an inquiry puts an order on hold. Not if it was already held for the inquiry, or a person decided since. Not if a
 * person declined it either: the order is to be refunded.
 */
export function needsHoldForInquiry(
  { decision, decidedAtMs }: Pick<OrderRecord, "decision" | "decidedAtMs">,
  { seenAtMs }: KeptDispute,
): boolean {
  if (decision === null || decision.disputed === true) return false;
  if (decision.source !== "person") return true;
  return decision.action !== "cancel" && (decidedAtMs ?? 0) <= seenAtMs;
}

/** Hold an order until a person decides, whatever was decided before. Null if the order stays as it is. */
export function holdDisputed(
  order: OrderRecord,
  steps: readonly StepRecord[],
  inquiry: KeptDispute,
  nowMs: number,
): Superseding | null {
  const { decision: former } = order;
  if (former === null || !needsHoldForInquiry(order, inquiry) || toCancelProgress(order, steps) !== null)
    return null;
  const { actor: _actor, ...rest } = former;
  const disputed = { source: "policy", enforce: true, disputed: true } as const;
  return holdForPerson(order, rest, steps, "dispute:inquiry", nowMs, disputed);
}

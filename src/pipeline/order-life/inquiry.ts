import type { KeptDispute } from "../../store/outcomes/disputes.ts";
import type { OrderRecord, StepRecord } from "../../store/store.ts";
import { toCancelProgress } from "./step-plan.ts";
import { holdForPerson, type Superseding } from "./supersede.ts";

/** The newest open inquiry about an order's payment; undefined if there is none. */
export function findInquiry(disputes: readonly KeptDispute[]): KeptDispute | undefined {
  return disputes.findLast(({ kind, status }) => kind === "inquiry" && status === "open");
}

/** Outcomes in which the shop keeps its money. */
const KEEPS_MONEY: ReadonlySet<KeptDispute["status"]> = new Set(["won", "prevented"]);

/** Whether a dispute took back an order's payment, or still may. */
export function isPaymentDisputed(disputes: readonly KeptDispute[]): boolean {
  return disputes.some(({ status }) => !KEEPS_MONEY.has(status));
}

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

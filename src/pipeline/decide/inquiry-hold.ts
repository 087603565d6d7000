import { toMachineDecision, type Decision } from "../../order/decision.ts";
import type { DisputeStore, KeptDispute } from "../../store/outcomes/disputes.ts";
import type { OrderKey, OrderRecord, StepRecord } from "../../store/store.ts";
import { toDecidedEntry } from "../timeline.ts";
import { supersedeAfter, type Superseding } from "./supersede.ts";

/** The open inquiry about an order's payment that came last; null for none. */
export async function findInquiry(
  store: Pick<DisputeStore, "listDisputes">,
  { tenant, orderId }: OrderKey,
): Promise<KeptDispute | null> {
  const disputes = (await store.listDisputes(tenant, [orderId])).get(orderId) ?? [];
  return disputes.findLast(({ kind, status }) => kind === "inquiry" && status === "open") ?? null;
}

/** How far the platform is with canceling a decided order; null when it has not begun. */
export function toCancelProgress(
  { decision, decidedAtMs }: Pick<OrderRecord, "decision" | "decidedAtMs">,
  steps: readonly StepRecord[],
): "begun" | "done" | null {
  if (decision?.action !== "cancel") return null;
  const cancel = steps.find(({ step, atMs }) => step === "cancel" && atMs >= (decidedAtMs ?? 0));
  if (cancel?.state === "done") return "done";
  return cancel?.state === "waiting" && Object.keys(cancel.memory).length > 0 ? "begun" : null;
}

/**
 * Whether an inquiry puts an order on hold. Not what was held for it before, nor what a person decided on since, nor what a
 * person declined: they want the refund.
 */
export function isToHold(
  { decision, decidedAtMs }: Pick<OrderRecord, "decision" | "decidedAtMs">,
  { seenAtMs }: KeptDispute,
): boolean {
  if (decision === null || decision.disputed === true) return false;
  if (decision.source !== "person") return true;
  return decision.action !== "cancel" && (decidedAtMs ?? 0) < seenAtMs;
}

/** Hold an order until a person decides, whatever was decided before; null for an order that stays as it is. */
export function holdDisputed(
  order: OrderRecord,
  steps: readonly StepRecord[],
  inquiry: KeptDispute,
  nowMs: number,
): Superseding | null {
  const { decision: former } = order;
  if (former === null || !isToHold(order, inquiry) || toCancelProgress(order, steps) !== null) return null;
  const { actor: _actor, ...rest } = former;
  const decision: Decision = {
    ...rest,
    action: "hold",
    reasons: ["dispute:inquiry", ...former.reasons],
    source: "policy",
    enforce: true,
    machine: toMachineDecision(former),
    disputed: true,
  };
  const changes = { state: "decided", dueAtMs: nowMs, attempts: 0, decision, decidedAtMs: nowMs } as const;
  return supersedeAfter(steps, order, former, decision, {
    changes: { ...changes, problem: null, holdDeadlineMs: null },
    entries: [toDecidedEntry(nowMs, decision)],
  });
}

import { findInquiry } from "../../store/outcomes/disputes.ts";
import type { OrderRecord } from "../../store/store.ts";
import { holdDisputed } from "../order-life/inquiry.ts";
import type { OrderTask } from "../tasks.ts";
import { keepDecision } from "./decide.ts";

/**
 * If a bank asks about the payment, hold the order until a person decides, whatever Holdfast decided. A dispute's webhook does
 * this at once. This phase is for orders that were being worked on, or weren't decided yet, when the webhook came.
 */
export async function holdForInquiry(task: OrderTask, order: OrderRecord): Promise<OrderRecord> {
  const { decision, skipReason } = order;
  if (decision === null || decision.source === "person" || !decision.enforce) return order;
  if (skipReason === "CANCELLED") return order;
  const inquiry = await findInquiry(task.store, order);
  if (inquiry === null) return order;
  const held = holdDisputed(order, await task.store.listSteps(order), inquiry, task.now());
  return held === null ? order : keepDecision(task, order, held);
}

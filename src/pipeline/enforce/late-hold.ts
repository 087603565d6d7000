import { alertOnce } from "../../alerts/alert-once.ts";
import { toProblemText, type OrderProblem } from "../../store/orders/timeline.ts";
import type { OrderRecord } from "../../store/store.ts";
import type { PipelineParts } from "../tasks.ts";

const MONTH_MS = 30 * 24 * 3_600_000;
/** Platforms route an order for fulfillment within minutes. If it takes longer than this, alert somebody. */
const LATE_HOLD_MS = 30 * 60_000;

/** Alert once that some of an order's goods still aren't on hold and can ship. */
export async function warnOfLateHold(
  task: Pick<PipelineParts, "store" | "logger" | "now">,
  { tenant, orderId, decidedAtMs }: OrderRecord,
  problems: readonly OrderProblem[],
): Promise<void> {
  const nowMs = task.now();
  if (nowMs < (decidedAtMs ?? nowMs) + LATE_HOLD_MS) return;
  const incident = { tenant, name: `hold_not_placed:${orderId}`, quietMs: MONTH_MS };
  const facts = { problem: toProblemText(problems), tenant, orderId };
  const message = "an order should be on hold, but it or part of it isn't";
  await alertOnce(task, incident, "hold_not_placed", facts, message);
}

import type { OrderEnd } from "../../platform/enforcement-step.ts";
import type { OrderRecord } from "../../store/store.ts";
import type { OrderSituation } from "../../store/orders/locked-order.ts";
import type { OrderTrace } from "../../store/outcomes/outcomes.ts";
import { hasEndedAs } from "../timeline.ts";
import { toTried } from "./step-pass.ts";
import { isDone } from "./step-plan.ts";

/** How the order ended on the platform, as far as Holdfast knows; null if it goes on. Pure. */
export function toOrderEnd(situation: OrderSituation): OrderEnd | null {
  const { order, steps, timeline } = situation;
  const isCanceled = isDone(steps, "cancel") || timeline.some((entry) => hasEndedAs("cancelled", entry));
  if (isCanceled || order.skipReason === "CANCELLED") return "cancelled";
  const recent = order.decision?.cancelsNothing === "unshipped" ? sinceDecided(situation) : situation;
  const hasShipped =
    recent.steps.some(({ cause }) => cause === "shipped") ||
    recent.timeline.some((entry) => hasEndedAs("shipped", entry));
  return hasShipped ? "shipped" : null;
}

/** The platform said at the decision that the order hadn't shipped, so what was recorded before doesn't count. */
function sinceDecided({
  order,
  steps,
  timeline,
}: OrderSituation): Pick<OrderSituation, "steps" | "timeline"> {
  const decidedAt = timeline.findLastIndex(({ kind }) => kind === "decided");
  return { steps: toTried({ order, steps }), timeline: timeline.slice(decidedAt + 1) };
}

/** The same from what is recorded about an order's end, for lists. Pure. */
export function toTracedEnd(
  { skipReason }: Pick<OrderRecord, "skipReason">,
  trace: Pick<OrderTrace, "events" | "observed"> | undefined,
): OrderEnd | null {
  const { events = [], observed = null } = trace ?? {};
  const isCanceled = events.some((event) => event.kind === "cancel-done" || hasEndedAs("cancelled", event));
  if (isCanceled || skipReason === "CANCELLED" || observed?.cancelled === true) return "cancelled";
  return events.some((event) => hasEndedAs("shipped", event)) ? "shipped" : null;
}

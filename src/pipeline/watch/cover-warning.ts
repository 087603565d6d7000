import { toKnown } from "../../platform/known-order.ts";
import type { Logger } from "../../base/logger.ts";
import type { OrderRecord, StepRecord, TimelineEntry } from "../../store/store.ts";
import { toTimelineEntry } from "../timeline.ts";

/** Shopify Protect covers an order that ships within 7 days of being placed, with tracking. */
const COVER_MS = 7 * 24 * 3_600_000;
/** How long before its end a cover is warned of: long enough to decide, pack and ship. */
const WARNING_MS = 48 * 3_600_000;

/** When to warn that a hold lets the order's cover lapse; null when there is no cover to lose. */
export function toCoverWarningMs({
  mapped,
  receivedAtMs,
}: Pick<OrderRecord, "mapped" | "receivedAtMs">): number | null {
  if (mapped === null) return null;
  const { protect, protectEligibility } = mapped.context ?? {};
  const isCovered = protect === "active" || (protect === "pending" && protectEligibility !== "not-eligible");
  if (!isCovered) return null;
  const { orderTimestamp } = toKnown(mapped);
  const placedAtMs = Date.parse(orderTimestamp ?? "");
  return (Number.isNaN(placedAtMs) ? receivedAtMs : placedAtMs) + COVER_MS - WARNING_MS;
}

/** What a look at a held order leaves to write down. */
interface Warned {
  readonly memory: StepRecord["memory"];
  readonly entries: readonly TimelineEntry[];
}

/**
 * Warn once when the hold is about to cost the order its cover. Nothing is done about it: whether the order ships is a
 * person's decision.
 */
export function warnOfCover(
  { logger, now }: { readonly logger: Logger; readonly now: () => number },
  order: OrderRecord,
  memory: StepRecord["memory"],
): Warned {
  const warningMs = toCoverWarningMs(order);
  if (warningMs === null || now() < warningMs || memory["lapsing"] !== undefined) {
    return { memory: {}, entries: [] };
  }
  const { tenant, orderId } = order;
  logger.error(
    { alert: "protection_lapsing", tenant, orderId },
    "a hold is about to cost an order its chargeback protection",
  );
  const detail = "ships with tracking within 7 days of being placed, or loses its cover";
  return {
    memory: { lapsing: "yes" },
    entries: [toTimelineEntry(now(), { kind: "protection-lapsing" }, detail)],
  };
}

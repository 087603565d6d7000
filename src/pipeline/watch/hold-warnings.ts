import { alertOnce } from "../../alerts/alert-once.ts";
import type { Logger } from "../../base/logger.ts";
import { toKnown } from "../../platform/platform.ts";
import { toProblemText, type OrderProblem } from "../../store/orders/timeline.ts";
import type { OrderRecord, StepRecord, TimelineEntry, IncidentStore } from "../../store/store.ts";
import { toTimelineEntry } from "../timeline.ts";

/** How long before an authorization ends to warn: time to decide within a working day. */
const AUTHORIZATION_WARNING_MS = 24 * 3_600_000;

/** When to warn that a held order's authorization ends soon; null if it has no known end. */
function toAuthorizationWarningMs({ mapped }: Pick<OrderRecord, "mapped">): number | null {
  const endMs = Date.parse(mapped?.context?.authorizationExpiresAt ?? "");
  return Number.isNaN(endMs) ? null : endMs - AUTHORIZATION_WARNING_MS;
}

/** Shopify Protect covers an order that ships within 7 days of being placed, with tracking. */
const COVER_MS = 7 * 24 * 3_600_000;
/** How long before the cover ends to warn: time to decide, pack and ship. */
const COVER_WARNING_MS = 48 * 3_600_000;

/** When to warn that the order's cover ends soon; null if it has none. */
export function toCoverWarningMs({ mapped, receivedAtMs }: Pick<OrderRecord, "mapped" | "receivedAtMs">) {
  if (mapped === null) return null;
  const { protect, protectEligibility } = mapped.context ?? {};
  const isCovered = protect === "active" || (protect === "pending" && protectEligibility !== "not-eligible");
  if (!isCovered) return null;
  const { orderTimestamp } = toKnown(mapped);
  const placedAtMs = Date.parse(orderTimestamp ?? "");
  return (Number.isNaN(placedAtMs) ? receivedAtMs : placedAtMs) + COVER_MS - COVER_WARNING_MS;
}

/** When to warn that a hold costs the cover or the authorization; null for one the order doesn't have. */
export function toWarningsMs(
  order: Pick<OrderRecord, "mapped" | "receivedAtMs">,
): readonly (number | null)[] {
  return [toCoverWarningMs(order), toAuthorizationWarningMs(order)];
}

export type HoldNotes = NonNullable<StepRecord["notes"]>;

/** Where warnings go, and the time. */
interface Surroundings {
  readonly logger: Logger;
  readonly now: () => number;
}

/** The changes to save after a look at a held order. */
export interface Warned {
  readonly notes: HoldNotes;
  readonly entries: readonly TimelineEntry[];
}

/**
 * Warn once each when a hold is about to cost the order its cover or its authorization. Holdfast only warns: a person decides
 * whether the order ships.
 */
export function warnOfLosses({ logger, now }: Surroundings, order: OrderRecord, notes: HoldNotes): Warned {
  const { tenant, orderId } = order;
  const nowMs = now();
  const isTime = (warningMs: number | null): boolean => warningMs !== null && nowMs >= warningMs;
  const warned: Record<string, string> = {};
  const entries: TimelineEntry[] = [];
  if (isTime(toCoverWarningMs(order)) && notes["lapsing"] === undefined) {
    logger.error(
      { alert: "protection_lapsing", tenant, orderId },
      "an order is about to lose its chargeback protection because of a hold",
    );
    const detail = "must ship with tracking within 7 days of being placed, or it loses its cover";
    entries.push(toTimelineEntry(nowMs, { kind: "protection-lapsing" }, detail));
    warned["lapsing"] = "yes";
  }
  // Warn once for each authorization.
  const endsAt = order.mapped?.context?.authorizationExpiresAt ?? "";
  if (isTime(toAuthorizationWarningMs(order)) && notes["authorization"] !== endsAt) {
    logger.error(
      { alert: "authorization_expiring", tenant, orderId },
      "the authorization of a held order's payment is about to expire",
    );
    const detail = `the payment can be captured until ${endsAt}`;
    entries.push(toTimelineEntry(nowMs, { kind: "authorization-expiring" }, detail));
    warned["authorization"] = endsAt;
  }
  return { notes: warned, entries };
}

const MONTH_MS = 30 * 24 * 3_600_000;
/** Platforms route an order for fulfillment within minutes. If it takes longer than this, alert somebody. */
const LATE_HOLD_MS = 30 * 60_000;

/** Alert once that some of an order's goods still aren't on hold and can ship. */
export async function warnOfLateHold(
  task: Surroundings & { readonly store: Pick<IncidentStore, "openIncident"> },
  { tenant, orderId, decidedAtMs }: OrderRecord,
  problems: readonly OrderProblem[],
): Promise<void> {
  const nowMs = task.now();
  if (nowMs < (decidedAtMs ?? nowMs) + LATE_HOLD_MS) return;
  const incident = { tenant, name: `hold_not_placed:${orderId}`, quietMs: MONTH_MS };
  const fields = { alert: "hold_not_placed", problem: toProblemText(problems), tenant, orderId };
  await alertOnce(task, incident, fields, "an order should be on hold, but it or part of it isn't");
}

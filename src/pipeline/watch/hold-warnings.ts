import { raiseAlert } from "../../base/alerts.ts";
import type { OrderRecord, TimelineEntry } from "../../store/store.ts";
import { toAuthorizationWarningMs, toCoverWarningMs, type HoldNotes } from "../order-life/warning-times.ts";
import type { PipelineParts } from "../tasks.ts";
import { toTimelineEntry } from "../timeline.ts";

/** The changes to save after a look at a held order. */
export interface Warned {
  readonly notes: HoldNotes;
  readonly entries: readonly TimelineEntry[];
}

/**
 * Warn once each when a hold is about to cost the order its cover or its authorization. Holdfast only warns: a person decides
 * whether the order ships.
 */
export function warnOfLosses(
  { logger, now }: Pick<PipelineParts, "logger" | "now">,
  order: OrderRecord,
  notes: HoldNotes,
): Warned {
  const { tenant, orderId } = order;
  const nowMs = now();
  const isTime = (warningMs: number | null): boolean => warningMs !== null && nowMs >= warningMs;
  const warned: Record<string, string> = {};
  const entries: TimelineEntry[] = [];
  if (isTime(toCoverWarningMs(order)) && notes["lapsing"] === undefined) {
    raiseAlert(
      logger,
      "protection_lapsing",
      { tenant, orderId },
      "an order is about to lose its chargeback protection because of a hold",
    );
    const detail = "must ship with tracking within 7 days of being placed, or it loses its cover";
    entries.push(toTimelineEntry(nowMs, { kind: "protection-lapsing" }, detail));
    warned["lapsing"] = "yes";
  }
  // Warn once for each authorization.
  const endsAt = order.mapped?.context?.authorizationExpiresAt ?? "";
  if (isTime(toAuthorizationWarningMs(order)) && notes["authorization"] !== endsAt) {
    raiseAlert(
      logger,
      "authorization_expiring",
      { tenant, orderId },
      "the authorization of a held order's payment is about to expire",
    );
    const detail = `the payment can be captured until ${endsAt}`;
    entries.push(toTimelineEntry(nowMs, { kind: "authorization-expiring" }, detail));
    warned["authorization"] = endsAt;
  }
  return { notes: warned, entries };
}

import { isStop } from "../../order/decision.ts";
import type { TenantId } from "../../platform/platform.ts";
import { toPastDecision } from "../../policy/past-decision.ts";
import type { KnownOutcomes } from "../../engine/own-weights.ts";
import {
  readDecidedPages,
  type DecidedWindow,
  type PageStore,
  toFraudOutcome,
  type TracedOrder,
} from "./outcome.ts";

/** Orders of one level whose outcome is known. */
const newSums = () => ({
  fraud: 0,
  /** Fraud that Holdfast held or canceled, or would have in watch-only mode. */
  caught: 0,
  good: 0,
  /** Good orders that it held or canceled, or would have. */
  stopped: 0,
  /** Refunded in full, so neither. */
  refunded: 0,
});

/** Counts how decided orders turned out. Holdfast's own cancels don't count as an outcome: see `toFraudOutcome`. */
export function createOutcomeTally() {
  const byLevel = {
    low: newSums(),
    medium: newSums(),
    high: newSums(),
    critical: newSums(),
    none: newSums(),
  };
  let [decided, disputed] = [0, 0];
  return {
    /** @param nowMs - The time at which an order's age is measured, milliseconds since the epoch. */
    add({ order, trace }: TracedOrder, nowMs: number): void {
      decided += 1;
      if ((trace?.disputes ?? []).length > 0) disputed += 1;
      const outcome = toFraudOutcome(order, trace, nowMs);
      if (outcome === null) return;
      const sums = byLevel[order.decision.riskLevel ?? "none"];
      sums[outcome] += 1;
      if (outcome !== "refunded" && isStopped(order)) sums[outcome === "fraud" ? "caught" : "stopped"] += 1;
    },
    total: () => ({
      /** Decided orders of the window, with and without a known outcome. */
      decided,
      /** How many of them have a dispute of any kind. If none do, the shop may not share its disputes. */
      disputed,
      /** By the published level, whether from the service or the local engine; `none` for orders without one. */
      byLevel,
    }),
  };
}

/** By Holdfast's own decision, without later decisions of people or inquiries of banks. */
export function isStopped({ decision }: Parameters<typeof toFraudOutcome>[0]): boolean {
  const { action, source } = toPastDecision(decision);
  return source !== "person" && isStop(action);
}

/**
 * Count which signals the local engine saw on a tenant's orders that turned out to be fraud or good. Orders that the service
 * judged aren't counted, because the engine saw no signals of them.
 *
 * @param nowMs - The time at which an order's age is measured, milliseconds since the epoch.
 */
export async function countKnownOutcomes(
  store: PageStore,
  tenant: TenantId,
  window: DecidedWindow,
  nowMs: number,
): Promise<KnownOutcomes> {
  const known = { fraud: 0, good: 0 };
  const byCode = new Map<string, { fraud: number; good: number; points: number }>();
  for await (const page of readDecidedPages(store, tenant, { ...window, content: "facts" })) {
    for (const { order, trace } of page) {
      const outcome = order.signals === null ? null : toFraudOutcome(order, trace, nowMs);
      if (outcome === null || outcome === "refunded") continue;
      known[outcome] += 1;
      for (const { code, points } of order.signals?.seen ?? []) {
        const sums = byCode.get(code) ?? { fraud: 0, good: 0, points: 0 };
        sums[outcome] += 1;
        sums.points += points;
        byCode.set(code, sums);
      }
    }
  }
  const signals = [...byCode].map(([code, { fraud, good, points }]) => {
    return { code, fraud, good, points: points / (fraud + good) };
  });
  return { ...known, signals: signals.toSorted((one, other) => (one.code < other.code ? -1 : 1)) };
}

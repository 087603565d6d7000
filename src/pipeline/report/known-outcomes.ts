import type { KnownOutcomes } from "../../engine/weights.ts";
import type { TenantId } from "../../platform/platform.ts";
import { readDecidedPages, type DecidedWindow, type PageStore } from "./decided-pages.ts";
import { toFraudOutcome } from "./outcome.ts";

/**
 * Count which signals the local engine saw on a tenant's orders that turned out to be fraud, or good. Orders that somebody else judged,
 * or that an earlier release did, aren't counted: what the engine would have seen of them isn't kept.
 *
 * @param nowMs - Orders count as good from a certain age at this moment, milliseconds since the epoch.
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

import { mapSome } from "../../base/waiting.ts";
import { isForRecord } from "../../order/order-effects.ts";
import { toTimelineEntry } from "../../pipeline/timeline.ts";
import type { Store } from "../../store/store.ts";
import type { TenantSurvey } from "./survey.ts";

/** Concurrent writes: enough for them to share a commit. */
const CONCURRENCY = 16;
/**
 * How fast the orders come due: several times slower than one process decides, so that new orders, which are about to ship,
 * don't wait behind them.
 */
export const ORDERS_PER_SECOND = 10;

/**
 * Import the orders of a survey, for a running app to decide. Resolves to how many were new: an order whose webhook arrived
 * meanwhile isn't. Repeating it changes nothing.
 */
export async function importOrders(
  store: Pick<Store, "orders">,
  surveys: readonly TenantSurvey[],
  now: () => number,
  onTaken: (orders: number) => void,
): Promise<number> {
  const startMs = now();
  const orders = surveys.flatMap(({ tenant, platform, found }) =>
    found.map((entry) => ({ tenant, platform, asOfMs: entry.order.updatedAtMs, ...entry })),
  );
  let done = 0;
  const taken = await mapSome(orders, CONCURRENCY, async ({ order, ...of }, index) => {
    const dueAtMs = startMs + Math.round((index * 1000) / ORDERS_PER_SECOND);
    const entry = toTimelineEntry(
      now(),
      { kind: "found" },
      isForRecord(of) ? "by backfill, for the record" : "by backfill",
    );
    const kept = { ...order, ...of, receivedAtMs: startMs, dueAtMs };
    const isNew = await store.orders.receive(kept, entry);
    done += 1;
    onTaken(done);
    return isNew;
  });
  return taken.filter(Boolean).length;
}

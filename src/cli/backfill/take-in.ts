import { toTimelineEntry } from "../../pipeline/timeline.ts";
import type { Store } from "../../store/store.ts";
import { mapSome } from "../../base/queues.ts";
import type { TenantSurvey } from "./survey.ts";

/** Writes under way at once: enough for them to share a commit. */
const CONCURRENCY = 16;
/**
 * How fast the orders come due, so that new ones of the day, which race with fulfilment, are not kept waiting behind
 * them: several times less than one process decides.
 */
export const ORDERS_PER_SECOND = 10;

/**
 * Take in what a survey found, for a running app to work on. Resolves to how many were new; one that a webhook brought
 * meanwhile is not. Repeating it changes nothing.
 */
export async function takeIn(
  store: Pick<Store, "receiveOrder">,
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
      "found",
      of.recordOnly ? "by backfill, for the record" : "by backfill",
    );
    const kept = { ...order, ...of, receivedAtMs: startMs, dueAtMs };
    const isNew = await store.receiveOrder(kept, entry);
    done += 1;
    onTaken(done);
    return isNew;
  });
  return taken.filter(Boolean).length;
}

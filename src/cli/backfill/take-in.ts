import { setTimeout as pause } from "node:timers/promises";
import { mapSome } from "../../base/waiting.ts";
import type { Action } from "../../order/decision.ts";
import { toTimelineEntry } from "../../pipeline/timeline.ts";
import type { OrderProgress } from "../../store/figures/inspection.ts";
import type { OrderState, Store } from "../../store/store.ts";
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
      { kind: "found" },
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

const POLL_MS = 500;
const AT_REST: ReadonlySet<OrderState> = new Set(["settled", "review", "failed"]);

/** The outcomes of the imported orders. */
export type Outcomes = Readonly<Record<Action | "none", number>>;

/**
 * Wait until every imported order has a decision or won't get one. `none` counts orders that a person has to decide, that were
 * canceled meanwhile, or that are gone.
 */
export async function untilDecided(
  store: Pick<Store, "findProgress">,
  surveys: readonly TenantSurvey[],
  onDecided: (orders: number) => void,
): Promise<Outcomes> {
  const outcomes = { allow: 0, tag: 0, hold: 0, cancel: 0, none: 0 };
  const open = new Map(
    surveys.map(({ tenant, found }) => [tenant, new Set(found.map(({ order }) => order.orderId))]),
  );
  let decided = 0;
  for (;;) {
    for (const [tenant, orderIds] of open) {
      const progress = new Map(
        (await store.findProgress(tenant, [...orderIds])).map((entry) => [entry.orderId, entry]),
      );
      for (const orderId of orderIds) {
        const outcome = toOutcome(progress.get(orderId));
        if (outcome === null) continue;
        outcomes[outcome] += 1;
        orderIds.delete(orderId);
        decided += 1;
      }
    }
    onDecided(decided);
    if ([...open.values()].every(({ size }) => size === 0)) return outcomes;
    await pause(POLL_MS);
  }
}

/** Null while the order is in progress. */
function toOutcome(progress: OrderProgress | undefined): Action | "none" | null {
  if (progress === undefined) return "none";
  return progress.action ?? (AT_REST.has(progress.state) ? "none" : null);
}

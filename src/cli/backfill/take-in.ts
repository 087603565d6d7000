import { setTimeout as pause } from "node:timers/promises";
import { mapSome } from "../../base/waiting.ts";
import type { Action } from "../../order/decision.ts";
import { toTimelineEntry } from "../../pipeline/timeline.ts";
import type { OrderProgress } from "../../store/figures/inspection.ts";
import type { OrderState, Store } from "../../store/store.ts";
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

/** What became of the orders that were taken in. */
export type Outcomes = Readonly<Record<Action | "none", number>>;

/**
 * Wait until a decision was made of every order that was taken in, or none will be: `none` counts those that a person
 * has to decide, that were cancelled meanwhile, or that are gone.
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

/** Null as long as it is being worked on. */
function toOutcome(progress: OrderProgress | undefined): Action | "none" | null {
  if (progress === undefined) return "none";
  return progress.action ?? (AT_REST.has(progress.state) ? "none" : null);
}

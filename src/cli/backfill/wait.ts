import { setTimeout as pause } from "node:timers/promises";
import type { Action } from "../../order/decision.ts";
import type { OrderProgress } from "../../store/figures/inspection.ts";
import type { OrderState, Store } from "../../store/store.ts";
import type { TenantSurvey } from "./survey.ts";

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

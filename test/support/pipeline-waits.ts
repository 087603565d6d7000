import type { Pipeline } from "../../src/pipeline/pipeline.ts";
import type { OrderKey, OrderRecord, Store } from "../../src/store/store.ts";
import { until } from "./until.ts";

/** A pipeline, which is woken while a test waits, and its store. */
interface Running {
  readonly store: Store;
  readonly pipeline: Pick<Pipeline, "wake">;
}

/** Wait until an order is stored and `condition` holds for it. */
export function untilOrder(
  { store, pipeline }: Running,
  key: OrderKey,
  condition: (order: OrderRecord) => boolean | Promise<boolean>,
): Promise<OrderRecord> {
  return until(
    async () => {
      const order = await store.orders.get(key);
      if (order !== null && (await condition(order))) return order;
      const state = order?.state ?? "not stored";
      throw new Error(`order ${key.orderId} is ${state}, waiting for: ${condition.toString()}`);
    },
    { between: () => pipeline.wake() },
  );
}

/** Wait until every delivery was handled, or waits for its shop to install the app. */
export async function untilHandled({ store, pipeline }: Running): Promise<void> {
  await until(async () => (await store.figures.backlog()).pending === 0, {
    what: "every delivery was handled",
    between: () => pipeline.wake(),
  });
}

/** Wait until every delivery of these tenants was handled, and each of their orders was decided. */
export async function untilHeard({ store, pipeline }: Running, ...tenants: readonly string[]): Promise<void> {
  await until(
    async () => {
      for (const tenant of tenants)
        if ((await store.retention.countUndecided(tenant, Number.MAX_SAFE_INTEGER)) > 0) return false;
      return true;
    },
    { what: "every order was decided", between: () => pipeline.wake() },
  );
}

import { sql } from "kysely";
import type { StoreContext } from "../context.ts";
import { listCalls } from "../credits/ledger.ts";
import { listLinked } from "./linked-orders.ts";
import { listOrders, type OrderFilter } from "./order-lists.ts";
import type { TenantId } from "../../platform/platform.ts";
import { selectOrders, toOrderRecord } from "./order-rows.ts";
import type { Database } from "../schema/schema.ts";
import type { OrderRecord, TimelineEntry } from "./order-record.ts";
import { selectOne, type OrderKey } from "../statements.ts";
import { placeOfNote, selectSteps, selectTimeline, toEvent } from "./history.ts";

/** Queries of the console and the worker's timer. */
export function createOrderReader(context: StoreContext) {
  const { engine, sealer } = context;
  return {
    get: (key: OrderKey) => engine.read((db) => readOrder(context, db, key)),

    list: (tenant: TenantId, filter: OrderFilter, signal?: AbortSignal) =>
      listOrders(context, tenant, filter, signal),

    async listTimeline(key: OrderKey): Promise<readonly TimelineEntry[]> {
      const rows = await engine.read((db) => selectTimeline(db, key).execute());
      return rows.map(({ note: sealed, event, ...entry }) => {
        const note = sealer.tryBytes(placeOfNote(key, entry.atMs), sealed)?.toString();
        return { ...entry, ...toEvent({ event }), ...(note === undefined ? {} : { note }) };
      });
    },

    listSteps: (key: OrderKey) => engine.read((db) => selectSteps(db, key)),

    listCalls: (key: OrderKey) => engine.read((db) => listCalls(db, key)),

    listLinked: (key: OrderKey) => engine.read((db) => listLinked(db, key)),

    /** When the next work is due, or null. */
    async nextDueAtMs(): Promise<number | null> {
      const query = sql<{ next: number | null }>`
        select min(next) as next from (
          select min(ready_at) as next from deliveries where ready_at is not null
          union all
          select min(ready_at) from orders where is_look = 0 and ready_at is not null
          union all
          select min(ready_at) from orders where is_look = 1 and ready_at is not null) as work`;
      return (await engine.read((db) => selectOne(db, query))).next;
    },
  };
}

export async function readOrder(
  { sealer }: StoreContext,
  db: Database,
  { tenant, orderId }: OrderKey,
): Promise<OrderRecord | null> {
  const row = await selectOrders(db, tenant).where("order_id", "=", orderId).executeTakeFirst();
  return row === undefined ? null : toOrderRecord(sealer, row);
}

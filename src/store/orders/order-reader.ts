import { sql } from "kysely";
import type { StoreContext } from "../context.ts";
import { listCalls, type LedgerCall } from "../credits/ledger.ts";
import { listLinked, type OrderLinks } from "./linked-orders.ts";
import { listOrders, type OrderFilter, type OrderPage } from "./order-lists.ts";
import type { TenantId } from "../../platform/platform.ts";
import { selectOrders, toOrderRecord } from "./order-rows.ts";
import type { Database } from "../schema/schema.ts";
import type { OrderRecord, StepRecord, TimelineEntry } from "./order-record.ts";
import { selectOne, type OrderKey } from "../statements.ts";
import { placeOfNote, selectSteps, selectTimeline, toEvent } from "./history.ts";

/** Queries of the console and the worker's timer. */
export interface OrderReader {
  get(key: OrderKey): Promise<OrderRecord | null>;
  list(tenant: TenantId, filter: OrderFilter, signal?: AbortSignal): Promise<OrderPage>;
  listTimeline(key: OrderKey): Promise<readonly TimelineEntry[]>;
  listSteps(key: OrderKey): Promise<readonly StepRecord[]>;
  listCalls(key: OrderKey): Promise<readonly LedgerCall[]>;
  listLinked(key: OrderKey): Promise<OrderLinks | null>;
  /** When the next work is due, or null. */
  nextDueAtMs(): Promise<number | null>;
}

export function createOrderReader(context: StoreContext): OrderReader {
  const { engine, sealer } = context;
  return {
    get: (key) => engine.read((db) => readOrder(context, db, key)),

    list: (tenant, filter, signal) => listOrders(context, tenant, filter, signal),

    async listTimeline(key) {
      const rows = await engine.read((db) => selectTimeline(db, key).execute());
      return rows.map(({ note: sealed, event, ...entry }) => {
        const note = sealer.tryBytes(placeOfNote(key, entry.atMs), sealed)?.toString();
        return { ...entry, event: toEvent(event), ...(note === undefined ? {} : { note }) };
      });
    },

    listSteps: (key) => engine.read((db) => selectSteps(db, key)),

    listCalls: (key) => engine.read((db) => listCalls(db, key)),

    listLinked: (key) => engine.read((db) => listLinked(db, key)),

    async nextDueAtMs() {
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

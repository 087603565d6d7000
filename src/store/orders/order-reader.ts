import { sql } from "kysely";
import type { StoreContext } from "../context.ts";
import { listOfBuyer, type BuyerOrders } from "./buyer-orders.ts";
import { listCalls, type LedgerCall } from "../credits/ledger.ts";
import { listLinked, type OrderLinks } from "./linked-orders.ts";
import type { OrderList } from "./listed-orders.ts";
import type { OrderFilter, OrderListing } from "./order-filter.ts";
import { listOrders, readOrders, type OrderPage } from "./order-lists.ts";
import { totalOrders, type OrderTotals } from "./order-totals.ts";
import type { TenantId } from "../../platform/platform.ts";
import { selectOrders, toOrderRecord } from "./order-rows.ts";
import type { Database } from "../schema/schema.ts";
import type { OrderRecord, StepRecord, TimelineEntry } from "./order-record.ts";
import { selectOne, type OrderKey } from "../statements.ts";
import { placeOfNote, selectSteps, selectTimeline, toEvent } from "./history.ts";

/** Queries of the console and the worker's timer. */
export interface OrderReader {
  get(key: OrderKey): Promise<OrderRecord | null>;
  list(tenant: TenantId, listing: OrderListing, signal?: AbortSignal): Promise<OrderPage>;
  /** All orders of a list, some at a time. The signal stops it between two of them, and it rejects. */
  readAll(tenant: TenantId, list: OrderList, signal?: AbortSignal): AsyncGenerator<readonly OrderRecord[]>;
  /** What the orders of a list come to. */
  totals(tenant: TenantId, filter: OrderFilter, signal?: AbortSignal): Promise<OrderTotals>;
  listTimeline(key: OrderKey): Promise<readonly TimelineEntry[]>;
  listSteps(key: OrderKey): Promise<readonly StepRecord[]>;
  listCalls(key: OrderKey): Promise<readonly LedgerCall[]>;
  listLinked(key: OrderKey): Promise<OrderLinks | null>;
  listOfBuyer(key: OrderKey): Promise<BuyerOrders | null>;
  /** When the next work is due, or null. */
  nextDueAtMs(): Promise<number | null>;
}

export function createOrderReader(context: StoreContext): OrderReader {
  const { engine, sealer } = context;
  return {
    get: (key) => engine.read((db) => readOrder(context, db, key)),

    list: (tenant, listing, signal) => listOrders(context, tenant, listing, signal),
    readAll: (tenant, list, signal) => readOrders(context, tenant, list, signal),
    totals: (tenant, filter, signal) => totalOrders(context, tenant, filter, signal),

    async listTimeline(key) {
      const rows = await engine.read((db) => selectTimeline(db, key).execute());
      return rows.map(({ note: sealed, event, ...entry }) => {
        const note = sealer.tryBytes(placeOfNote(key, entry.atMs), sealed)?.toString();
        return { ...entry, event: toEvent(event), ...(note === undefined ? {} : { note }) };
      });
    },

    listSteps: (key) => engine.read((db) => selectSteps(db, key)),

    listCalls: (key) => engine.read((db) => listCalls(db, key)),

    listLinked: (key) => engine.read((db) => listLinked(context, db, key)),

    listOfBuyer: (key) => engine.read((db) => listOfBuyer(context, db, key)),

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

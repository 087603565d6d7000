import { sql } from "kysely";
import type { StoreContext } from "./kysely-store.ts";
import { parseOrderCursor, toOrderCursor } from "./order-cursor.ts";
import { creditsSpent, toOrderRecord } from "./order-rows.ts";
import type { Database } from "./schema.ts";
import type { Backlog, OrderFilter, OrderKey, OrderStore, StepRecord } from "./store.ts";

type OrderReader = Pick<
  OrderStore,
  "getOrder" | "listOrders" | "listTimeline" | "listSteps" | "backlog" | "nextDueAtMs"
>;

/** What the console, the metrics and the worker's timer ask about orders. */
export function createOrderReader(context: StoreContext): OrderReader {
  const { engine, keyring, sealer } = context;
  return {
    async getOrder({ tenant, orderId }) {
      const row = await engine.read((db) =>
        selectOrders(db, tenant).where("order_id", "=", orderId).executeTakeFirst(),
      );
      return row === undefined ? null : toOrderRecord(sealer, row);
    },

    async listOrders(tenant, filter) {
      const after =
        filter.cursor === undefined ? undefined : parseOrderCursor(keyring, tenant, filter.cursor);
      const rows = await engine.read((db) => {
        // One more than asked for tells whether there is another page.
        let query = selectPage(db, tenant, filter).limit(filter.limit + 1);
        if (after !== undefined) {
          query = query.where(
            sql<boolean>`(received_at, order_id) < (${after.receivedAtMs}, ${after.orderId})`,
          );
        }
        return query.execute();
      });
      const orders = rows.slice(0, filter.limit).map((row) => toOrderRecord(sealer, row));
      const last = rows.length > filter.limit ? orders.at(-1) : undefined;
      return { orders, nextCursor: last === undefined ? null : toOrderCursor(keyring, tenant, last) };
    },

    listTimeline: ({ tenant, orderId }) =>
      engine.read((db) =>
        db
          .selectFrom("order_timeline")
          .select(["at as atMs", "kind", "detail", "actor"])
          .where("tenant", "=", tenant)
          .where("order_id", "=", orderId)
          .orderBy("entry_id")
          .execute(),
      ),

    async listSteps(key) {
      const rows = await engine.read((db) => selectSteps(db, key).execute());
      return rows.map(({ step, state, detail, memory, at }) => ({
        step: step as StepRecord["step"],
        state: state as StepRecord["state"],
        detail,
        memory: JSON.parse(memory) as StepRecord["memory"],
        atMs: at,
      }));
    },

    backlog: () => engine.read(readBacklog),
    nextDueAtMs: () => engine.read(readNextDue),
  };
}

function selectOrders(db: Database, tenant: string) {
  return db
    .selectFrom("orders")
    .selectAll()
    .select(creditsSpent().as("credits_spent"))
    .where("tenant", "=", tenant);
}

function selectPage(db: Database, tenant: string, { level, action, state }: OrderFilter) {
  return selectOrders(db, tenant)
    .$if(level !== undefined, (query) => query.where("risk_level", "=", level ?? null))
    .$if(action !== undefined, (query) => query.where("action", "=", action ?? null))
    .$if(state !== undefined, (query) => query.where("state", "=", state ?? ""))
    .orderBy("received_at", "desc")
    .orderBy("order_id", "desc");
}

function selectSteps(db: Database, key: OrderKey) {
  return db
    .selectFrom("order_steps")
    .select(["step", "state", "detail", "memory", "at"])
    .where("tenant", "=", key.tenant)
    .where("order_id", "=", key.orderId)
    .orderBy("at")
    .orderBy("step");
}

async function readBacklog(db: Database): Promise<Backlog> {
  const { rows } = await sql<{ pending: number; oldest: number | null }>`
    select cast(sum(pending) as bigint) as pending, min(oldest) as oldest from (
      select count(*) as pending, min(received_at) as oldest from deliveries where ready_at is not null
      union all
      select count(*), min(received_at) from orders
      where state in ('received', 'screening', 'decided', 'enforcing', 'waiting')) as work`.execute(db);
  return { pending: rows[0]?.pending ?? 0, oldestReceivedAtMs: rows[0]?.oldest ?? null };
}

async function readNextDue(db: Database): Promise<number | null> {
  const { rows } = await sql<{ next: number | null }>`
    select min(next) as next from (
      select min(ready_at) as next from deliveries where ready_at is not null
      union all
      select min(ready_at) from orders where ready_at is not null) as work`.execute(db);
  return rows[0]?.next ?? null;
}

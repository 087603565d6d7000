import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { StoreContext } from "../context.ts";
import { parseOrderCursor, toOrderCursor, type OrderPosition } from "./order-cursor.ts";
import { selectOrders, toOrderRecord } from "./order-rows.ts";
import type { Database } from "../schema/schema.ts";
import type { Sealer } from "../sealing/sealing.ts";
import type { OrderFilter, OrderPage } from "./order-store.ts";
import type { OrderRecord } from "./order-record.ts";

/** A list of orders: its order, and where a page of it begins. */
interface ListOrder {
  /** Keeps the cursors of lists apart. */
  readonly purpose: string | undefined;
  readonly toPosition: (order: OrderRecord) => OrderPosition;
  readonly isBehind: (position: OrderPosition) => RawBuilder<SqlBool>;
}

const NEWEST: ListOrder = {
  purpose: undefined,
  toPosition: (order) => order,
  isBehind: ({ receivedAtMs, orderId }) =>
    sql<SqlBool>`(received_at, order_id) < (${receivedAtMs}, ${orderId})`,
};

/** The same words as in the index, or the planner does not recognise it. */
const DEADLINE = sql<number>`coalesce(hold_deadline_at, 9007199254740991)`;
const CHEAPNESS = sql<number>`coalesce(-amount, 1)`;

const QUEUE: ListOrder = {
  purpose: "queue-cursor",
  toPosition: ({ holdDeadlineMs, amount, orderId }) => ({
    receivedAtMs: holdDeadlineMs ?? Number.MAX_SAFE_INTEGER,
    orderId: JSON.stringify([amount === null ? 1 : -amount, orderId]),
  }),
  isBehind({ receivedAtMs: deadlineMs, orderId: rest }) {
    // Sealed by whoever gave it out.
    const [cheapness, orderId] = JSON.parse(rest) as readonly [number, string];
    return sql<SqlBool>`(${DEADLINE}, ${CHEAPNESS}, order_id) > (${deadlineMs}, ${cheapness}, ${orderId})`;
  },
};

/** One page of a tenant's orders. */
export async function listOrders(
  { engine, keyring, sealer }: StoreContext,
  tenant: string,
  filter: OrderFilter,
): Promise<OrderPage> {
  const { purpose, toPosition, isBehind } = filter.view === "queue" ? QUEUE : NEWEST;
  const { cursor, limit } = filter;
  const after = cursor === undefined ? undefined : parseOrderCursor(keyring, tenant, cursor, purpose);
  const rows = await engine.read(async (db) => {
    const ids = filter.search === undefined ? null : await findIds(db, sealer, tenant, filter.search);
    if (ids?.length === 0) return [];
    // One more than asked for tells whether there is another page.
    const query = selectPage(db, tenant, filter, ids).limit(limit + 1);
    return (after === undefined ? query : query.where(isBehind(after))).execute();
  });
  const orders = rows.slice(0, limit).map((row) => toOrderRecord(sealer, row));
  const last = rows.length > limit ? orders.at(-1) : undefined;
  const nextCursor = last === undefined ? null : toOrderCursor(keyring, tenant, toPosition(last), purpose);
  return { orders, nextCursor };
}

function selectPage(
  db: Database,
  tenant: string,
  { level, action, state, view }: OrderFilter,
  ids: readonly string[] | null,
) {
  const filtered = selectOrders(db, tenant)
    .$if(level !== undefined, (query) => query.where("risk_level", "=", level ?? null))
    .$if(action !== undefined, (query) => query.where("action", "=", action ?? null))
    .$if(state !== undefined, (query) => query.where("state", "=", state ?? ""))
    .$if(ids !== null, (query) => query.where("order_id", "in", ids ?? []));
  if (view !== "queue") return filtered.orderBy("received_at", "desc").orderBy("order_id", "desc");
  return (
    filtered
      // As in the index, which is partial.
      .where(sql<SqlBool>`state in ('review', 'failed')`)
      .orderBy(DEADLINE)
      .orderBy(CHEAPNESS)
      .orderBy("order_id")
  );
}

/** The newest ones that one search can bring up. */
const FOUND_MAX = 500;

/** Each way of finding an order has an index of its own, so they are asked one by one. */
async function findIds(
  db: Database,
  sealer: Sealer,
  tenant: string,
  search: string,
): Promise<readonly string[]> {
  const name = search.replace(/^#/, "");
  const conditions = [
    sql<SqlBool>`order_id = ${search}`,
    sql<SqlBool>`name in (${name}, ${`#${name}`})`,
    ...(search.includes("@") ? [sql<SqlBool>`email_digest = ${sealer.emailDigest(tenant, search)}`] : []),
  ];
  const found = new Set<string>();
  for (const condition of conditions) {
    const rows = await db
      .selectFrom("orders")
      .select("order_id")
      .where("tenant", "=", tenant)
      .where(condition)
      // The sign keeps the planner from reading all orders in their order, in search of the few.
      .orderBy(sql`+received_at`, "desc")
      .limit(FOUND_MAX)
      .execute();
    for (const row of rows) found.add(row.order_id);
  }
  return [...found];
}

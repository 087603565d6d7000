import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { StoreContext } from "../context.ts";
import { parseOrderCursor, toOrderCursor, type OrderPosition } from "./order-cursor.ts";
import { findIds } from "./order-search.ts";
import { DEADLINE, IS_IN_QUEUE, selectOrders, toOrderRecord } from "./order-rows.ts";
import type { Engine } from "../engines/engine.ts";
import type { Database } from "../schema/schema.ts";
import type { OrderFilter, OrderPage, QueueSort } from "./order-store.ts";
import type { OrderRecord } from "./order-record.ts";

type Dialect = Engine["dialect"];

/** A list of orders: its order, and where a page of it begins. */
interface ListOrder {
  /** Keeps the cursors of lists apart. */
  readonly purpose: string | undefined;
  readonly toPosition: (order: OrderRecord) => OrderPosition;
  readonly isBehind: (position: OrderPosition, dialect: Dialect) => RawBuilder<SqlBool>;
  readonly by: (dialect: Dialect) => RawBuilder<unknown>;
}

const NEWEST: ListOrder = {
  purpose: undefined,
  toPosition: (order) => order,
  isBehind: ({ receivedAtMs, orderId }) =>
    sql<SqlBool>`(received_at, order_id) < (${receivedAtMs}, ${orderId})`,
  by: () => sql`received_at desc, order_id desc`,
};

const CHEAPNESS = sql<number>`coalesce(-amount, 1)`;

const BY_DEADLINE: ListOrder = {
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
  by: () => sql`${DEADLINE}, ${CHEAPNESS}, order_id`,
};

/** The queue by one number of each order, the smallest first. The index finds the queue; the rest is sorted. */
function byNumber(
  sort: QueueSort,
  toColumn: (dialect: Dialect) => RawBuilder<number>,
  toNumber: (order: OrderRecord) => number,
): ListOrder {
  return {
    purpose: `queue-cursor-${sort}`,
    toPosition: (order) => ({ receivedAtMs: toNumber(order), orderId: order.orderId }),
    isBehind: ({ receivedAtMs: number, orderId }, dialect) =>
      sql<SqlBool>`(${toColumn(dialect)}, order_id) > (${number}, ${orderId})`,
    by: (dialect) => sql`${toColumn(dialect)}, order_id`,
  };
}

/** Orders that nobody judged come last. */
const MILDNESS: Readonly<Record<Dialect, RawBuilder<number>>> = {
  sqlite: sql<number>`coalesce(-json_extract(decision, '$.riskScore'), 1)`,
  postgres: sql<number>`coalesce(-(cast(decision as json) ->> 'riskScore')::double precision, 1)`,
};

const QUEUE: Readonly<Record<QueueSort, ListOrder>> = {
  deadline: BY_DEADLINE,
  amount: byNumber(
    "amount",
    () => CHEAPNESS,
    ({ amount }) => (amount === null ? 1 : -amount),
  ),
  score: byNumber(
    "score",
    (dialect) => MILDNESS[dialect],
    ({ decision }) => (decision === null || decision.riskScore === null ? 1 : -decision.riskScore),
  ),
  age: byNumber(
    "age",
    // The sign keeps the planner from reading all orders by age, in search of the few of the queue.
    () => sql<number>`+received_at`,
    ({ receivedAtMs }) => receivedAtMs,
  ),
};

/** One page of a tenant's orders. */
export async function listOrders(
  context: StoreContext,
  tenant: string,
  filter: OrderFilter,
): Promise<OrderPage> {
  const { engine, keyring, sealer } = context;
  const { dialect } = engine;
  const { cursor, limit, search, view, sort = "deadline" } = filter;
  const { purpose, toPosition, isBehind, by } = view === "queue" ? QUEUE[sort] : NEWEST;
  const after = cursor === undefined ? undefined : parseOrderCursor(keyring, tenant, cursor, purpose);
  const ids = search === undefined ? null : await findIds(context, tenant, search, view);
  if (ids?.length === 0) return { orders: [], nextCursor: null };
  const rows = await engine.read((db) => {
    // One more than asked for tells whether there is another page.
    const query = selectFiltered(db, tenant, filter, ids)
      .orderBy(by(dialect))
      .limit(limit + 1);
    return (after === undefined ? query : query.where(isBehind(after, dialect))).execute();
  });
  const orders = rows
    .slice(0, limit)
    .map((row) => toOrderRecord(sealer, { ...row, customer_id: null, facts: null, revised: null }));
  const last = rows.length > limit ? orders.at(-1) : undefined;
  const nextCursor = last === undefined ? null : toOrderCursor(keyring, tenant, toPosition(last), purpose);
  return { orders, nextCursor };
}

function selectFiltered(
  db: Database,
  tenant: string,
  { level, sinceMs, action, state, view, held, degraded }: OrderFilter,
  ids: readonly string[] | null,
) {
  return selectOrders(db, tenant)
    .$if(level !== undefined, (query) => query.where("risk_level", "in", [level ?? []].flat()))
    .$if(sinceMs !== undefined, (query) => query.where("received_at", ">=", sinceMs ?? 0))
    .$if(action !== undefined, (query) => query.where("action", "=", action ?? null))
    .$if(state !== undefined, (query) => query.where("state", "=", state ?? ""))
    .$if(degraded === true, (query) => query.where("degraded", "=", 1))
    .$if(held !== undefined, (query) =>
      query
        .where("state", "=", "review")
        .where("hold_deadline_at", ">", held?.afterMs ?? 0)
        .where("hold_deadline_at", "<=", held?.untilMs ?? 0),
    )
    .$if(ids !== null, (query) => query.where("order_id", "in", ids ?? []))
    .$if(view === "queue", (query) => query.where(IS_IN_QUEUE));
}

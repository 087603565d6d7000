import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { StoreContext } from "../context.ts";
import { parseCursor, toCursor, type CursorPosition } from "../sealing/page-cursor.ts";
import { CALM, DEADLINE, IS_IN_QUEUE, selectOrders, toOrderRecord } from "./order-rows.ts";
import type { Engine } from "../engines/engine.ts";
import { isUrgent, type OrderRecord } from "./order-record.ts";
import { findOrderIds } from "./order-search.ts";
import type { OrderState } from "./order-states.ts";
import type { Action } from "../../order/decision.ts";
import type { RiskLevel } from "../../order/risk-level.ts";
import { toSlices, type Scan } from "../slices.ts";

/** Urgent orders first, then by `age`: oldest first; or by nearest deadline, largest amount or highest risk. */
export const QUEUE_SORTS = ["deadline", "amount", "score", "age"] as const;
export type QueueSort = (typeof QUEUE_SORTS)[number];

export interface OrderFilter {
  readonly level?: RiskLevel | readonly RiskLevel[] | undefined;
  /** Received at this moment or later, milliseconds since the epoch. */
  readonly sinceMs?: number | undefined;
  readonly action?: Action | undefined;
  readonly state?: OrderState | undefined;
  /** `queue`: orders that wait for a person: held, failed, or to be held when the platform is ready. Default: all, newest first. */
  readonly view?: "queue" | undefined;
  /** For the queue only. Amounts are compared as numbers, whatever their currency. Default: `deadline`. */
  readonly sort?: QueueSort | undefined;
  /** Held orders whose deadline is after `afterMs` and not after `untilMs`, milliseconds since the epoch. */
  readonly held?: { readonly afterMs: number; readonly untilMs: number } | undefined;
  /** True: only orders that were decided without the service. */
  readonly degraded?: true | undefined;
  /**
   * An order's name with or without `#`, its ID or its email address. If nothing matches exactly, the beginning of an
   * order's name or of the buyer's or recipient's names. Names are searched in the newest 5,000 orders of the list,
   * without its other filters. Each kind of match finds at most 500 orders.
   */
  readonly search?: string | undefined;
  readonly limit: number;
  /** Opaque, from an earlier page. An unknown cursor throws `ORDER_INVALID` with the field `cursor`. */
  readonly cursor?: string | undefined;
}

/** Newest first; the queue begins with urgent orders, and {@link OrderFilter.sort} says how each part is sorted. */
export interface OrderPage {
  /** `customerId` and `facts` stay sealed, and are null. */
  readonly orders: readonly OrderRecord[];
  readonly nextCursor: string | null;
}

type Dialect = Engine["dialect"];

/** How a list of orders is sorted. The ID comes last, so that no two orders are in the same place. */
interface ListOrder {
  /** Separates the cursors of different lists. */
  readonly purpose: string;
  readonly newestFirst?: true;
  readonly columns: (dialect: Dialect) => readonly RawBuilder<unknown>[];
  /** What an order has in these columns. */
  readonly toNumbers: (order: OrderRecord) => readonly [number, ...number[]];
}

const NEWEST: ListOrder = {
  purpose: "cursor",
  newestFirst: true,
  columns: () => [sql`received_at`],
  toNumbers: ({ receivedAtMs }) => [receivedAtMs],
};

const toCalm = (order: OrderRecord) => (isUrgent(order) ? 0 : 1);

const CHEAPNESS = sql<number>`coalesce(-amount, 1)`;
const toCheapness = ({ amount }: OrderRecord) => (amount === null ? 1 : -amount);

/** Orders without a level come last. */
const MILDNESS: Readonly<Record<Dialect, RawBuilder<number>>> = {
  sqlite: sql<number>`coalesce(-json_extract(decision, '$.riskScore'), 1)`,
  postgres: sql<number>`coalesce(-(cast(decision as json) ->> 'riskScore')::double precision, 1)`,
};

/** Urgent orders, then the smallest first. The index has the queue in the order of deadlines; others are sorted. */
const QUEUE: Readonly<Record<QueueSort, ListOrder>> = {
  deadline: {
    purpose: "queue-cursor-deadline",
    columns: () => [CALM, DEADLINE, CHEAPNESS],
    toNumbers: (order) => [
      toCalm(order),
      order.holdDeadlineMs ?? Number.MAX_SAFE_INTEGER,
      toCheapness(order),
    ],
  },
  amount: {
    purpose: "queue-cursor-amount",
    columns: () => [CALM, CHEAPNESS],
    toNumbers: (order) => [toCalm(order), toCheapness(order)],
  },
  score: {
    purpose: "queue-cursor-score",
    columns: (dialect) => [CALM, MILDNESS[dialect]],
    toNumbers: (order) => [toCalm(order), -(order.decision?.riskScore ?? -1)],
  },
  age: {
    purpose: "queue-cursor-age",
    columns: () => [CALM, sql`received_at`],
    toNumbers: (order) => [toCalm(order), order.receivedAtMs],
  },
};

/** The orders behind a position, and how they are sorted. */
function toSorting({ columns, newestFirst }: ListOrder, dialect: Dialect, after: CursorPosition | undefined) {
  const all = [...columns(dialect), sql`order_id`];
  const by = sql.join(newestFirst ? all.map((column) => sql`${column} desc`) : all);
  if (after === undefined) return { by };
  const isBehind = newestFirst ? sql`<` : sql`>`;
  return { by, isBehind: sql<SqlBool>`(${sql.join(all)}) ${isBehind} (${sql.join(after)})` };
}

export async function listOrders(
  context: StoreContext,
  tenant: string,
  filter: OrderFilter,
  signal?: AbortSignal,
): Promise<OrderPage> {
  const { engine, keyring, sealer } = context;
  const { cursor, limit, search, view, sort = "deadline" } = filter;
  const order = view === "queue" ? QUEUE[sort] : NEWEST;
  const after = parseCursor(keyring, tenant, order.purpose, cursor);
  const { by, isBehind } = toSorting(order, engine.dialect, after);
  const ids = search === undefined ? null : await findOrderIds(context, tenant, { search, view, signal });
  if (ids?.length === 0) return { orders: [], nextCursor: null };
  const conditions = toConditions(filter, ids, isBehind);
  const read = (within: readonly RawBuilder<SqlBool>[] = []) =>
    engine.read((db) =>
      selectOrders(db, tenant)
        .where((eb) => eb.and([...conditions, ...within]))
        .orderBy(by)
        // Read one more than asked for, to know whether there is another page.
        .limit(limit + 1)
        .execute(),
    );
  const rows = [];
  if (!isScan(filter)) rows.push(...(await read()));
  else {
    for await (const slice of toSlices(context, { ...toScan(tenant, filter, after), signal })) {
      const isReceivedIn = sql<SqlBool>`received_at >= ${slice.sinceMs} and received_at < ${slice.untilMs}`;
      rows.push(...(await read([isReceivedIn])));
      if (rows.length > limit) break;
    }
  }
  const orders = rows
    .slice(0, limit)
    .map((row) => toOrderRecord(sealer, { ...row, customer_id: null, facts: null }));
  const last = rows.length > limit ? orders.at(-1) : undefined;
  if (last === undefined) return { orders, nextCursor: null };
  const position = [...order.toNumbers(last), last.orderId] as const;
  return { orders, nextCursor: toCursor(keyring, tenant, order.purpose, position) };
}

/** Whether no index finds the orders, so that the tenant's orders are scanned until there are enough. */
function isScan({ level, action, degraded, state, held, view, search }: OrderFilter): boolean {
  // Nearly all orders are settled.
  const isOfFew = (state !== undefined && state !== "settled") || held !== undefined;
  const isLed = isOfFew || view !== undefined || search !== undefined;
  return !isLed && (level !== undefined || action !== undefined || degraded !== undefined);
}

function toScan(tenant: string, { sinceMs = 0 }: OrderFilter, after: CursorPosition | undefined): Scan {
  // Orders of the same millisecond can come after the cursor too.
  const untilMs = after === undefined ? Number.MAX_SAFE_INTEGER : after[0] + 1;
  return { table: "orders", tenant, newestFirst: true, sinceMs, untilMs };
}

function toConditions(
  { level, sinceMs, action, state, view, held, degraded }: OrderFilter,
  ids: readonly string[] | null,
  isBehind: RawBuilder<SqlBool> = sql<SqlBool>`true`,
) {
  const conditions = [
    isBehind,
    ids !== null && sql<SqlBool>`order_id in (${sql.join(ids)})`,
    level !== undefined && sql<SqlBool>`risk_level in (${sql.join([level].flat())})`,
    sinceMs !== undefined && sql<SqlBool>`received_at >= ${sinceMs}`,
    action !== undefined && sql<SqlBool>`action = ${action}`,
    state !== undefined && sql<SqlBool>`state = ${state}`,
    degraded === true && sql<SqlBool>`degraded = 1`,
    held !== undefined &&
      sql<SqlBool>`state = 'review' and hold_deadline_at > ${held.afterMs} and hold_deadline_at <= ${held.untilMs}`,
    view === "queue" && IS_IN_QUEUE,
  ];
  return conditions.filter((condition) => condition !== false);
}

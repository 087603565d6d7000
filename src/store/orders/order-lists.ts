import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { StoreContext } from "../context.ts";
import { parseOrderCursor, toOrderCursor, type OrderPosition } from "./order-cursor.ts";
import { DEADLINE, IS_IN_QUEUE, selectOrders, toOrderRecord, placeOfOrder } from "./order-rows.ts";
import { type Engine, toChunks } from "../engines/engine.ts";
import type { Database } from "../schema/schema.ts";
import type { OrderRecord } from "./order-record.ts";
import type { OrderState } from "./order-states.ts";
import type { Action } from "../../order/decision.ts";
import type { RiskLevel } from "../../order/risk-level.ts";
import { toKnown, type MappedOrder, type TenantId } from "../../platform/platform.ts";
import { foldPlace } from "../../order/text.ts";
import { toSlices, type Scan, type TimeWindow } from "../figures/slices.ts";
import type { Sealer } from "../sealing/sealing.ts";
import { areOrders } from "../statements.ts";

/** How the queue can be sorted. `age`: those that came first. The others: what is due, worth or risks most comes first. */
export const QUEUE_SORTS = ["deadline", "amount", "score", "age"] as const;
/** One of {@link QUEUE_SORTS}. */
export type QueueSort = (typeof QUEUE_SORTS)[number];

/** Filter of {@link OrderReader.listOrders}. */
export interface OrderFilter {
  /** This level, or any of these. */
  readonly level?: RiskLevel | readonly RiskLevel[] | undefined;
  /** Received at this moment or later, milliseconds since the epoch. */
  readonly sinceMs?: number | undefined;
  readonly action?: Action | undefined;
  readonly state?: OrderState | undefined;
  /** `queue`: what waits for a person, in states `review` and `failed`. Default: all, newest first. */
  readonly view?: "queue" | undefined;
  /** Of the queue alone. Amounts are compared as numbers, whatever their currency. Default: `deadline`. */
  readonly sort?: QueueSort | undefined;
  /** Held orders whose deadline is after the one moment and not after the other, milliseconds since the epoch. */
  readonly held?: { readonly afterMs: number; readonly untilMs: number } | undefined;
  /** True: only orders that were decided without the service. */
  readonly degraded?: true | undefined;
  /**
   * An order's name with or without `#`, its ID, or the email address it was placed with; where nothing is exactly that,
   * the beginning of an order's name, or of names of the buyer or recipient. Names are read of the newest 5,000 orders
   * of the list, without its other filters. At most 500 orders are found each way.
   */
  readonly search?: string | undefined;
  readonly limit: number;
  /** Opaque, from an earlier page. A cursor that was not given out throws `ORDER_INVALID` with the field `cursor`. */
  readonly cursor?: string | undefined;
}

/** Newest first; of the queue as {@link OrderFilter.sort} says: by deadline, those due at once by value. */
export interface OrderPage {
  /** `customerId`, `facts` and `revision` stay sealed, and are null. */
  readonly orders: readonly OrderRecord[];
  readonly nextCursor: string | null;
}

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
  signal?: AbortSignal,
): Promise<OrderPage> {
  const { engine, keyring, sealer } = context;
  const { dialect } = engine;
  const { cursor, limit, search, view, sort = "deadline" } = filter;
  const { purpose, toPosition, isBehind, by } = view === "queue" ? QUEUE[sort] : NEWEST;
  const after = cursor === undefined ? undefined : parseOrderCursor(keyring, tenant, cursor, purpose);
  const ids = search === undefined ? null : await findIds(context, tenant, { search, view, signal });
  if (ids?.length === 0) return { orders: [], nextCursor: null };
  const read = (found: number, window?: TimeWindow) =>
    engine.read((db) =>
      selectFiltered(db, tenant, filter, ids)
        .$if(after !== undefined, (query) => query.where(isBehind(after as OrderPosition, dialect)))
        .$if(window !== undefined, (query) => query.where(isReceivedIn(window as TimeWindow)))
        .orderBy(by(dialect))
        // One more than asked for tells whether there is another page.
        .limit(limit + 1 - found)
        .execute(),
    );
  const rows = [];
  if (!isScan(filter)) rows.push(...(await read(0)));
  else {
    for await (const slice of toSlices(context, { ...toScan(tenant, filter, after), signal })) {
      rows.push(...(await read(rows.length, slice)));
      if (rows.length > limit) break;
    }
  }
  const orders = rows
    .slice(0, limit)
    .map((row) => toOrderRecord(sealer, { ...row, customer_id: null, facts: null, revised: null }));
  const last = rows.length > limit ? orders.at(-1) : undefined;
  const nextCursor = last === undefined ? null : toOrderCursor(keyring, tenant, toPosition(last), purpose);
  return { orders, nextCursor };
}

/** Whether no index leads to the orders: all of the tenant's are looked at, until there are enough. */
function isScan({ level, action, degraded, state, held, view, search }: OrderFilter): boolean {
  // Nearly all orders are settled.
  const isOfFew = (state !== undefined && state !== "settled") || held !== undefined;
  const isLed = isOfFew || view !== undefined || search !== undefined;
  return !isLed && (level !== undefined || action !== undefined || degraded !== undefined);
}

function toScan(tenant: TenantId, { sinceMs = 0 }: OrderFilter, after: OrderPosition | undefined): Scan {
  // Those of the same millisecond may come behind the cursor, too.
  const untilMs = after === undefined ? Number.MAX_SAFE_INTEGER : after.receivedAtMs + 1;
  return { table: "orders", tenant, newestFirst: true, sinceMs, untilMs };
}

function isReceivedIn({ sinceMs, untilMs }: TimeWindow): RawBuilder<SqlBool> {
  return sql<SqlBool>`received_at >= ${sinceMs} and received_at < ${untilMs}`;
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

/** Orders that one search can bring up. */
const FOUND_MAX = 500;
/** Names are sealed, so a search opens orders one by one: the newest ones, this many at most. */
const NAMES_READ = 5_000;
/** Orders opened between two turns of the event loop: a few milliseconds. */
const NAMES_PER_TURN = 200;
/** Two letters, or one of a script whose names can be that short: a single letter would find most orders. */
const NAME_LIKE = /\p{L}{2}|[^\P{L}\p{Script=Latin}]/u;

interface Search extends Pick<OrderFilter, "view"> {
  readonly search: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * The orders that a text finds: those with this ID, name or email address; where there are none, those whose name begins
 * with it, and those of buyers or recipients with names that begin like its words.
 */
async function findIds(context: StoreContext, tenant: TenantId, asked: Search): Promise<readonly string[]> {
  const { search, view } = asked;
  const exact = await context.engine.read((db) => findExact(db, context.sealer, tenant, search));
  if (exact.length > 0 || search.includes("@")) return exact;
  const byPrefix = await context.engine.read((db) => findByPrefix(db, tenant, search, view));
  const byBuyer = await findByBuyer(context, tenant, asked);
  return [...new Set([...byPrefix, ...byBuyer])];
}

/** Each way of finding an order has an index of its own, so they are asked one by one. */
async function findExact(
  db: Database,
  sealer: Sealer,
  tenant: TenantId,
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
    // The sign keeps the planner from reading all orders in their order, in search of the few.
    const ids = await findNewest(db, tenant, condition, sql`+received_at`, FOUND_MAX);
    for (const id of ids) found.add(id);
  }
  return [...found];
}

/** Sorts behind every name that begins with what stands before it. */
const LAST = "\u{10FFFF}";

/** The index on names leads to the ones that sort last, which of numbers of one length are the newest. */
async function findByPrefix(
  db: Database,
  tenant: TenantId,
  search: string,
  view: OrderFilter["view"],
): Promise<readonly string[]> {
  const plain = search.replace(/^#/, "");
  const found: string[] = [];
  for (const prefix of [`#${plain}`, plain]) {
    if (prefix === "" || prefix === "#") continue;
    // Of the queue, which is short, every order is compared: the index on names would lead through all the others.
    const name = view === "queue" ? sql`(name || '')` : sql`name`;
    const condition = sql<SqlBool>`${name} >= ${prefix} and ${name} < ${prefix + LAST}`;
    found.push(...(await findNewest(db, tenant, condition, name, FOUND_MAX, view)));
  }
  return found;
}

/** Ids of the orders that come first when they are sorted backwards. */
async function findNewest(
  db: Database,
  tenant: TenantId,
  condition: RawBuilder<SqlBool>,
  by: RawBuilder<unknown>,
  limit: number,
  view?: OrderFilter["view"],
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("orders")
    .select("order_id")
    .where("tenant", "=", tenant)
    .where(condition)
    .$if(view === "queue", (query) => query.where(IS_IN_QUEUE))
    .orderBy(by, "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => row.order_id);
}

async function findByBuyer(
  { engine, sealer, pace }: StoreContext,
  tenant: TenantId,
  { search, view, signal }: Search,
): Promise<readonly string[]> {
  if (!NAME_LIKE.test(search)) return [];
  // In the queue the sign does as above.
  const by = view === "queue" ? sql`+received_at` : sql`received_at`;
  const ids = await engine.read((db) => findNewest(db, tenant, sql<SqlBool>`true`, by, NAMES_READ, view));
  const words = toWords(search);
  const found: string[] = [];
  for (const chunk of toChunks(ids, NAMES_PER_TURN)) {
    await pace(tenant, signal);
    for (const { order_id: orderId, mapped } of await engine.read((db) => selectMapped(db, tenant, chunk))) {
      const opened = sealer.tryJson(placeOfOrder("mapped", { tenant, orderId }), mapped);
      if (opened !== undefined && isNamed(opened as MappedOrder, words)) found.push(orderId);
    }
    if (found.length >= FOUND_MAX) break;
  }
  return found;
}

function selectMapped(db: Database, tenant: TenantId, ids: readonly string[]) {
  return db.selectFrom("orders").select(["order_id", "mapped"]).where(areOrders(tenant, ids)).execute();
}

/** Whether each word begins a word of the buyer's or the recipient's name. */
function isNamed(mapped: MappedOrder, words: readonly string[]): boolean {
  const { customerName = "" } = toKnown(mapped);
  return [customerName, mapped.recipientName ?? ""].some((name) => {
    const parts = toWords(name);
    return words.every((word) => parts.some((part) => part.startsWith(word)));
  });
}

function toWords(text: string): readonly string[] {
  return foldPlace(text).split(" ");
}

import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { MappedOrder, TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import type { Database } from "../schema/schema.ts";
import type { Sealer } from "../sealing/sealing.ts";
import { toSlices } from "../slices.ts";
import { findRow, selectRows, toChunks } from "../statements.ts";
import { isOfFew, toConditions, type OrderFilter } from "./order-filter.ts";
import { IS_IN_QUEUE, placeOfOrder } from "./order-rows.ts";
import { createContentSearch, parseAmount, type AmountSought } from "./search-text.ts";

/** The most orders that one search lists. */
const FOUND_MAX = 500;
/** Content is encrypted, so a search decrypts orders one by one: at most this many, newest first. */
export const CONTENT_READ = 5_000;
/** Orders decrypted between two turns of the event loop: a few milliseconds. */
const READ_PER_TURN = 200;

/** What a list has, without its search. What `accept` would leave out is found too. */
type ListFilter = Omit<OrderFilter, "search">;

/** A search, and which of the orders that it finds are in the list. */
export interface OrderSearch {
  readonly search: string;
  readonly filter: ListFilter;
  readonly signal: AbortSignal | undefined;
}

export interface FoundOrders {
  readonly ids: readonly string[];
  /** How many of the list's newest orders were searched by their content; null if all of them. */
  readonly searchedNewest: number | null;
  /** How many orders a search lists at most, if it found more; null if these are all. */
  readonly cutAt: number | null;
}

/** Sorts after every name that begins with the text before it. */
const LAST = "\u{10FFFF}";

/**
 * The orders of a list that match a text, at most {@link FOUND_MAX}: by ID, name, email address, or an amount with decimals or
 * a currency. If there are none, even outside the list, those whose name begins with it or whose amount it is, and those
 * whose content matches ({@link createContentSearch}) among the newest {@link CONTENT_READ}.
 */
export async function findOrders(
  context: StoreContext,
  tenant: TenantId,
  asked: OrderSearch,
): Promise<FoundOrders> {
  const { engine, sealer } = context;
  const { search, filter } = asked;
  const isListed = toListed(sealer, tenant, filter);
  const plain = search.replace(/^#/, "");
  const amount = parseAmount(search);
  const isExact = [
    sql<SqlBool>`order_id = ${search}`,
    sql<SqlBool>`name in (${plain}, ${`#${plain}`})`,
    ...(search.includes("@") ? [sql<SqlBool>`email_digest = ${sealer.emailDigest(tenant, search)}`] : []),
    ...(amount?.isSure ? [isAmount(amount)] : []),
  ];
  const exact = await engine.read((db) => findNewest(db, tenant, ofList(isExact, isListed), IN_NO_INDEX));
  const isMeant = exact.length > 0 || (await engine.read((db) => hasAny(db, tenant, isExact)));
  if (isMeant) return toFound(exact, null);
  // The queue is short, so each of its orders is compared. The index on names would read all other orders too.
  const name = filter.view === "queue" ? sql`(name || '')` : sql`name`;
  const hasPrefix = [`#${plain}`, plain]
    .filter((prefix) => prefix !== "" && prefix !== "#")
    .map((prefix) => sql<SqlBool>`${name} >= ${prefix} and ${name} < ${prefix + LAST}`);
  // The index on names finds the names that sort last. Among numbers of the same length, those are the newest.
  const byPrefix = await engine.read((db) => findNewest(db, tenant, ofList(hasPrefix, isListed), name));
  const hasAmount = amount === null ? [] : ofList([isAmount(amount)], isListed);
  const byAmount = await engine.read((db) => findNewest(db, tenant, hasAmount, IN_NO_INDEX));
  const byContent = await findByContent(context, tenant, asked);
  return toFound([...byPrefix, ...byAmount, ...byContent.ids], byContent.searchedNewest);
}

function toFound(found: readonly string[], searchedNewest: number | null): FoundOrders {
  const ids = [...new Set(found)];
  if (ids.length <= FOUND_MAX) return { ids, searchedNewest, cutAt: null };
  return { ids: ids.slice(0, FOUND_MAX), searchedNewest: null, cutAt: FOUND_MAX };
}

function isAmount({ min, max, currency }: AmountSought): RawBuilder<SqlBool> {
  const isOfCurrency = currency === null ? sql`true` : sql`upper(currency) = ${currency}`;
  return sql<SqlBool>`amount >= ${min} and amount < ${max} and ${isOfCurrency}`;
}

/** The unary plus keeps the planner from scanning all orders for the few that match. */
const IN_NO_INDEX = sql`+received_at`;
const ALL = sql<SqlBool>`1 = 1`;
const AND = sql` and `;

type Conditions = readonly RawBuilder<SqlBool>[];

/** Whether an order is in a list. Indexes are left to the search, except the queue's, which is short. */
function toListed(sealer: Sealer, tenant: TenantId, { view, ...filter }: ListFilter): RawBuilder<SqlBool> {
  const conditions = sql.join([ALL, ...toConditions(sealer, tenant, filter, null)], AND);
  return sql`${view === "queue" ? IS_IN_QUEUE : ALL} and case when ${conditions} then 1 else 0 end = 1`;
}

function ofList(conditions: Conditions, isListed: RawBuilder<SqlBool>): Conditions {
  return conditions.map((condition) => sql<SqlBool>`${condition} and ${isListed}`);
}

async function hasAny(db: Database, tenant: TenantId, conditions: Conditions): Promise<boolean> {
  for (const condition of conditions)
    if ((await findRow(db, "orders", { tenant }, ["order_id"], condition)) !== undefined) return true;
  return false;
}

/** One more than are listed, to know whether there are any others. */
const SOUGHT = FOUND_MAX + 1;

/** IDs of the newest orders, by `by`, that meet one of the conditions. Each has its own index, so its own query. */
async function findNewest(
  db: Database,
  tenant: TenantId,
  conditions: Conditions,
  by: RawBuilder<unknown>,
): Promise<readonly string[]> {
  const found: string[] = [];
  const newest = sql`order by ${by} desc limit ${SOUGHT}`;
  for (const condition of conditions) {
    const rows = await selectRows(db, "orders", { tenant }, ["order_id"], condition, newest);
    found.push(...rows.map((row) => row.order_id));
  }
  return found;
}

async function findByContent(
  context: StoreContext,
  tenant: TenantId,
  { search, filter, signal }: OrderSearch,
): Promise<Omit<FoundOrders, "cutAt">> {
  const { engine, sealer, pace } = context;
  const isMatch = createContentSearch(search);
  if (isMatch === null) return { ids: [], searchedNewest: null };
  // One more, to know whether there are any others.
  const newest = await listNewest(context, tenant, { filter, most: CONTENT_READ + 1, signal });
  const searchedNewest = newest.length > CONTENT_READ ? CONTENT_READ : null;
  const found: string[] = [];
  for (const chunk of toChunks(newest.slice(0, CONTENT_READ), READ_PER_TURN)) {
    await pace(tenant, signal);
    const rows = await engine.read((db) =>
      selectRows(db, "orders", { tenant, order_id: chunk }, ["order_id", "mapped"]),
    );
    for (const { order_id: orderId, mapped } of rows) {
      const opened = sealer.tryJson(placeOfOrder("mapped", { tenant, orderId }), mapped);
      if (opened !== undefined && isMatch(opened as MappedOrder)) found.push(orderId);
    }
    if (found.length >= SOUGHT) break;
  }
  return { ids: found, searchedNewest };
}

interface Newest {
  readonly filter: ListFilter;
  readonly most: number;
  readonly signal: AbortSignal | undefined;
}

/** IDs of a list's newest orders. Where no index finds them, they are read slice by slice. */
async function listNewest(
  context: StoreContext,
  tenant: TenantId,
  { filter, most, signal }: Newest,
): Promise<readonly string[]> {
  const { engine, sealer } = context;
  const select = async (isListed: RawBuilder<unknown>, by: RawBuilder<unknown>) => {
    const newest = sql`order by ${by} desc limit ${most}`;
    const rows = await engine.read((db) =>
      selectRows(db, "orders", { tenant }, ["order_id"], sql<SqlBool>`${isListed}`, newest),
    );
    return rows.map((row) => row.order_id);
  };
  if (filter.view === "queue") return select(toListed(sealer, tenant, filter), IN_NO_INDEX);
  const toAll = (part: ListFilter) => sql.join([ALL, ...toConditions(sealer, tenant, part, null)], AND);
  if (isOfFew(filter)) return select(toAll(filter), IN_NO_INDEX);
  const ids: string[] = [];
  const { sinceMs = 0, untilMs = Number.MAX_SAFE_INTEGER } = filter;
  const scan = { table: "orders", tenant, newestFirst: true, sinceMs, untilMs, signal } as const;
  for await (const slice of toSlices(context, scan)) {
    ids.push(...(await select(toAll({ ...filter, ...slice }), sql`received_at`)));
    if (ids.length >= most) break;
  }
  return ids.slice(0, most);
}

import { sql, type RawBuilder, type SqlBool } from "kysely";
import { foldPlace } from "../../order/text.ts";
import { toKnown, type MappedOrder, type TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import { toChunks } from "../engines/engine.ts";
import type { Database } from "../schema/schema.ts";
import type { Sealer } from "../sealing/sealing.ts";
import { selectRows } from "../statements.ts";
import { IS_IN_QUEUE, placeOfOrder } from "./order-rows.ts";

/** The most orders that one search finds. */
const FOUND_MAX = 500;
/** Names are encrypted, so a search decrypts orders one by one: at most this many, newest first. */
const NAMES_READ = 5_000;
/** Orders decrypted between two turns of the event loop: a few milliseconds. */
const NAMES_PER_TURN = 200;
/**
 * At least two letters, or one letter of a script whose names can be that short. A single Latin letter would find most
 * orders.
 */
const NAME_LIKE = /\p{L}{2}|[^\P{L}\p{Script=Latin}]/u;

/** What to search for, and where. */
export interface OrderSearch {
  readonly search: string;
  /** Only in the queue. Default: in all orders. */
  readonly view: "queue" | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * The orders that match a text: by ID, name or email address. If there are none, those whose name begins with it, and
 * those whose buyer or recipient has names that begin with its words.
 */
export async function findOrderIds(
  context: StoreContext,
  tenant: TenantId,
  asked: OrderSearch,
): Promise<readonly string[]> {
  const { search, view } = asked;
  const exact = await context.engine.read((db) => findExact(db, context.sealer, tenant, search));
  if (exact.length > 0 || search.includes("@")) return exact;
  const byPrefix = await context.engine.read((db) => findByPrefix(db, tenant, search, view));
  const byBuyer = await findByBuyer(context, tenant, asked);
  return [...new Set([...byPrefix, ...byBuyer])];
}

/** Each way of finding an order has its own index, so each gets its own query. */
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
    // The unary plus keeps the planner from scanning all orders for the few that match.
    const ids = await findNewest(db, tenant, condition, sql`+received_at`, FOUND_MAX);
    for (const id of ids) found.add(id);
  }
  return [...found];
}

/** Sorts after every name that begins with the text before it. */
const LAST = "\u{10FFFF}";

/** The index on names finds the names that sort last. Among numbers of the same length, those are the newest. */
async function findByPrefix(
  db: Database,
  tenant: TenantId,
  search: string,
  view: OrderSearch["view"],
): Promise<readonly string[]> {
  const plain = search.replace(/^#/, "");
  const found: string[] = [];
  for (const prefix of [`#${plain}`, plain]) {
    if (prefix === "" || prefix === "#") continue;
    // The queue is short, so each of its orders is compared. The index on names would read all other orders too.
    const name = view === "queue" ? sql`(name || '')` : sql`name`;
    const condition = sql<SqlBool>`${name} >= ${prefix} and ${name} < ${prefix + LAST}`;
    found.push(...(await findNewest(db, tenant, condition, name, FOUND_MAX, view)));
  }
  return found;
}

/** IDs of the first orders in descending order. */
async function findNewest(
  db: Database,
  tenant: TenantId,
  condition: RawBuilder<SqlBool>,
  by: RawBuilder<unknown>,
  limit: number,
  view?: OrderSearch["view"],
): Promise<readonly string[]> {
  const isFound = view === "queue" ? sql<SqlBool>`${condition} and ${IS_IN_QUEUE}` : condition;
  const newest = sql`order by ${by} desc limit ${limit}`;
  const rows = await selectRows(db, "orders", { tenant }, ["order_id"], isFound, newest);
  return rows.map((row) => row.order_id);
}

async function findByBuyer(
  { engine, sealer, pace }: StoreContext,
  tenant: TenantId,
  { search, view, signal }: OrderSearch,
): Promise<readonly string[]> {
  if (!NAME_LIKE.test(search)) return [];
  // The unary plus: as above.
  const by = view === "queue" ? sql`+received_at` : sql`received_at`;
  const ids = await engine.read((db) => findNewest(db, tenant, sql<SqlBool>`true`, by, NAMES_READ, view));
  const words = toWords(search);
  const found: string[] = [];
  for (const chunk of toChunks(ids, NAMES_PER_TURN)) {
    await pace(tenant, signal);
    const rows = await engine.read((db) =>
      selectRows(db, "orders", { tenant, order_id: chunk }, ["order_id", "mapped"]),
    );
    for (const { order_id: orderId, mapped } of rows) {
      const opened = sealer.tryJson(placeOfOrder("mapped", { tenant, orderId }), mapped);
      if (opened !== undefined && isNamed(opened as MappedOrder, words)) found.push(orderId);
    }
    if (found.length >= FOUND_MAX) break;
  }
  return found;
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

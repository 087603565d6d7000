import { sql, type RawBuilder, type SqlBool } from "kysely";
import { foldPlace } from "../../order/text.ts";
import { toKnown, type MappedOrder, type TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import type { Database } from "../schema/schema.ts";
import { selectRows, toChunks } from "../statements.ts";
import { IS_IN_QUEUE, placeOfOrder } from "./order-rows.ts";

/** The most orders that one search finds. */
const FOUND_MAX = 500;
/** Names are encrypted, so a search decrypts orders one by one: at most this many, newest first. */
const NAMES_READ = 5_000;
/** Orders decrypted between two turns of the event loop: a few milliseconds. */
const NAMES_PER_TURN = 200;
/** Two letters, or one of a script whose names can be that short. A single Latin letter would find most orders. */
const NAME_LIKE = /\p{L}{2}|[^\P{L}\p{Script=Latin}]/u;

export interface OrderSearch {
  readonly search: string;
  /** Only in the queue. Default: in all orders. */
  readonly view: "queue" | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Sorts after every name that begins with the text before it. */
const LAST = "\u{10FFFF}";

/**
 * The orders that match a text: by ID, name or email address. If there are none, those whose name begins with it, and
 * those whose buyer or recipient has names that begin with its words.
 */
export async function findOrderIds(
  context: StoreContext,
  tenant: TenantId,
  asked: OrderSearch,
): Promise<readonly string[]> {
  const { engine, sealer } = context;
  const { search, view } = asked;
  const plain = search.replace(/^#/, "");
  const isEmail = search.includes("@");
  const isExact = [
    sql<SqlBool>`order_id = ${search}`,
    sql<SqlBool>`name in (${plain}, ${`#${plain}`})`,
    ...(isEmail ? [sql<SqlBool>`email_digest = ${sealer.emailDigest(tenant, search)}`] : []),
  ];
  const exact = await engine.read((db) => findNewest(db, tenant, isExact, IN_NO_INDEX));
  if (exact.length > 0 || isEmail) return exact;
  // The queue is short, so each of its orders is compared. The index on names would read all other orders too.
  const name = view === "queue" ? sql`(name || '')` : sql`name`;
  const hasPrefix = [`#${plain}`, plain]
    .filter((prefix) => prefix !== "" && prefix !== "#")
    .map((prefix) => sql<SqlBool>`${name} >= ${prefix} and ${name} < ${prefix + LAST} and ${isIn(view)}`);
  // The index on names finds the names that sort last. Among numbers of the same length, those are the newest.
  const byPrefix = await engine.read((db) => findNewest(db, tenant, hasPrefix, name));
  const byBuyer = await findByBuyer(context, tenant, asked);
  return [...new Set([...byPrefix, ...byBuyer])];
}

function isIn(view: OrderSearch["view"]): RawBuilder<SqlBool> {
  return view === "queue" ? IS_IN_QUEUE : sql<SqlBool>`true`;
}

/** The unary plus keeps the planner from scanning all orders for the few that match. */
const IN_NO_INDEX = sql`+received_at`;

/** IDs of the newest orders, by `by`, that meet one of the conditions. Each has its own index, so its own query. */
async function findNewest(
  db: Database,
  tenant: TenantId,
  conditions: readonly RawBuilder<SqlBool>[],
  by: RawBuilder<unknown>,
  limit = FOUND_MAX,
): Promise<readonly string[]> {
  const found = new Set<string>();
  const newest = sql`order by ${by} desc limit ${limit}`;
  for (const condition of conditions) {
    const rows = await selectRows(db, "orders", { tenant }, ["order_id"], condition, newest);
    for (const row of rows) found.add(row.order_id);
  }
  return [...found];
}

async function findByBuyer(
  { engine, sealer, pace }: StoreContext,
  tenant: TenantId,
  { search, view, signal }: OrderSearch,
): Promise<readonly string[]> {
  if (!NAME_LIKE.test(search)) return [];
  const by = view === "queue" ? IN_NO_INDEX : sql`received_at`;
  const ids = await engine.read((db) => findNewest(db, tenant, [isIn(view)], by, NAMES_READ));
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

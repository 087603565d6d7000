import { sql, type SqlBool } from "kysely";
import type { MappedOrder, TenantId } from "../../platform/platform.ts";
import type { Decision } from "../../order/decision.ts";
import type { OrderEffects } from "../../order/order-effects.ts";
import type { KeptSignals } from "../../engine/model/kept-signals.ts";
import type { StoredFacts } from "../../policy/order-facts.ts";
import type { StoreContext } from "../context.ts";
import { toKeys, type OrderLinks } from "../orders/linked-orders.ts";
import { LISTED, placeOfOrder, toListedOrder } from "../orders/order-rows.ts";
import type { Database, OrderRow } from "../schema/schema.ts";
import { IS_REAL } from "../schema/effects-column.ts";
import type { Sealer } from "../sealing/sealing.ts";
import { sumSlices, type TimeWindow } from "../slices.ts";
import type { ListedOrder } from "../orders/order-record.ts";
import { countSpent } from "../credits/budget.ts";
import { selectOne } from "../statements.ts";
import { LINK_COLUMNS } from "../schema/link-columns.ts";

/** A decided order of a platform, without the request and the answer. */
export interface DecidedOrder extends ListedOrder {
  readonly problem: string | null;
  readonly effects: OrderEffects;
  readonly decision: Decision;
  /** When this decision was made, and the first one. Milliseconds since the epoch. */
  readonly decidedAtMs: number | null;
  readonly firstDecidedAtMs: number | null;
  /** Null if not asked for, not stored or not readable. */
  readonly facts: StoredFacts | null;
  /** Null if not asked for, erased or not readable. */
  readonly mapped: MappedOrder | null;
  /** What the local engine saw. Null if not asked for, not stored, or if the local engine didn't judge the order. */
  readonly signals: KeptSignals | null;
  /** Digests by which lists recognize its buyer. Null if it has none or they were erased. */
  readonly links: OrderLinks["keys"] | null;
}

/**
 * How much of an order to decrypt: nothing, the facts that name nobody, or all content that isn't erased yet. Each
 * takes longer than the one before.
 */
export type DecidedContent = "none" | "facts" | "all";

export interface DecidedPageOptions extends TimeWindow {
  readonly content: DecidedContent;
  readonly limit: number;
  /** Orders that come after this one; null for the first page. */
  readonly after: DecidedPage["next"];
}

/** A page of decided orders, newest first. */
export interface DecidedPage {
  readonly orders: readonly DecidedOrder[];
  /** Where the next page begins; null on the last. */
  readonly next: Pick<ListedOrder, "receivedAtMs" | "orderId"> | null;
}

export interface ReplaySource {
  /** One page of a tenant's decided orders. */
  listDecided(tenant: TenantId, page: DecidedPageOptions): Promise<DecidedPage>;
  /** How many orders a window has, and how many of them are decided. The signal stops the count between two slices. */
  countReceived(
    tenant: TenantId,
    window: TimeWindow,
    signal?: AbortSignal,
  ): Promise<{ readonly orders: number; readonly decided: number }>;
  /**
   * Credits spent in the window, from the ledger, and saved calls, counted by the hour. The signal stops the count
   * between two slices.
   */
  creditsBetween(
    tenant: TenantId,
    window: TimeWindow,
    signal?: AbortSignal,
  ): Promise<{ readonly spent: number; readonly saved: number }>;
}

export function createReplaySource(context: StoreContext): ReplaySource {
  const { engine, sealer } = context;
  return {
    async listDecided(tenant, page) {
      const { sinceMs, untilMs, content, limit, after } = page;
      // Only one upper bound: with two, SQLite starts at the window's bound and reads all earlier pages again.
      const isBefore =
        after !== null && after.receivedAtMs < untilMs
          ? sql<SqlBool>`(received_at, order_id) < (${after.receivedAtMs}, ${after.orderId})`
          : sql<SqlBool>`received_at < ${untilMs}`;
      const rows: DecidedRow[] = await engine.read((db) =>
        db
          .selectFrom("orders")
          .select(PLAIN)
          .$if(content !== "none", (query) => query.select("facts"))
          // Orders from before facts were stored have only their content.
          .$if(content === "facts", (query) => query.select(MAPPED_WITHOUT_FACTS))
          .$if(content === "all", (query) => query.select("mapped"))
          .where("tenant", "=", tenant)
          .where("received_at", ">=", sinceMs)
          .where(isBefore)
          // This column is in the index, so undecided orders aren't read.
          .where("action", "is not", null)
          .where(IS_REAL)
          .orderBy("received_at", "desc")
          .orderBy("order_id", "desc")
          .limit(limit)
          .execute(),
      );
      const last = rows.length < limit ? undefined : rows.at(-1);
      return {
        orders: rows.map((row) => toDecidedOrder(sealer, tenant, row)),
        next: last === undefined ? null : { receivedAtMs: last.received_at, orderId: last.order_id },
      };
    },

    async countReceived(tenant, window, signal) {
      const scan = { table: "orders", tenant, ...window, signal } as const;
      const { orders = 0, decided = 0 } = await sumSlices(context, scan, (slice) =>
        countOrders(tenant, slice),
      );
      return { orders, decided };
    },

    creditsBetween: async (tenant, window, signal) => ({
      spent: await countSpent(context, tenant, window, signal),
      saved: await engine.read((db) => sumSaved(db, tenant, window)),
    }),
  };
}

function countOrders(tenant: TenantId, { sinceMs, untilMs }: TimeWindow) {
  return sql<{ orders: number; decided: number }>`
    select count(*) as orders, count(action) as decided from orders
    where tenant = ${tenant} and received_at >= ${sinceMs} and received_at < ${untilMs}
      and ${IS_REAL}`;
}

/** A few rows an hour. */
async function sumSaved(db: Database, tenant: TenantId, { sinceMs, untilMs }: TimeWindow): Promise<number> {
  const query = sql<{ saved: number }>`
    select cast(coalesce(sum(saved), 0) as bigint) as saved from savings where tenant = ${tenant}
      and hour_at >= ${sinceMs} and hour_at < ${untilMs}`;
  return (await selectOne(db, query)).saved;
}

const PLAIN = [
  ...LISTED,
  "problem",
  "effects",
  "decision",
  "decided_at",
  "first_decided_at",
  ...Object.values(LINK_COLUMNS),
] as const;

const MAPPED_WITHOUT_FACTS = sql<Uint8Array | null>`case when facts is null then mapped end`.as("mapped");

type DecidedRow = Pick<OrderRow, (typeof PLAIN)[number]> & Partial<Pick<OrderRow, "facts" | "mapped">>;

function toDecidedOrder(sealer: Sealer, tenant: TenantId, row: DecidedRow): DecidedOrder {
  const key = { tenant, orderId: row.order_id };
  const open = (column: "facts" | "mapped") => sealer.tryJson(placeOfOrder(column, key), row[column]) ?? null;
  const links = toKeys(row);
  const mapped = open("mapped") as MappedOrder | null;
  const facts = open("facts") as StoredFacts | null;
  return {
    ...toListedOrder(row),
    problem: row.problem,
    effects: row.effects,
    decision: JSON.parse(row.decision ?? "null") as Decision,
    decidedAtMs: row.decided_at,
    firstDecidedAtMs: row.first_decided_at,
    facts,
    mapped,
    signals: facts?.signals ?? null,
    // If the content was erased, the links may have been erased with it.
    links: mapped === null && Object.keys(links).length === 0 ? null : links,
  };
}

import { sql, type SqlBool } from "kysely";
import type { BuyerAnswer } from "../../order/buyer-check.ts";
import type { PlatformRisk } from "../../order/order-context.ts";
import { IS_REAL } from "../schema/effects-column.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import type { Database } from "../schema/schema.ts";
import type { TimelineEntry } from "../orders/order-record.ts";
import { selectDisputes, type KeptDispute } from "./disputes.ts";
import { lockOrder } from "./lock-order.ts";
import { findRow, inChunks, ofOrder, selectRows, upsert, type OrderKey } from "../statements.ts";
import { addTimeline, toEvent } from "../orders/history.ts";

/** The state of an order on the platform, long after its decision. Nothing personal. */
export interface ObservedOutcome {
  readonly observedAtMs: number;
  /** False if the platform no longer knows the order, or doesn't show it. */
  readonly known: boolean;
  readonly cancelled: boolean;
  /** All or some of it has shipped. */
  readonly shipped: boolean;
  readonly platformRisk: PlatformRisk | null;
}

/** What became of the question to an order's buyer; `asked`: they haven't answered. */
export type BuyerWord = BuyerAnswer | "asked";

/** What is recorded about the end of an order. */
export interface OrderTrace {
  /** Its timeline entries that say how it ended, oldest first. */
  readonly events: readonly Pick<TimelineEntry, "kind" | "event">[];
  /** Null if it wasn't looked at yet. */
  readonly observed: ObservedOutcome | null;
  readonly disputes: readonly KeptDispute[];
  /** Absent: nobody asked its buyer. */
  readonly buyer?: BuyerWord | undefined;
}

export interface UnobservedLook {
  /** Received at this moment or later, milliseconds since the epoch. */
  readonly fromMs: number;
  /** Received at this moment or earlier. */
  readonly untilMs: number;
  /** Not looked at since they reached this age. */
  readonly ageMs: number;
  readonly limit: number;
}

/** The kind of the entry that `noteRefund` writes. */
const REFUNDED = "refunded";

/** The kinds of timeline entries that say how an order ended. */
const ENDINGS = [
  "cancelled-on-platform",
  "cancel-done",
  "cancel-moot",
  "cancel-impossible",
  "hold-moot",
  "hold-impossible",
  "hold-overridden",
  "release-moot",
  "assess-moot",
  REFUNDED,
  "settled",
];

/** How an order ended, as far as that was recorded. */
interface OrderTraces {
  readonly events: readonly Pick<TimelineEntry, "kind" | "event">[];
  readonly observed: ObservedOutcome | null;
  readonly disputes: readonly KeptDispute[];
  /** Absent: nobody asked its buyer. */
  readonly buyer?: BuyerWord | undefined;
}

/** What became of orders. */
export interface OutcomeStore {
  /** Orders decided `hold` or `cancel` that weren't looked at since they reached the given age, oldest first. */
  findUnobserved(
    tenant: TenantId,
    look: UnobservedLook,
  ): Promise<readonly { readonly orderId: string; readonly receivedAtMs: number }[]>;
  /** Replace the stored observation of an order. Does nothing for an order that is gone. */
  save(key: OrderKey, outcome: ObservedOutcome): Promise<void>;
  /** Record, once, that an order was refunded. Resolves to whether that was new; also `false` for an unknown order. */
  noteRefund(key: OrderKey, entry: TimelineEntry): Promise<boolean>;
  /** How orders of a tenant ended, by order ID. Orders with nothing recorded are left out. */
  loadTraces(tenant: TenantId, orderIds: readonly string[]): Promise<ReadonlyMap<string, OrderTraces>>;
}

export function createOutcomes({ engine }: StoreContext): OutcomeStore {
  return {
    async findUnobserved(tenant, { fromMs, untilMs, ageMs, limit }) {
      const query = sql<{ orderId: string; receivedAtMs: number }>`
        select order_id as "orderId", received_at as "receivedAtMs" from orders
        where tenant = ${tenant} and received_at >= ${fromMs} and received_at <= ${untilMs}
          and action in ('hold', 'cancel') and ${IS_REAL}
          and not exists (
            select 1 from order_outcomes
            where order_outcomes.tenant = orders.tenant and order_outcomes.order_id = orders.order_id
              and order_outcomes.observed_at >= orders.received_at + ${ageMs})
        order by received_at, order_id limit ${limit}`;
      return (await engine.read((db) => query.execute(db))).rows;
    },

    save: (key, { observedAtMs, ...content }) =>
      engine.write(async (db) => {
        if ((await findRow(db, "orders", ofOrder(key), ["order_id"])) === undefined) return;
        const seen = { observed_at: observedAtMs, content: JSON.stringify(content) };
        await upsert(db, "order_outcomes", ofOrder(key), seen);
      }),

    noteRefund: (key, entry) =>
      engine.write(async (db) => {
        // The lock serializes two deliveries of one refund.
        if (!(await lockOrder(db, key))) return false;
        const refund = { ...ofOrder(key), kind: REFUNDED };
        if ((await findRow(db, "order_timeline", refund, ["entry_id"])) !== undefined) return false;
        await addTimeline(db, key, [entry]);
        return true;
      }),

    loadTraces: (tenant, orderIds) => engine.read((db) => selectTraces(db, tenant, orderIds)),
  };
}

async function selectTraces(db: Database, tenant: TenantId, orderIds: readonly string[]) {
  const entries = await inChunks(orderIds, (ids) => {
    const ends = { tenant, order_id: ids, kind: ENDINGS };
    const columns = ["order_id", "kind", "detail", "event"] as const;
    return selectRows(db, "order_timeline", ends, columns, undefined, sql`order by entry_id`);
  });
  const outcomes = await inChunks(orderIds, (ids) =>
    selectRows(db, "order_outcomes", { tenant, order_id: ids }, ["order_id", "observed_at", "content"]),
  );
  const ends = Map.groupBy(entries, (entry) => entry.order_id);
  const observed = new Map(outcomes.map((row) => [row.order_id, toObserved(row)]));
  const disputes = await selectDisputes(db, tenant, orderIds);
  const buyers = await selectBuyerWords(db, tenant, orderIds);
  const recorded = new Set([...ends.keys(), ...observed.keys(), ...disputes.keys(), ...buyers.keys()]);
  return new Map(
    [...recorded].map((orderId) => [
      orderId,
      {
        events: ends.get(orderId)?.map(({ kind, event }) => ({ kind, event: toEvent(event) })) ?? [],
        observed: observed.get(orderId) ?? null,
        disputes: disputes.get(orderId) ?? [],
        buyer: buyers.get(orderId),
      },
    ]),
  );
}

/** Of several questions about one order, an answer counts more than none, and the latest answer most. */
async function selectBuyerWords(db: Database, tenant: TenantId, orderIds: readonly string[]) {
  const isOffered = sql<SqlBool>`route <> 'none'`;
  const rows = await inChunks(orderIds, (ids) =>
    selectRows(
      db,
      "buyer_checks",
      { tenant, order_id: ids },
      ["order_id", "answer", "answered_at"],
      isOffered,
    ),
  );
  const oldest = rows.toSorted((one, other) => (one.answered_at ?? 0) - (other.answered_at ?? 0));
  return new Map(oldest.map((row): [string, BuyerWord] => [row.order_id, row.answer ?? "asked"]));
}

function toObserved({ observed_at: observedAtMs, content }: { observed_at: number; content: string }) {
  return { observedAtMs, ...(JSON.parse(content) as Omit<ObservedOutcome, "observedAtMs">) };
}

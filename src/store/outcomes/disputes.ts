import { sql } from "kysely";
import type { StoreContext } from "../context.ts";
import type { Dispute, TenantId } from "../../platform/platform.ts";
import type { TimelineEntry } from "../orders/order-record.ts";
import type { Database } from "../schema/schema.ts";
import { areOrders, inChunks, ofOrder, updateRows, upsert, type OrderKey } from "../statements.ts";
import { addTimeline } from "../orders/history.ts";

/** A stored dispute. Nothing personal. */
export interface KeptDispute extends Dispute {
  /** When it last changed, milliseconds since the epoch. */
  readonly seenAtMs: number;
}

/** Write an order's row, which locks it until the transaction ends. Returns whether the order exists. */
export async function lockOrder(db: Database, key: OrderKey): Promise<boolean> {
  return (await updateRows(db, "orders", ofOrder(key), { attempts: sql.ref<number>("attempts") })) > 0;
}

/** Banks' disputes about the payments of orders. */
export interface DisputeStore {
  /**
   * Store a dispute's state, unless a later one is stored already: webhooks aren't ordered. Resolves to the stored
   * dispute, or null if the tenant has no such order. Writes `entry` if the state is new.
   */
  recordDispute(
    key: OrderKey,
    dispute: Dispute,
    entry: TimelineEntry,
  ): Promise<{ readonly kept: KeptDispute; readonly isNews: boolean } | null>;
  /** Disputes of orders of a tenant, by order id, oldest first; orders without one are left out. */
  listDisputes(
    tenant: TenantId,
    orderIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly KeptDispute[]>>;
}

export function createDisputes({ engine }: StoreContext): DisputeStore {
  return {
    recordDispute: (key, dispute, entry) =>
      engine.write(async (db) => {
        const { tenant, orderId } = key;
        // The lock keeps the order from being erased meanwhile, and serializes two deliveries of one dispute.
        if (!(await lockOrder(db, key))) return null;
        const disputes = (await selectDisputes(db, tenant, [orderId])).get(orderId);
        const kept = disputes?.find(({ disputeId }) => disputeId === dispute.disputeId);
        if (kept !== undefined && !isLater(kept, dispute)) return { kept, isNews: false };
        const { disputeId, kind, status, reason, isFraud, initiatedAtMs } = dispute;
        const row = { kind, status, reason, is_fraud: isFraud ? 1 : 0, initiated_at: initiatedAtMs };
        const seen = { ...row, order_id: orderId, seen_at: entry.atMs };
        await upsert(db, "disputes", { tenant, dispute_id: disputeId }, seen);
        await addTimeline(db, key, [entry]);
        return { kept: { ...dispute, orderId, seenAtMs: entry.atMs }, isNews: true };
      }),
    listDisputes: (tenant, orderIds) => engine.read((db) => selectDisputes(db, tenant, orderIds)),
  };
}

/** An inquiry can become a chargeback, and an open dispute can end. Neither happens in reverse. */
function isLater(kept: Dispute, next: Dispute): boolean {
  if (kept.kind !== next.kind) return next.kind === "chargeback";
  return kept.status !== next.status && next.status !== "open";
}

export async function selectDisputes(
  db: Database,
  tenant: TenantId,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly KeptDispute[]>> {
  const rows = await inChunks(orderIds, (ids) =>
    db
      .selectFrom("disputes")
      .select(["dispute_id as disputeId", "order_id as orderId", "kind", "status", "reason", "is_fraud"])
      .select(["initiated_at as initiatedAtMs", "seen_at as seenAtMs"])
      .where(areOrders(tenant, ids))
      .execute(),
  );
  const disputes = rows.map(
    ({ is_fraud: isFraud, ...row }) => ({ ...row, isFraud: isFraud === 1 }) as KeptDispute,
  );
  // An order has one or two disputes, so sorting them here is cheaper than in the database.
  const inOrder = disputes.toSorted(
    (one, other) => one.initiatedAtMs - other.initiatedAtMs || (one.disputeId < other.disputeId ? -1 : 1),
  );
  return Map.groupBy(inOrder, ({ orderId }) => orderId);
}

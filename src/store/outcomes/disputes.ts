import { sql } from "kysely";
import type { StoreContext } from "../context.ts";
import type { Dispute, TenantId } from "../../platform/platform.ts";
import type { OrderKey, TimelineEntry } from "../orders/order-record.ts";
import type { Database } from "../schema/schema.ts";
import { areOrders, inChunks, ofOrder, updateRows, upsert } from "../statements.ts";
import { addTimeline } from "../orders/history.ts";

/** A dispute as kept. Nothing personal. */
export interface KeptDispute extends Dispute {
  /** When it was last news, milliseconds since the epoch. */
  readonly seenAtMs: number;
}

type DisputeStore = Pick<ReturnType<typeof createDisputes>, "listDisputes">;

/** The open inquiry about an order's payment that came last; null for none. */
export async function findInquiry(
  store: DisputeStore,
  { tenant, orderId }: OrderKey,
): Promise<KeptDispute | null> {
  const disputes = (await store.listDisputes(tenant, [orderId])).get(orderId) ?? [];
  return disputes.findLast(({ kind, status }) => kind === "inquiry" && status === "open") ?? null;
}

/** Ends of a dispute that leave the shop its money. */
const KEEPS_MONEY: ReadonlySet<KeptDispute["status"]> = new Set(["won", "prevented"]);

/** Whether a dispute took an order's payment back, or still may. */
export async function isPaymentDisputed(
  store: DisputeStore,
  { tenant, orderId }: OrderKey,
): Promise<boolean> {
  const disputes = (await store.listDisputes(tenant, [orderId])).get(orderId) ?? [];
  return disputes.some(({ status }) => !KEEPS_MONEY.has(status));
}

/** Keep others from changing an order until the transaction ends, by writing its row. Whether it is there. */
export async function lockOrder(db: Database, key: OrderKey): Promise<boolean> {
  return (await updateRows(db, "orders", ofOrder(key), { attempts: sql.ref<number>("attempts") })) > 0;
}

/** What banks say about the payments of orders. */
export function createDisputes({ engine }: StoreContext) {
  return {
    /**
     * Keep a dispute's state, unless a later one is kept already: webhooks overtake each other.
     * Resolves to the dispute as kept now, null when the tenant has no such order. `entry` is written when it was news.
     */
    recordDispute: (key: OrderKey, dispute: Dispute, entry: TimelineEntry) =>
      engine.write((db) => record(db, key, dispute, entry)),
    /** Disputes of orders of a tenant, by order id, oldest first; orders without one are left out. */
    listDisputes: (tenant: TenantId, orderIds: readonly string[]) =>
      engine.read((db) => selectDisputes(db, tenant, orderIds)),
  };
}

async function record(db: Database, key: OrderKey, dispute: Dispute, entry: TimelineEntry) {
  const { tenant, orderId } = key;
  // The order isn't erased meanwhile, and two deliveries of one dispute are kept apart.
  if (!(await lockOrder(db, key))) return null;
  const kept = (await selectDisputes(db, tenant, [orderId]))
    .get(orderId)
    ?.find(({ disputeId }) => disputeId === dispute.disputeId);
  if (kept !== undefined && !isLater(kept, dispute)) return { kept, isNews: false };
  const { disputeId, kind, status, reason, isFraud, initiatedAtMs } = dispute;
  const row = { kind, status, reason, is_fraud: isFraud ? 1 : 0, initiated_at: initiatedAtMs };
  const seen = { ...row, order_id: orderId, seen_at: entry.atMs };
  await upsert(db, "disputes", { tenant, dispute_id: disputeId }, seen);
  await addTimeline(db, key, [entry]);
  return { kept: { ...dispute, orderId, seenAtMs: entry.atMs }, isNews: true };
}

/** An inquiry can become a chargeback, and what is open can end: never the other way around. */
function isLater(kept: Dispute, next: Dispute): boolean {
  if (kept.kind !== next.kind) return next.kind === "chargeback";
  return kept.status !== next.status && next.status !== "open";
}

/** Disputes of orders of a tenant, by order id, oldest first; orders without one are left out. */
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
  // An order has one or two, so sorting here costs less than in the database.
  const inOrder = disputes.toSorted(
    (one, other) => one.initiatedAtMs - other.initiatedAtMs || (one.disputeId < other.disputeId ? -1 : 1),
  );
  return Map.groupBy(inOrder, ({ orderId }) => orderId);
}

import { sql, type Selectable, type SqlBool } from "kysely";
import type { StoreContext } from "../context.ts";
import type { Dispute, TenantId } from "../../platform/platform.ts";
import type { TimelineEntry } from "../orders/order-record.ts";
import type { Database, Schema } from "../schema/schema.ts";
import { areOrders, inChunks, ofOrder, selectOne, updateRows, upsert, type OrderKey } from "../statements.ts";
import type { TimeWindow } from "../slices.ts";
import { lockOrder } from "./lock-order.ts";
import { addTimeline } from "../orders/history.ts";

/** A stored dispute. Nothing personal. */
export interface KeptDispute extends Dispute {
  /** When it last changed, milliseconds since the epoch. */
  readonly seenAtMs: number;
}

/** A dispute of any tenant whose evidence is due. */
export interface DueDispute extends KeptDispute {
  readonly tenant: TenantId;
}

export interface DueLook {
  readonly afterMs: number;
  readonly untilMs: number;
  readonly limit: number;
  readonly after?: DueDispute | undefined;
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
  /**
   * Open disputes of all tenants whose evidence is due after `afterMs` and not after `untilMs`, milliseconds since the epoch,
   * and wasn't sent; those that are due first come first. `after`: the last one of the previous page.
   */
  listDue(look: DueLook): Promise<readonly DueDispute[]>;
  /** How many disputes of a tenant began in a window as chargebacks or became ones; prevented ones aren't among them. */
  countChargebacks(tenant: TenantId, window: TimeWindow): Promise<number>;
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
        // Also if the order itself is gone by now.
        await updateRows(db, "kept_orders", ofOrder(key), { disputed: 1 });
        // The lock keeps the order from being erased meanwhile, and serializes two deliveries of one dispute.
        if (!(await lockOrder(db, key))) return null;
        const disputes = (await selectDisputes(db, tenant, [orderId])).get(orderId);
        const kept = disputes?.find(({ disputeId }) => disputeId === dispute.disputeId);
        const place = { tenant, dispute_id: dispute.disputeId };
        if (kept !== undefined && !isLater(kept, dispute)) {
          const next = withEvidence(kept, dispute);
          if (next !== kept) await updateRows(db, "disputes", place, toEvidenceColumns(next));
          return { kept: next, isNews: false };
        }
        const { kind, status, reason, isFraud, initiatedAtMs } = dispute;
        const times = toEvidenceColumns(kept === undefined ? dispute : inheritEvidence(kept, dispute));
        const row = {
          kind,
          status,
          reason,
          is_fraud: isFraud ? 1 : 0,
          initiated_at: initiatedAtMs,
          ...times,
        };
        const seen = { ...row, order_id: orderId, seen_at: entry.atMs };
        await upsert(db, "disputes", place, seen);
        await addTimeline(db, key, [entry]);
        return { kept: toKept({ ...place, ...seen }), isNews: true };
      }),
    async listDue({ afterMs, untilMs, limit, after }) {
      const { evidenceDueAtMs = afterMs, tenant = "", disputeId = "" } = after ?? {};
      const isBehind = sql`(evidence_due_at, tenant, dispute_id) > (${evidenceDueAtMs}, ${tenant}, ${disputeId})`;
      const isDue = sql<SqlBool>`status = 'open' and evidence_sent_at is null and evidence_due_at is not null
        and evidence_due_at > ${afterMs} and evidence_due_at <= ${untilMs} and ${isBehind}`;
      const rows = await engine.read((db) =>
        db
          .selectFrom("disputes")
          .selectAll()
          .where(isDue)
          .orderBy("evidence_due_at")
          .orderBy("tenant")
          .orderBy("dispute_id")
          .limit(limit)
          .execute(),
      );
      return rows.map((row) => ({ ...toKept(row), tenant: row.tenant }));
    },
    async countChargebacks(tenant, { sinceMs, untilMs }) {
      const query = sql<{ disputes: number }>`
        select cast(count(*) as bigint) as disputes from disputes
        where tenant = ${tenant} and initiated_at >= ${sinceMs} and initiated_at < ${untilMs}
          and kind = 'chargeback' and status <> 'prevented'`;
      return (await engine.read((db) => selectOne(db, query))).disputes;
    },
    listDisputes: (tenant, orderIds) => engine.read((db) => selectDisputes(db, tenant, orderIds)),
  };
}

/** Of the same state, also the evidence can be news: its deadline may move, and it's sent once. */
function withEvidence(kept: KeptDispute, next: Dispute): KeptDispute {
  if (kept.kind !== next.kind || kept.status !== next.status) return kept;
  const { evidenceDueAtMs, evidenceSentAtMs, networkCode } = inheritEvidence(kept, next);
  const isSame =
    evidenceDueAtMs === kept.evidenceDueAtMs &&
    evidenceSentAtMs === kept.evidenceSentAtMs &&
    networkCode === kept.networkCode;
  return isSame ? kept : { ...kept, evidenceDueAtMs, evidenceSentAtMs, networkCode };
}

/** A later state that doesn't repeat what an earlier one said. A chargeback takes evidence of its own. */
function inheritEvidence(kept: KeptDispute, next: Dispute): Dispute {
  const { evidenceDueAtMs, evidenceSentAtMs } = kept.kind === next.kind ? kept : NOTHING_SENT;
  return {
    ...next,
    evidenceDueAtMs: toLater(next.evidenceDueAtMs, evidenceDueAtMs),
    evidenceSentAtMs: next.evidenceSentAtMs ?? evidenceSentAtMs,
    networkCode: next.networkCode ?? kept.networkCode,
  };
}

/** Banks extend deadlines. An earlier one is from a webhook that arrives late. */
function toLater(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

const NOTHING_SENT = { evidenceDueAtMs: undefined, evidenceSentAtMs: undefined };

function toEvidenceColumns({ evidenceDueAtMs, evidenceSentAtMs, networkCode }: Dispute) {
  return {
    evidence_due_at: evidenceDueAtMs ?? null,
    evidence_sent_at: evidenceSentAtMs ?? null,
    network_code: networkCode ?? null,
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
    db.selectFrom("disputes").selectAll().where(areOrders(tenant, ids)).execute(),
  );
  const disputes = rows.map(toKept);
  // An order has one or two disputes, so sorting them here is cheaper than in the database.
  const inOrder = disputes.toSorted(
    (one, other) => one.initiatedAtMs - other.initiatedAtMs || (one.disputeId < other.disputeId ? -1 : 1),
  );
  return Map.groupBy(inOrder, ({ orderId }) => orderId);
}

function toKept(row: Selectable<Schema["disputes"]>): KeptDispute {
  return {
    disputeId: row.dispute_id,
    orderId: row.order_id,
    kind: row.kind as Dispute["kind"],
    status: row.status as Dispute["status"],
    reason: row.reason,
    isFraud: row.is_fraud === 1,
    initiatedAtMs: row.initiated_at,
    seenAtMs: row.seen_at,
    evidenceDueAtMs: row.evidence_due_at ?? undefined,
    evidenceSentAtMs: row.evidence_sent_at ?? undefined,
    networkCode: row.network_code ?? undefined,
  };
}

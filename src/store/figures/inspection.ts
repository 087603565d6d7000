import { sql } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { Action } from "../../order/decision.ts";
import type { StoreContext } from "../context.ts";
import { toChunks } from "../engines/engine.ts";
import type { Database } from "../schema/schema.ts";
import type { OrderState } from "../orders/order-states.ts";
import type { SharedBlock } from "../credits/spending.ts";
import { toBlock } from "../credits/circuits.ts";

/** How the work stands, over all tenants. Counts and codes, no order's content. */
export interface WorkFigures {
  /** Deliveries and orders that were due at {@link InspectionStore.inspectWork}'s `lateMs` and nobody has taken. */
  readonly late: number;
  /** Orders that need an operator, by problem, most frequent first. */
  readonly failed: readonly { readonly problem: string; readonly orders: number }[];
  /** Holds whose deadline has passed. */
  readonly holdsOverdue: number;
  /** Holds whose deadline comes before `soonMs`. */
  readonly holdsExpiring: number;
  /** Deliveries whose last try failed, by error, most frequent first. */
  readonly stuckDeliveries: readonly { readonly problem: string; readonly deliveries: number }[];
  /** Orders received since `sinceMs`, and those of them that were decided without the service. */
  readonly recentOrders: number;
  readonly recentDegraded: number;
  /** When the newest webhook was received; null when none ever was. */
  readonly newestDeliveryAtMs: number | null;
}

/** Moments that {@link WorkFigures} are counted against, in milliseconds since the epoch. */
export interface WorkMoments {
  readonly nowMs: number;
  readonly lateMs: number;
  readonly soonMs: number;
  readonly sinceMs: number;
}

/** How far an order is that somebody waits for. */
export interface OrderProgress {
  readonly orderId: string;
  readonly state: OrderState;
  /** Null until decided. */
  readonly action: Action | null;
}

/** What operators and their commands ask, who have time: these queries may read whole tables. They change nothing. */
export interface InspectionStore {
  inspectWork(moments: WorkMoments): Promise<WorkFigures>;
  /** What holds back calls to the service, in all processes. */
  listCircuits(): Promise<readonly SharedBlock[]>;
  /** Tenants with calls in the ledger since a moment, storefronts too. */
  listSpenders(sinceMs: number): Promise<readonly TenantId[]>;
  /** Those of the orders that are kept, with how far they are. */
  findProgress(tenant: TenantId, orderIds: readonly string[]): Promise<readonly OrderProgress[]>;
}

/** Well below the parameters that a statement takes. */
const IDS_PER_QUERY = 500;

/** Create the {@link InspectionStore} part of a store. */
export function createInspection({ engine }: StoreContext): InspectionStore {
  return {
    inspectWork: (moments) => engine.read((db) => selectFigures(db, moments)),

    async listCircuits() {
      const rows = await engine.read((db) => db.selectFrom("circuits").selectAll().orderBy("name").execute());
      return rows.map(toBlock);
    },

    async listSpenders(sinceMs) {
      const rows = await engine.read((db) =>
        db
          .selectFrom("attempts")
          .select("tenant")
          .distinct()
          .where("started_at", ">=", sinceMs)
          .orderBy("tenant")
          .execute(),
      );
      return rows.map(({ tenant }) => tenant);
    },

    findProgress: (tenant, orderIds) => engine.read((db) => selectProgress(db, tenant, orderIds)),
  };
}

async function selectProgress(
  db: Database,
  tenant: TenantId,
  orderIds: readonly string[],
): Promise<readonly OrderProgress[]> {
  const found: OrderProgress[] = [];
  for (const chunk of toChunks(orderIds, IDS_PER_QUERY)) {
    const rows = await db
      .selectFrom("orders")
      .select(["order_id", "state", "action"])
      .where("tenant", "=", tenant)
      .where("order_id", "in", [...chunk])
      .execute();
    for (const { order_id: orderId, state, action } of rows) {
      found.push({ orderId, state: state as OrderState, action: action as Action | null });
    }
  }
  return found;
}

async function selectFigures(db: Database, moments: WorkMoments): Promise<WorkFigures> {
  const { late, newest } = await selectPending(db, moments.lateMs);
  const holds = await selectHolds(db, moments);
  const recent = await selectRecent(db, moments.sinceMs);
  return {
    late,
    newestDeliveryAtMs: newest,
    failed: await selectFailed(db),
    stuckDeliveries: await selectStuck(db),
    holdsOverdue: holds.overdue,
    holdsExpiring: holds.expiring,
    recentOrders: recent.orders,
    recentDegraded: recent.degraded,
  };
}

async function selectPending(db: Database, lateMs: number) {
  // `ready_at` lies ahead while somebody works, so what is counted was left lying.
  const { rows } = await sql<{ late: number; newest: number | null }>`
    select
      cast((select count(*) from deliveries where ready_at is not null and ready_at <= ${lateMs}) +
           (select count(*) from orders where ready_at is not null and ready_at <= ${lateMs}) as bigint) as late,
      (select max(received_at) from deliveries) as newest`.execute(db);
  return rows[0] ?? { late: 0, newest: null };
}

async function selectFailed(db: Database): Promise<WorkFigures["failed"]> {
  const { rows } = await sql<{ problem: string; orders: number }>`
    select coalesce(problem, 'unknown') as problem, count(*) as orders from orders
    where state = 'failed' group by 1 order by 2 desc, 1`.execute(db);
  return rows;
}

async function selectStuck(db: Database): Promise<WorkFigures["stuckDeliveries"]> {
  const { rows } = await sql<{ problem: string; deliveries: number }>`
    select error as problem, count(*) as deliveries from deliveries
    where ready_at is not null and error is not null group by 1 order by 2 desc, 1`.execute(db);
  return rows;
}

async function selectHolds(db: Database, { nowMs, soonMs }: WorkMoments) {
  const { rows } = await sql<{ overdue: number; expiring: number }>`
    select
      count(case when hold_deadline_at <= ${nowMs} then 1 end) as overdue,
      count(case when hold_deadline_at > ${nowMs} then 1 end) as expiring
    from orders where state = 'review' and hold_deadline_at <= ${soonMs}`.execute(db);
  return rows[0] ?? { overdue: 0, expiring: 0 };
}

async function selectRecent(db: Database, sinceMs: number) {
  // The decision is JSON of our own making, in which quotes inside texts are escaped: this is that member alone.
  const { rows } = await sql<{ orders: number; degraded: number }>`
    select count(*) as orders, count(case when decision like '%"degraded":true%' then 1 end) as degraded
    from orders where received_at >= ${sinceMs}`.execute(db);
  return rows[0] ?? { orders: 0, degraded: 0 };
}

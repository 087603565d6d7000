import { sql } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import type { StoredBlock } from "../credits/attempt.ts";
import { toBlock } from "../credits/circuits.ts";
import { areOrders, inChunks, selectOne } from "../statements.ts";

/** The state of the work over all tenants: counts and codes, no order's content. */
export interface WorkFigures {
  /** Deliveries and orders that were due at `lateMs` and haven't been claimed. */
  readonly late: number;
  /** Orders that need an operator, by problem, most frequent first. */
  readonly failed: readonly { readonly problem: string; readonly orders: number }[];
  readonly holdsOverdue: number;
  /** Holds whose deadline comes before `soonMs`. */
  readonly holdsExpiring: number;
  /** Deliveries whose last try failed, by error, most frequent first. */
  readonly stuckDeliveries: readonly { readonly problem: string; readonly deliveries: number }[];
  /** Orders received since `sinceMs`, and how many of them were decided without the service. */
  readonly recentOrders: number;
  readonly recentDegraded: number;
  /** When the newest webhook was received; null if there was none. */
  readonly newestDeliveryAtMs: number | null;
}

/** The times that {@link WorkFigures} are counted from, in milliseconds since the epoch. */
export interface WorkMoments {
  readonly nowMs: number;
  readonly lateMs: number;
  readonly soonMs: number;
  readonly sinceMs: number;
}

/** Queries for operators' commands. They may take a while, because they read whole tables. They change nothing. */
export interface Inspection {
  inspectWork(moments: WorkMoments): Promise<WorkFigures>;
  /** The blocks of calls to the service, for all processes. */
  listCircuits(): Promise<readonly StoredBlock[]>;
  /** Tenants with calls in the ledger since a moment, including storefronts. */
  listSpenders(sinceMs: number): Promise<readonly TenantId[]>;
  /** Which of the given orders are stored. */
  findKnown(tenant: TenantId, orderIds: readonly string[]): Promise<readonly string[]>;
}

export function createInspection({ engine }: StoreContext): Inspection {
  return {
    inspectWork: (moments) =>
      engine.read(async (db) => ({
        ...(await selectOne(db, countWork(moments))),
        ...(await selectOne(db, countHolds(moments))),
        ...(await selectOne(db, countRecent(moments))),
        failed: (await FAILED.execute(db)).rows,
        stuckDeliveries: (await STUCK.execute(db)).rows,
      })),

    async listCircuits() {
      const rows = await engine.read((db) => db.selectFrom("circuits").selectAll().orderBy("name").execute());
      return rows.map(toBlock);
    },

    async listSpenders(sinceMs) {
      const query = sql<{ tenant: TenantId }>`
        select distinct tenant from attempts where started_at >= ${sinceMs} order by tenant`;
      const { rows } = await engine.read((db) => query.execute(db));
      return rows.map(({ tenant }) => tenant);
    },

    findKnown: (tenant, orderIds) =>
      engine.read((db) =>
        inChunks(orderIds, async (ids) => {
          const rows = db.selectFrom("orders").select("order_id").where(areOrders(tenant, ids));
          return (await rows.execute()).map((row) => row.order_id);
        }),
      ),
  };
}

function countWork({ lateMs }: WorkMoments) {
  // While an order is worked on, its `ready_at` is in the future, so this counts only work that nobody has claimed.
  return sql<Pick<WorkFigures, "late" | "newestDeliveryAtMs">>`
    select
      cast((select count(*) from deliveries where ready_at is not null and ready_at <= ${lateMs}) +
           (select count(*) from orders where ready_at is not null and ready_at <= ${lateMs}) as bigint) as late,
      (select max(received_at) from deliveries) as "newestDeliveryAtMs"`;
}

const FAILED = sql<WorkFigures["failed"][number]>`
  select coalesce(problem, 'unknown') as problem, count(*) as orders from orders
  where state = 'failed' group by 1 order by 2 desc, 1`;

const STUCK = sql<WorkFigures["stuckDeliveries"][number]>`
  select error as problem, count(*) as deliveries from deliveries
  where ready_at is not null and error is not null group by 1 order by 2 desc, 1`;

function countHolds({ nowMs, soonMs }: WorkMoments) {
  return sql<Pick<WorkFigures, "holdsOverdue" | "holdsExpiring">>`
    select
      count(case when hold_deadline_at <= ${nowMs} then 1 end) as "holdsOverdue",
      count(case when hold_deadline_at > ${nowMs} then 1 end) as "holdsExpiring"
    from orders where state = 'review' and hold_deadline_at <= ${soonMs}`;
}

function countRecent({ sinceMs }: WorkMoments) {
  // We write the decision's JSON and escape quotes inside texts, so this matches only that member.
  return sql<Pick<WorkFigures, "recentOrders" | "recentDegraded">>`
    select count(*) as "recentOrders", count(case when decision like '%"degraded":true%' then 1 end) as "recentDegraded"
    from orders where received_at >= ${sinceMs}`;
}

import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { Action } from "../../order/decision.ts";
import type { SkipReason } from "../../order/skip-reasons.ts";
import type { RiskLevel } from "../../order/risk-level.ts";
import type { StoreContext } from "../context.ts";
import { IS_LIVE, IS_MADE_UP, IS_REAL } from "../schema/effects-column.ts";
import { IS_IN_QUEUE } from "../orders/order-rows.ts";
import type { Database } from "../schema/schema.ts";
import { sumSlices, toSlices, type TimeWindow } from "../slices.ts";
import { selectOne } from "../statements.ts";

/** Orders of one day with the same outcome. */
export interface DayTally {
  /** Days since the epoch, in UTC or at the requested `offsetMs`. */
  readonly day: number;
  /** Null if they weren't judged. */
  readonly level: RiskLevel | null;
  /** Null if they weren't decided. */
  readonly action: Action | null;
  /** Decided without the service. */
  readonly degraded: boolean;
  readonly orders: number;
}

/** How long orders took from receipt to their first decision. */
export interface DecisionTimes {
  /** Half of them took at most this long; null without orders. */
  readonly p50Ms: number | null;
  /** 99 of 100 took at most this long; null without orders. */
  readonly p99Ms: number | null;
  /** The number of orders measured. */
  readonly orders: number;
}

/** Orders that wait for a person. */
export interface QueueFigures {
  readonly held: number;
  readonly failed: number;
  /** To be held when the platform is ready. */
  readonly waiting: number;
  /** Held, with a deadline before `soonMs`. */
  readonly expiringSoon: number;
  /** Held past their deadline. */
  readonly overdue: number;
  /** Of all of these, decided without the service. */
  readonly degraded: number;
}

export interface Backlog {
  /** Deliveries and orders that still need work. */
  readonly pending: number;
  readonly oldestReceivedAtMs: number | null;
}

export interface CoverageWindow {
  /** Received after this, milliseconds since the epoch. */
  readonly sinceMs: number;
  /** Received at this moment or before. */
  readonly untilMs: number;
  /** An order decided within this time of its receipt counts as in time. */
  readonly withinMs: number;
}

export interface Coverage {
  /** Canceled, free and test orders don't count, and neither do past orders that were imported. */
  readonly eligible: number;
  readonly decidedInTime: number;
}

/** Skip reasons of orders that don't need to be judged. */
const NOT_ELIGIBLE: readonly SkipReason[] = ["CANCELLED", "IMPORTED", "ZERO_AMOUNT", "TEST_ORDER"];
const DAY_MS = 86_400_000;
/** Enough for a percentile: 100 of them are above the 99th. Sorting them takes a millisecond. */
const MEASURED_ORDERS = 10_000;

/**
 * The counts of a tenant's overview. They leave out sandbox orders, except the queue's counts, because its list shows
 * those too. A signal stops a count between two slices. The count then rejects.
 */
export interface Statistics {
  /**
   * Orders by day, level, action and whether the service answered. Days and kinds without orders are left out.
   * `offsetMs` is the time zone's offset from UTC; default 0.
   */
  tallyDays(
    tenant: TenantId,
    window: TimeWindow & { readonly offsetMs?: number },
    signal?: AbortSignal,
  ): Promise<readonly DayTally[]>;
  /** Orders that arrived in the window, without imported ones and those that Holdfast canceled on the platform. */
  countSold(tenant: TenantId, window: TimeWindow, signal?: AbortSignal): Promise<number>;
  /** Exact over the newest 10,000 decided orders of the window. Orders imported only for the record don't count. */
  decisionTimes(tenant: TenantId, window: TimeWindow, signal?: AbortSignal): Promise<DecisionTimes>;
  queueFigures(
    tenant: TenantId,
    times: { readonly nowMs: number; readonly soonMs: number },
  ): Promise<QueueFigures>;
  /** Whether a real order of the tenant was ever decided, and whether a sandbox order was. */
  findDecided(tenant: TenantId): Promise<{ readonly real: boolean; readonly sandbox: boolean }>;
  /** Unfinished work of a tenant. Default: of all tenants together. */
  backlog(tenant?: TenantId): Promise<Backlog>;
  /** How many orders were decided in time. Without a `tenant` (null), of all tenants together. */
  coverage(tenant: TenantId | null, window: CoverageWindow, signal?: AbortSignal): Promise<Coverage>;
}

export function createStatistics(context: StoreContext): Statistics {
  const { engine } = context;
  return {
    async tallyDays(tenant, { offsetMs = 0, ...window }, signal) {
      const tallies = new Map<string, DayTally>();
      for await (const slice of toSlices(context, { table: "orders", tenant, ...window, signal })) {
        for (const tally of await engine.read((db) => selectDays(db, tenant, slice, offsetMs))) {
          const { day, level, action, degraded } = tally;
          const kind = [day, level, action, degraded].join();
          tallies.set(kind, { ...tally, orders: tally.orders + (tallies.get(kind)?.orders ?? 0) });
        }
      }
      return [...tallies.values()];
    },
    async countSold(tenant, window, signal) {
      const counted = await sumSlices(context, { table: "orders", tenant, ...window, signal }, (slice) =>
        selectSold(tenant, slice),
      );
      return counted.sold ?? 0;
    },
    async decisionTimes(tenant, window, signal) {
      const times: number[] = [];
      const scan = { table: "orders", tenant, ...window, newestFirst: true, signal } as const;
      for await (const slice of toSlices(context, scan)) {
        const limit = MEASURED_ORDERS - times.length;
        times.push(...(await engine.read((db) => selectTimes(db, tenant, slice, limit))));
        if (times.length >= MEASURED_ORDERS) break;
      }
      return toDecisionTimes(times);
    },
    queueFigures(tenant, { nowMs, soonMs }) {
      const query = sql<QueueFigures>`
        select
          count(case when state = 'review' then 1 end) as held,
          count(case when state = 'failed' then 1 end) as failed,
          count(case when state = 'waiting' then 1 end) as waiting,
          count(case when state = 'review' and hold_deadline_at > ${nowMs} and hold_deadline_at <= ${soonMs}
            then 1 end) as "expiringSoon",
          count(case when state = 'review' and hold_deadline_at <= ${nowMs} then 1 end) as overdue,
          count(case when degraded = 1 then 1 end) as degraded
        from orders
        where tenant = ${tenant} and ${IS_IN_QUEUE}`;
      return engine.read((db) => selectOne(db, query));
    },
    findDecided: (tenant) => engine.read((db) => selectDecided(db, tenant)),
    backlog: (tenant) => engine.read((db) => selectBacklog(db, tenant)),
    async coverage(tenant, { sinceMs, untilMs, withinMs }, signal) {
      // The index lists all tenants' orders by age, so this reads other tenants' rows too.
      const window = { sinceMs: sinceMs + 1, untilMs: untilMs + 1, ofAll: true, signal };
      const counted = await sumSlices(context, { table: "orders", tenant, ...window }, (slice) =>
        selectCoverage(tenant, slice, withinMs),
      );
      const { decided = 0, in_time: decidedInTime = 0, undecided = 0 } = counted;
      return { eligible: decided + undecided, decidedInTime };
    },
  };
}

/** The index `orders_statistics` answers this query and the next one without reading rows. */
async function selectDays(
  db: Database,
  tenant: TenantId,
  { sinceMs, untilMs }: TimeWindow,
  offsetMs: number,
): Promise<readonly DayTally[]> {
  const { rows } = await sql<Omit<DayTally, "degraded"> & { degraded: number }>`
    select (received_at + ${sql.lit(offsetMs)}) / ${sql.lit(DAY_MS)} as day, risk_level as level, action, degraded, count(*) as orders
    from orders
    where tenant = ${tenant} and received_at >= ${sinceMs} and received_at < ${untilMs}
      and ${IS_REAL}
    group by 1, 2, 3, 4 order by 1`.execute(db);
  return rows.map((row) => ({ ...row, degraded: row.degraded === 1 }));
}

/** A cancel that was only decided, as in shadow mode or after shipping, is still a sale. */
function selectSold(tenant: TenantId, { sinceMs, untilMs }: TimeWindow): RawBuilder<{ sold: number }> {
  return sql<{ sold: number }>`
    select count(*) - count(case when action = 'cancel' and exists (
      select 1 from order_steps where order_steps.tenant = orders.tenant and order_steps.order_id = orders.order_id
        and order_steps.step = 'cancel' and order_steps.state = 'done') then 1 end) as sold
    from orders
    where tenant = ${tenant} and received_at >= ${sinceMs} and received_at < ${untilMs} and ${IS_LIVE}`;
}

async function selectTimes(db: Database, tenant: TenantId, { sinceMs, untilMs }: TimeWindow, limit: number) {
  // Every decided order has an action. Asking for it keeps Postgres from the index by age, which lists other tenants' orders too.
  const { rows } = await sql<{ took: number }>`
    select first_decided_at - received_at as took from orders
    where tenant = ${tenant} and received_at >= ${sinceMs} and received_at < ${untilMs}
      and ${IS_LIVE} and first_decided_at is not null and action is not null
    order by received_at desc limit ${limit}`.execute(db);
  return rows.map(({ took }) => took);
}

function toDecisionTimes(times: readonly number[]): DecisionTimes {
  const sorted = Float64Array.from(times).toSorted();
  const toMs = (percent: number) => {
    const took = sorted[Math.ceil((sorted.length * percent) / 100) - 1];
    // If the clock was set back between receipt and decision, the time must not be negative.
    return took === undefined ? null : Math.max(0, took);
  };
  return { p50Ms: toMs(50), p99Ms: toMs(99), orders: sorted.length };
}

async function selectDecided(db: Database, tenant: TenantId) {
  const query = sql<{ real: number; sandbox: number }>`
    select
      (select count(*) from (select 1 from orders where tenant = ${tenant} and ${IS_REAL}
        and first_decided_at is not null order by received_at desc limit 1) as any_real) as real,
      (select count(*) from (select 1 from orders where tenant = ${tenant} and ${IS_MADE_UP}
        and first_decided_at is not null limit 1) as any_sandbox) as sandbox`;
  const { real, sandbox } = await selectOne(db, query);
  return { real: real > 0, sandbox: sandbox > 0 };
}

function selectBacklog(db: Database, tenant: TenantId | undefined): Promise<Backlog> {
  const ofTenant = tenant === undefined ? sql`` : sql`and tenant = ${tenant}`;
  const query = sql<Backlog>`
    select cast(sum(pending) as bigint) as pending, min(oldest) as "oldestReceivedAtMs" from (
      select count(*) as pending, min(received_at) as oldest from deliveries where ready_at is not null ${ofTenant}
      union all
      select count(*), min(received_at) from orders
      where state in ('received', 'screening', 'decided', 'enforcing', 'waiting') ${ofTenant}) as work`;
  return selectOne(db, query);
}

interface CoverageRow {
  readonly decided: number;
  readonly in_time: number;
  readonly undecided: number;
}

/**
 * Nearly all orders are decided, and the index alone counts them. Only the others' rows are read. An order that was
 * settled without a decision was canceled, or its shop uninstalled the app.
 */
function selectCoverage(tenant: string | null, slice: TimeWindow, withinMs: number): RawBuilder<CoverageRow> {
  return sql<CoverageRow>`
    select
      count(*) as decided,
      count(case when first_decided_at <= received_at + ${withinMs} then 1 end) as in_time,
      (select count(*) from orders where ${isConcerned(tenant, slice)} and first_decided_at is null
       and state <> 'settled') as undecided
    from orders where ${isConcerned(tenant, slice)} and first_decided_at is not null`;
}

function isConcerned(tenant: string | null, { sinceMs, untilMs }: TimeWindow): RawBuilder<SqlBool> {
  const reasons = sql.join(NOT_ELIGIBLE);
  const ofTenant = tenant === null ? sql`` : sql`and tenant = ${tenant}`;
  return sql<SqlBool>`received_at >= ${sinceMs} and received_at < ${untilMs} ${ofTenant} and ${IS_LIVE}
    and (skip_reason is null or skip_reason not in (${reasons}))`;
}

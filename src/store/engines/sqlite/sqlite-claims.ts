import { sql, type RawBuilder } from "kysely";
import type { DueKey, WorkTable } from "../engine.ts";
import type { Database } from "../../schema/schema.ts";
import type { ClaimShares } from "../../deliveries/delivery-store.ts";

const ID_COLUMNS = { deliveries: "delivery_id", orders: "order_id" } as const satisfies Record<
  WorkTable,
  string
>;

/**
 * Up to this many times the limit, the due rows themselves say which tenants have work. Past it there is a backlog,
 * and the tenants are found by skipping from one to the next in the index, so that no claim reads the whole backlog.
 */
const BACKLOG_FACTOR = 8;

/**
 * Keys of due rows, fair between tenants. Reads at most a few index entries per tenant that has unfinished work, and
 * `limit` per tenant that gets a turn, however long the backlog.
 */
export async function selectDueRows(
  db: Database,
  table: WorkTable,
  nowMs: number,
  limit: number,
  shares: ClaimShares = { each: limit, left: new Map() },
): Promise<readonly DueKey[]> {
  if (limit <= 0) return [];
  const window = limit * BACKLOG_FACTOR;
  const due = await countDue(db, table, nowMs, window);
  if (due === 0) return [];
  const tenants = due < window ? tenantsOfDueRows(table, nowMs) : tenantsByIndex(table);
  const { rows } = await dueKeys(table, tenants, nowMs, limit, shares).execute(db);
  return rows;
}

async function countDue(db: Database, table: WorkTable, nowMs: number, atMost: number): Promise<number> {
  const { rows } = await sql<{ due: number }>`
    select count(*) as due
    from (select 1 from ${sql.table(table)} where ready_at <= ${nowMs} limit ${atMost})`.execute(db);
  return rows[0]?.due ?? 0;
}

function tenantsOfDueRows(table: WorkTable, nowMs: number): RawBuilder<unknown> {
  return sql`select distinct tenant from ${sql.table(table)} where ready_at <= ${nowMs}`;
}

/** A loose index scan: SQLite has none of its own, so recursion asks for the next tenant after the last one. */
function tenantsByIndex(table: WorkTable): RawBuilder<unknown> {
  const from = sql.table(table);
  return sql`
    select min(tenant) from ${from} where ready_at is not null
    union all
    select (select min(later.tenant) from ${from} as later
            where later.ready_at is not null and later.tenant > busy.tenant)
    from busy where busy.tenant is not null`;
}

function dueKeys(
  table: WorkTable,
  tenants: RawBuilder<unknown>,
  nowMs: number,
  limit: number,
  { each, left }: ClaimShares,
): RawBuilder<DueKey> {
  const leftOf = JSON.stringify(Object.fromEntries(left));
  const from = sql.table(table);
  const id = sql.ref(ID_COLUMNS[table]);
  // The first `limit` tenants by their oldest row are enough: each gets a turn before any gets a second. For the same
  // reason no tenant gets more than what the first turns of the others leave of the limit.
  return sql<DueKey>`
    with recursive busy(tenant) as (${tenants}),
    shares as materialized (select key as tenant, value as rows from json_each(${leftOf})),
    heads as materialized (
      select busy.tenant, (select min(head.ready_at) from ${from} as head
                           where head.tenant = busy.tenant and head.ready_at <= ${nowMs}) as ready_at
      from busy where busy.tenant is not null
        and not exists (select 1 from shares where shares.tenant = busy.tenant and shares.rows <= 0)
      order by ready_at nulls last limit ${limit}),
    turns as (
      select work.tenant, work.${id} as id, work.ready_at,
             row_number() over (partition by work.tenant order by work.ready_at, work.${id}) as turn
      from heads cross join ${from} as work
      where heads.ready_at is not null and work.tenant = heads.tenant and work.${id} in (
        select first.${id} from ${from} as first
        where first.tenant = heads.tenant and first.ready_at <= ${nowMs}
        order by first.ready_at limit (select ${limit} + 1 - count(*) from heads where ready_at is not null)))
    select tenant, id from turns
    where turn <= coalesce((select rows from shares where shares.tenant = turns.tenant), ${each})
    order by turn, ready_at, tenant limit ${limit}`;
}

import { sql } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { Database, Schema } from "../schema/schema.ts";
import type { SourceHistory } from "./attempt.ts";
import { IS_LIVE } from "../schema/effects-column.ts";
import { LINK_COLUMNS } from "../schema/link-columns.ts";

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
const WEEK_MS = 7 * DAY_MS;
/** Links between orders are erased with their content, after 30 days unless a shop keeps it for less. */
const WEEKS = 4;
/** In so many of these weeks an hour must have been this busy. So one sale, one import or one attack isn't usual. */
const USUAL_WEEKS = 3;
/** The newest orders of a week that are read: enough for its busiest hour, at a limited cost. */
const MOST_READ = 1_000;
/**
 * How much more than usual isn't a flood: the busiest hours of a sale have about three times the orders of an ordinary week's. A
 * higher factor would let more of an attack through that hides behind a shared address.
 */
const FACTOR = 3;
/** However much is usual, a source never gets more than so many times the policy's limit. */
const MOST_TIMES = 10;

/** What a source usually sends, and for which day that was looked up. */
type UsualRate = Pick<Schema["attempt_sources"], "usual" | "usual_day">;

/** How many orders an hour a source may send before it is braked. */
export function toOwnLimit(limit: number, usual: number | null = null): number {
  return Math.max(limit, Math.min((usual ?? 0) * FACTOR, limit * MOST_TIMES));
}

/** What is known for the day of an order, by source. */
export function toUsualRates(
  rows: readonly (UsualRate & { readonly source: string })[],
  atMs: number,
): Map<string, UsualRate> {
  const known = rows.filter(({ usual_day: dayMs }) => dayMs !== null && dayMs >= toDayMs(atMs));
  return new Map(known.map(({ source, usual, usual_day: dayMs }) => [source, { usual, usual_day: dayMs }]));
}

function toDayMs(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}

/**
 * How many orders the tenant gets from a source in a busy hour, in at least three of the last four weeks; 0 if it doesn't. Only
 * orders of earlier days count that were let through or that a person approved, and that weren't canceled, refunded or disputed
 * since. So an attacker raises the limit of a source only with weeks of orders that nobody objects to, and then only to a
 * multiple of their number. Who placed the orders doesn't matter, because bots make up people.
 */
export async function readUsualRate(
  db: Database,
  tenant: TenantId,
  history: SourceHistory | undefined,
  atMs: number,
): Promise<UsualRate> {
  const dayMs = toDayMs(atMs);
  if (history === undefined) return { usual: 0, usual_day: dayMs };
  const busiest: number[] = [];
  for (let week = 0; week < WEEKS; week += 1) {
    busiest.push(await readBusiest(db, tenant, history, dayMs - week * WEEK_MS));
  }
  const usual = busiest.toSorted((a, b) => b - a)[USUAL_WEEKS - 1] ?? 0;
  return { usual, usual_day: dayMs };
}

const SPOILED = ["cancelled-on-platform", "cancel-done", "refunded"];

/**
 * The number of orders in the busiest hour of the week that ends at a moment. It counts what became of each order instead of using
 * `not exists`, for which Postgres would read the whole timeline of all tenants.
 */
async function readBusiest(db: Database, tenant: TenantId, history: SourceHistory, untilMs: number) {
  const isOfSource =
    history.by === "relayed"
      ? sql`relayed = 1`
      : sql`${sql.ref(LINK_COLUMNS[history.by])} = ${history.digest}`;
  const query = sql<{ readonly orders: number }>`
    select count(*) as orders from (
      select order_id, received_at, state, action, effects from orders
      where tenant = ${tenant} and ${isOfSource}
        and received_at >= ${untilMs - WEEK_MS} and received_at < ${untilMs}
      order by received_at desc limit ${MOST_READ}) as newest
    where state = 'settled' and action in ('allow', 'tag') and ${IS_LIVE}
      and (select count(*) from disputes
        where disputes.tenant = ${tenant} and disputes.order_id = newest.order_id) = 0
      and (select count(*) from order_timeline
        where order_timeline.tenant = ${tenant} and order_timeline.order_id = newest.order_id
          and order_timeline.kind in (${sql.join(SPOILED)})) = 0
    group by received_at / ${sql.lit(HOUR_MS)} order by orders desc limit 1`;
  return (await query.execute(db)).rows[0]?.orders ?? 0;
}

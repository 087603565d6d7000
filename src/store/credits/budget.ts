import { sql } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import { IS_LIVE } from "../schema/effects-column.ts";
import { IS_SPENT } from "../schema/credit-days.ts";
import { sumSlices, type TimeWindow } from "../slices.ts";
import type { Database } from "../schema/schema.ts";
import type { AttemptGrant, AttemptRequest, BudgetPeriods, CreditUse } from "./attempt.ts";
import { selectOne } from "../statements.ts";

export async function readCreditUse(
  { engine }: StoreContext,
  tenant: TenantId,
  { dayStartMs, monthStartMs }: BudgetPeriods,
): Promise<CreditUse> {
  const query = sql<{ reason: string; saved: number }>`
    select reason, cast(sum(saved) as bigint) as saved from savings
    where tenant = ${tenant} and hour_at >= ${monthStartMs} group by reason order by reason`;
  return engine.read(async (db) => {
    const { rows: saved } = await query.execute(db);
    return {
      spentToday: await sumSpent(db, tenant, dayStartMs),
      spentMonth: await sumSpent(db, tenant, Math.min(dayStartMs, monthStartMs)),
      savedMonth: saved.reduce((sum, row) => sum + row.saved, 0),
      savedByReason: Object.fromEntries(saved.map((row) => [row.reason, row.saved])),
    };
  });
}

/** Credits spent since the beginning of a UTC day, in at most as many rows as days. */
async function sumSpent(db: Database, tenant: TenantId, sinceMs: number): Promise<number> {
  const summing = sql<{ spent: number }>`
    select cast(coalesce(sum(spent), 0) as bigint) as spent from credit_days
    where tenant = ${tenant} and day_at >= ${sinceMs}`;
  return (await selectOne(db, summing)).spent;
}

/** Credits spent in any window of time, counted call by call. The signal stops the count between two slices. */
export async function countSpent(
  context: StoreContext,
  tenant: TenantId,
  window: TimeWindow,
  signal?: AbortSignal,
): Promise<number> {
  const scan = { table: "attempts", tenant, ...window, signal } as const;
  const { spent = 0 } = await sumSlices(
    context,
    scan,
    ({ sinceMs, untilMs }) => sql<{ spent: number }>`
      select count(*) as spent from attempts
      where tenant = ${tenant} and started_at >= ${sinceMs} and started_at < ${untilMs} and ${sql.raw(IS_SPENT)}`,
  );
  return spent;
}

/** The cap that leaves no credit for this order: it is used up, or the rest is reserved for orders with more at risk. */
export async function findSpentCap(db: Database, request: AttemptRequest): Promise<AttemptGrant | undefined> {
  const { daily, monthly, dayStartMs, monthStartMs } = request.budget;
  const ofDay = daily === null ? "free" : await judgeCap(db, request, dayStartMs, daily);
  if (ofDay !== "free") return { outcome: "over-budget", cap: "daily", outbid: ofDay === "outbid" };
  const ofMonth = monthly === null ? "free" : await judgeCap(db, request, monthStartMs, monthly);
  if (ofMonth !== "free") return { outcome: "over-budget", cap: "monthly", outbid: ofMonth === "outbid" };
  return undefined;
}

/** With this many credits left or fewer, the orders with the most at risk get them. */
const SHORT_BELOW = 100;

/** Orders that come due later than this don't compete for a credit now. */
const WAITING_MS = 60_000;

async function judgeCap(db: Database, request: AttemptRequest, sinceMs: number, cap: number) {
  const left = cap - (await sumSpent(db, request.tenant, sinceMs));
  if (left <= 0) return "spent";
  return left < SHORT_BELOW && (await countDearer(db, request, left)) >= left ? "outbid" : "free";
}

/** How many orders of a larger amount wait for their first call now, counted up to `limit`. */
async function countDearer(
  db: Database,
  { tenant, orderId, amount, currency, nowMs }: AttemptRequest,
  limit: number,
): Promise<number> {
  if (orderId === undefined || amount === undefined || currency === undefined) return 0;
  const counting = sql<{ dearer: number }>`
    select count(*) as dearer from (
      select 1 from orders
      where is_look = 0 and tenant = ${tenant} and ready_at <= ${nowMs + WAITING_MS} and state in ('received', 'screening')
        and amount > ${amount} and currency = ${currency} and ${IS_LIVE} and order_id <> ${orderId}
        and not exists (select 1 from attempts where attempts.tenant = orders.tenant and attempts.order_id = orders.order_id)
      limit ${limit}) as waiting`;
  return (await selectOne(db, counting)).dearer;
}

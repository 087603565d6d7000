import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import { sumSlices, type TimeWindow } from "../figures/slices.ts";
import type { Database } from "../schema/schema.ts";
import type { AttemptGrant, AttemptRequest, BudgetPeriods, CreditUse } from "./attempt.ts";
import { selectOne } from "../statements.ts";

export async function readCreditUse(
  context: StoreContext,
  tenant: TenantId,
  { dayStartMs, monthStartMs }: BudgetPeriods,
): Promise<CreditUse> {
  const { engine } = context;
  // The day is counted on its own, because a slice ends where it begins.
  const before = await countSpent(context, tenant, { sinceMs: monthStartMs, untilMs: dayStartMs });
  const spentToday = await countSpent(context, tenant, {
    sinceMs: dayStartMs,
    untilMs: Number.MAX_SAFE_INTEGER,
  });
  const query = sql<{ reason: string; saved: number }>`
    select reason, cast(sum(saved) as bigint) as saved from savings
    where tenant = ${tenant} and hour_at >= ${monthStartMs} group by reason order by reason`;
  const { rows: saved } = await engine.read((db) => query.execute(db));
  return {
    spentToday,
    spentMonth: before + spentToday,
    savedMonth: saved.reduce((sum, row) => sum + row.saved, 0),
    savedByReason: Object.fromEntries(saved.map((row) => [row.reason, row.saved])),
  };
}

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
      where tenant = ${tenant} and started_at >= ${sinceMs} and started_at < ${untilMs} and ${isSpent()}`,
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
  // Stop counting at the cap.
  const counting = sql<{ spent: number }>`
    select count(*) as spent from (
      select 1 from attempts where tenant = ${request.tenant} and started_at >= ${sinceMs} and ${isSpent()}
      limit ${cap}) as spending`;
  const left = cap - (await selectOne(db, counting)).spent;
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
      where tenant = ${tenant} and ready_at <= ${nowMs + WAITING_MS} and state in ('received', 'screening')
        and amount > ${amount} and currency = ${currency} and record_only = 0 and order_id <> ${orderId}
        and not exists (select 1 from attempts where attempts.tenant = orders.tenant and attempts.order_id = orders.order_id)
      limit ${limit}) as waiting`;
  return (await selectOne(db, counting)).dearer;
}

/** Every call counts unless it is known not to have been billed. An open call counts until it has ended. */
function isSpent(): RawBuilder<SqlBool> {
  return sql<SqlBool>`(state <> 'failed' or metered <> 'no')`;
}

import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Database } from "../schema/schema.ts";
import type { AttemptGrant, AttemptRequest, CreditUse } from "./spending.ts";

/** What a tenant spent and saved, from the ledger alone. */
export async function selectCreditUse(
  db: Database,
  tenant: string,
  { dayStartMs, monthStartMs }: { readonly dayStartMs: number; readonly monthStartMs: number },
): Promise<CreditUse> {
  const { rows } = await sql<{ spentToday: number; spentMonth: number }>`
    select
      (select count(*) from attempts
       where tenant = ${tenant} and started_at >= ${dayStartMs} and ${isSpent()}) as "spentToday",
      (select count(*) from attempts
       where tenant = ${tenant} and started_at >= ${monthStartMs} and ${isSpent()}) as "spentMonth"`.execute(
    db,
  );
  const saved = await db
    .selectFrom("savings")
    .select((eb) => ["reason", eb.cast<number>(eb.fn.sum("saved"), "bigint").as("saved")])
    .where("tenant", "=", tenant)
    .where("hour_at", ">=", monthStartMs)
    .groupBy("reason")
    .orderBy("reason")
    .execute();
  const { spentToday = 0, spentMonth = 0 } = rows[0] ?? {};
  return {
    spentToday,
    spentMonth,
    savedMonth: saved.reduce((sum, row) => sum + row.saved, 0),
    savedByReason: Object.fromEntries(saved.map((row) => [row.reason, row.saved])),
  };
}

/** The cap that leaves no credit for this order: it is spent, or what is left of it is for orders that risk more. */
export async function findSpentCap(db: Database, request: AttemptRequest): Promise<AttemptGrant | undefined> {
  const { daily, monthly, dayStartMs, monthStartMs } = request.budget;
  const ofDay = daily === null ? "free" : await judgeCap(db, request, dayStartMs, daily);
  if (ofDay !== "free") return { outcome: "over-budget", cap: "daily", outbid: ofDay === "outbid" };
  const ofMonth = monthly === null ? "free" : await judgeCap(db, request, monthStartMs, monthly);
  if (ofMonth !== "free") return { outcome: "over-budget", cap: "monthly", outbid: ofMonth === "outbid" };
  return undefined;
}

/** From so few credits on it matters which orders get them. */
const SHORT_BELOW = 100;

/** Orders that come due later than this do not wait for a credit now. */
const WAITING_MS = 60_000;

async function judgeCap(
  db: Database,
  request: AttemptRequest,
  sinceMs: number,
  cap: number,
): Promise<"free" | "outbid" | "spent"> {
  // Counting stops at the cap.
  const { rows } = await sql<{ spent: number }>`
    select count(*) as spent from (
      select 1 from attempts where tenant = ${request.tenant} and started_at >= ${sinceMs} and ${isSpent()}
      limit ${cap}) as spending`.execute(db);
  const left = cap - (rows[0]?.spent ?? 0);
  if (left <= 0) return "spent";
  return left < SHORT_BELOW && (await countDearer(db, request, left)) >= left ? "outbid" : "free";
}

/** Orders of a larger amount that wait for their first call now, counted up to `limit`. */
async function countDearer(
  db: Database,
  { tenant, orderId, amount, currency, nowMs }: AttemptRequest,
  limit: number,
): Promise<number> {
  if (orderId === undefined || amount === undefined || currency === undefined) return 0;
  const { rows } = await sql<{ dearer: number }>`
    select count(*) as dearer from (
      select 1 from orders
      where tenant = ${tenant} and ready_at <= ${nowMs + WAITING_MS} and state in ('received', 'screening')
        and amount > ${amount} and currency = ${currency} and record_only = 0 and order_id <> ${orderId}
        and not exists (select 1 from attempts where attempts.tenant = orders.tenant and attempts.order_id = orders.order_id)
      limit ${limit}) as waiting`.execute(db);
  return rows[0]?.dearer ?? 0;
}

/** Everything but a call that is known not to have been billed. An open call counts until it has ended. */
function isSpent(): RawBuilder<SqlBool> {
  return sql<SqlBool>`(state <> 'failed' or metered <> 'no')`;
}

import { randomUUID } from "node:crypto";
import { sql, type RawBuilder, type Selectable, type SqlBool } from "kysely";
import type { VerificationResult } from "../verification/result.ts";
import type { StoreContext } from "./kysely-store.ts";
import type { AttemptsTable, Database } from "./schema.ts";
import type { Place, Sealer } from "./sealing.ts";
import type {
  AttemptEnd,
  AttemptGrant,
  AttemptRequest,
  CreditUse,
  KeptAnswer,
  ScreeningStore,
} from "./store.ts";

const HOUR_MS = 3_600_000;

/** Name of the units that look at a tenant's ledger as a whole: calls begin one by one, since they share a budget. */
export function toLedgerName(tenant: string): string {
  return `ledger:${tenant}`;
}

interface EndedAttempt {
  readonly tenant: string;
  readonly fingerprint: string;
  readonly order_id: string | null;
  readonly started_at: number;
  readonly erased: number;
}

/** The ledger of calls to the service, the kept answers, and what was saved. */
export function createScreeningStore({ engine, sealer }: StoreContext): ScreeningStore {
  return {
    findAnswer: (tenant, fingerprint, sinceMs) =>
      engine.read((db) => selectAnswer(db, sealer, { tenant, fingerprint, sinceMs })),

    beginAttempt: (request) =>
      engine.write((db) => beginAttempt(db, sealer, request), { alone: toLedgerName(request.tenant) }),

    async finishAttempt(attemptId, end, nowMs) {
      await engine.write(async (db) => {
        const attempt = await endAttempt(db, attemptId, end, nowMs);
        if (attempt === undefined || end.state !== "answered" || attempt.erased === 1) return;
        await keepAnswer(db, sealer, attempt, { result: end.result, answeredAtMs: nowMs });
      });
    },

    async recordSaving(tenant, reason, count, nowMs) {
      const hourAt = nowMs - (nowMs % HOUR_MS);
      await engine.write((db) =>
        db
          .insertInto("savings")
          .values({ tenant, reason, hour_at: hourAt, saved: count })
          .onConflict((conflict) =>
            conflict
              .columns(["tenant", "hour_at", "reason"])
              .doUpdateSet({ saved: sql`savings.saved + ${count}` }),
          )
          .execute(),
      );
    },

    creditUse: (tenant, periods) => engine.read((db) => selectCreditUse(db, tenant, periods)),
  };
}

async function beginAttempt(db: Database, sealer: Sealer, request: AttemptRequest): Promise<AttemptGrant> {
  const { tenant, fingerprint, answersSinceMs: sinceMs } = request;
  await giveUpLostAttempts(db, request);
  // Before the answer, because finishing is not kept waiting: a call that ends between these two statements is seen
  // open here or answered there. The other way round it could be seen as neither, and be paid for again.
  const attempts = await selectAttempts(db, request);
  const answer = await selectAnswer(db, sealer, { tenant, fingerprint, sinceMs });
  if (answer !== null) return { outcome: "answered", answer };
  return (await findObstacle(db, request, attempts)) ?? insertAttempt(db, request);
}

async function selectAnswer(
  db: Database,
  sealer: Sealer,
  key: { readonly tenant: string; readonly fingerprint: string; readonly sinceMs: number },
): Promise<KeptAnswer | null> {
  const { tenant, fingerprint, sinceMs } = key;
  const row = await db
    .selectFrom("answers")
    .select(["result", "answered_at"])
    .where("tenant", "=", tenant)
    .where("fingerprint", "=", fingerprint)
    .where("answered_at", ">", sinceMs)
    .executeTakeFirst();
  if (row === undefined) return null;
  const result = sealer.openJson(placeOfAnswer(tenant, fingerprint), row.result) as VerificationResult;
  return { result, answeredAtMs: row.answered_at };
}

async function keepAnswer(
  db: Database,
  sealer: Sealer,
  attempt: EndedAttempt,
  { result, answeredAtMs }: KeptAnswer,
): Promise<void> {
  const { tenant, fingerprint } = attempt;
  const answer = {
    order_id: attempt.order_id,
    result: sealer.sealJson(placeOfAnswer(tenant, fingerprint), result),
    asked_at: attempt.started_at,
    answered_at: answeredAtMs,
  };
  await db
    .insertInto("answers")
    .values({ tenant, fingerprint, ...answer })
    .onConflict((conflict) =>
      conflict
        .columns(["tenant", "fingerprint"])
        .doUpdateSet(answer)
        // A late answer to an older question must not contradict the decision that the newer one led to.
        .where("answers.asked_at", "<=", attempt.started_at),
    )
    .execute();
}

async function selectCreditUse(
  db: Database,
  tenant: string,
  { dayStartMs, monthStartMs }: { readonly dayStartMs: number; readonly monthStartMs: number },
): Promise<CreditUse> {
  const { rows } = await sql<CreditUse>`
    select
      (select count(*) from attempts
       where tenant = ${tenant} and started_at >= ${dayStartMs} and ${isSpent()}) as "spentToday",
      (select count(*) from attempts
       where tenant = ${tenant} and started_at >= ${monthStartMs} and ${isSpent()}) as "spentMonth",
      (select coalesce(sum(saved), 0) from savings
       where tenant = ${tenant} and hour_at >= ${monthStartMs}) as "savedMonth"`.execute(db);
  const { spentToday = 0, spentMonth = 0, savedMonth = 0 } = rows[0] ?? {};
  return { spentToday, spentMonth, savedMonth };
}

/** Where a kept answer is sealed for. */
function placeOfAnswer(tenant: string, fingerprint: string): Place {
  return { tenant, table: "answers", column: "result", row: fingerprint };
}

/** Everything but a call that is known not to have been billed. An open call counts until it has ended. */
function isSpent(): RawBuilder<SqlBool> {
  return sql<SqlBool>`(state <> 'failed' or metered <> 'no')`;
}

async function giveUpLostAttempts(db: Database, request: AttemptRequest): Promise<void> {
  await db
    .updateTable("attempts")
    .set({ state: "unknown" })
    .where("tenant", "=", request.tenant)
    .where("fingerprint", "=", request.fingerprint)
    .where("state", "=", "sent")
    .where("lease_until", "<=", request.nowMs)
    .execute();
}

type SpentAttempt = Pick<Selectable<AttemptsTable>, "state" | "lease_until">;

/** Calls for the fingerprint that are open, or count as paid. */
function selectAttempts(db: Database, request: AttemptRequest): Promise<readonly SpentAttempt[]> {
  return (
    db
      .selectFrom("attempts")
      .select(["state", "lease_until"])
      .where("tenant", "=", request.tenant)
      .where("fingerprint", "=", request.fingerprint)
      .where(isSpent())
      // Attempts age like answers: the same basket a week later, or a recheck on purpose, is a new question.
      .where((eb) => eb.or([eb("state", "=", "sent"), eb("started_at", ">", request.answersSinceMs)]))
      .execute()
  );
}

/** Why there is no attempt to be had: somebody is asking, it was tried often enough, or the budget is spent. */
async function findObstacle(
  db: Database,
  request: AttemptRequest,
  attempts: readonly SpentAttempt[],
): Promise<AttemptGrant | undefined> {
  const open = attempts.find((attempt) => attempt.state === "sent");
  if (open !== undefined) return { outcome: "busy", leaseUntilMs: open.lease_until };
  if (attempts.length >= request.maxPaidAttempts) return { outcome: "exhausted" };
  const cap = await findSpentCap(db, request);
  return cap === undefined ? undefined : { outcome: "over-budget", cap };
}

async function findSpentCap(
  db: Database,
  { tenant, budget }: AttemptRequest,
): Promise<"daily" | "monthly" | undefined> {
  const { daily, monthly, dayStartMs, monthStartMs } = budget;
  if (daily !== null && (await isSpentUp(db, tenant, dayStartMs, daily))) return "daily";
  if (monthly !== null && (await isSpentUp(db, tenant, monthStartMs, monthly))) return "monthly";
  return undefined;
}

async function isSpentUp(db: Database, tenant: string, sinceMs: number, cap: number): Promise<boolean> {
  // Counting stops at the cap.
  const { rows } = await sql<{ spent: number }>`
    select count(*) as spent from (
      select 1 from attempts where tenant = ${tenant} and started_at >= ${sinceMs} and ${isSpent()}
      limit ${cap}) as spending`.execute(db);
  return (rows[0]?.spent ?? 0) >= cap;
}

/** Whether the order was erased before its call began: then the answer is not kept. */
async function isErased(db: Database, { tenant, orderId }: AttemptRequest): Promise<boolean> {
  if (orderId === undefined) return false;
  const order = await db
    .selectFrom("orders")
    .select("erased_at")
    .where("tenant", "=", tenant)
    .where("order_id", "=", orderId)
    .executeTakeFirst();
  return order !== undefined && order.erased_at !== null;
}

async function insertAttempt(db: Database, request: AttemptRequest): Promise<AttemptGrant> {
  const attemptId = randomUUID();
  await db
    .insertInto("attempts")
    .values({
      attempt_id: attemptId,
      tenant: request.tenant,
      fingerprint: request.fingerprint,
      order_id: request.orderId ?? null,
      owner: request.owner,
      state: "sent",
      started_at: request.nowMs,
      lease_until: request.nowMs + request.leaseMs,
      erased: (await isErased(db, request)) ? 1 : 0,
    })
    .execute();
  return { outcome: "granted", attemptId };
}

/** The attempt as it was; undefined when it had been ended before. One that was given up for lost may still end. */
function endAttempt(
  db: Database,
  attemptId: string,
  end: AttemptEnd,
  nowMs: number,
): Promise<EndedAttempt | undefined> {
  const outcome =
    end.state === "answered"
      ? ({ state: "answered", metered: "yes" } as const)
      : ({
          state: end.metered === "unknown" ? "unknown" : "failed",
          metered: end.metered,
          error: end.error,
        } as const);
  return db
    .updateTable("attempts")
    .set({ ...outcome, ended_at: nowMs })
    .where("attempt_id", "=", attemptId)
    .where("ended_at", "is", null)
    .returning(["tenant", "fingerprint", "order_id", "started_at", "erased"])
    .executeTakeFirst();
}

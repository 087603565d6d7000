import { randomUUID } from "node:crypto";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { VerificationResult } from "../../order/result.ts";
import type { TenantId } from "../../platform/platform.ts";
import { findAttemptLimit, toBlocked, type EarlierAttempt } from "./attempt-limit.ts";
import { type Braked, fillSources, findEarlierBrake, wasLetThrough } from "./burst-brake.ts";
import { findSpentCap, readCreditUse } from "./budget.ts";
import { readUsualRate, toOwnLimit, toUsualRates } from "./usual-rate.ts";
import { createBlocks, selectBlocks, takeTrial } from "./circuits.ts";
import type { StoreContext } from "../context.ts";
import type { Database, Schema } from "../schema/schema.ts";
import type { Place, Sealer } from "../sealing/sealing.ts";
import type {
  AttemptEnd,
  AttemptGrant,
  AttemptRequest,
  BudgetPeriods,
  CircuitBlock,
  CreditUse,
  KeptAnswer,
  StoredBlock,
} from "./attempt.ts";
import { createQuotas, type Quota } from "../quotas.ts";
import { findRow, insertRow, isOrder, selectRows, updateRows, upsert, type OrderKey } from "../statements.ts";

const HOUR_MS = 3_600_000;

/** A tenant's calls begin one by one, because they share a budget. Names the units that read its whole ledger. */
export function toLedgerName(tenant: string): string {
  return `ledger:${tenant}`;
}

type EndedAttempt = Pick<Schema["attempts"], "tenant" | "fingerprint" | "order_id" | "started_at" | "erased">;

/** What a screener keeps: each call to the service, written before it is made, answers, spent credits, and what stops calls. */
export interface Ledger {
  /** The kept answer for a fingerprint, if it is newer than `sinceMs`. */
  findAnswer(tenant: TenantId, fingerprint: string, sinceMs: number): Promise<KeptAnswer | null>;
  /**
   * In one transaction: mark an open attempt whose lease expired as `unknown`; then check for a kept answer, an open
   * attempt, the attempt limit, the budget, the circuits and the burst brake, in that order. If none of them stops the
   * call, write the ledger entry as `sent`. An open attempt counts as spent. The last credits of a budget go to the
   * waiting orders of the largest amount.
   *
   * Attempts for one fingerprint are spread over time. The reserve is granted only after the service has worked since
   * the last attempt ended: it answered a later call of this tenant, or the caller has seen it work.
   */
  begin(request: AttemptRequest): Promise<AttemptGrant>;
  /**
   * In one transaction, close the ledger entry and store the answer, if any. A failure with `metered: "unknown"` is
   * recorded as `unknown`. Ending the same attempt again changes nothing.
   */
  finish(attemptId: string, end: AttemptEnd, nowMs: number): Promise<void>;
  /** Count an order only at the burst brake, as `begin` does; null if it isn't braked. */
  countAtSources(tenant: TenantId, burst: AttemptRequest["burst"]): Promise<Braked | null>;
  /** Count calls that were saved. */
  recordSaving(tenant: TenantId, reason: string, count: number, nowMs: number): Promise<void>;
  /** What a tenant spent and saved. */
  creditUse(tenant: TenantId, periods: BudgetPeriods): Promise<CreditUse>;
  /** Tell every process that calls are blocked, or with null that they no longer are. */
  saveBlock(name: string, block: CircuitBlock | null): Promise<void>;
  /** The blocks of the named circuits, without pauses that are over. */
  findBlocks(names: readonly string[], nowMs: number): Promise<readonly StoredBlock[]>;
  /**
   * Take one of `max` places for `key` in the time since `sinceMs`. The same key can be let through again without a further
   * place. A place too far in the future was taken by a wrong clock and doesn't count.
   */
  takeQuota(quota: Quota): Promise<boolean>;
}

export function createLedger(context: StoreContext): Ledger {
  const { engine, sealer } = context;
  return {
    ...createBlocks(context),
    ...createQuotas(context),

    findAnswer: (tenant, fingerprint, sinceMs) =>
      engine.read((db) => selectAnswer(db, sealer, tenant, fingerprint, sinceMs)),

    async begin(request) {
      const leased = {
        ...request,
        processId: await engine.processId(),
        leaseNow: engine.leaseClock(request.nowMs),
      };
      const unit = (db: Database) => beginAttempt(db, sealer, leased);
      const grant = await engine.write(unit, { alone: toLedgerName(request.tenant) });
      // It may have waited for so long that the entry is under a former registration.
      const isTaken = grant.outcome === "granted" && !engine.ownsLeasesOf(leased.processId);
      return isTaken ? { ...grant, sinceUptimeMs: Number.NEGATIVE_INFINITY } : grant;
    },

    async finish(attemptId, end, nowMs) {
      await engine.write(async (db) => {
        const attempt = await endAttempt(db, attemptId, end, nowMs);
        if (attempt === undefined || end.state !== "answered" || attempt.erased === 1) return;
        const answeredAtMs = Math.max(nowMs, attempt.started_at);
        await keepAnswer(db, sealer, attempt, { result: end.result, answeredAtMs });
      });
    },

    async countAtSources(tenant, burst) {
      const unit = (db: Database) => brakeBurst(db, { tenant, burst });
      return (await engine.write(unit, { alone: toLedgerName(tenant) })) ?? null;
    },

    async recordSaving(tenant, reason, count, nowMs) {
      const hourAt = nowMs - (nowMs % HOUR_MS);
      const add = sql`
        insert into savings (tenant, reason, hour_at, saved) values (${tenant}, ${reason}, ${hourAt}, ${count})
        on conflict (tenant, hour_at, reason) do update set saved = savings.saved + ${count}`;
      await engine.write((db) => add.execute(db));
    },

    creditUse: (tenant, periods) => readCreditUse(context, tenant, periods),
  };
}

interface LeasedRequest extends AttemptRequest {
  readonly processId: string | null;
  readonly leaseNow: RawBuilder<number>;
}

async function beginAttempt(db: Database, sealer: Sealer, request: LeasedRequest): Promise<AttemptGrant> {
  const { tenant, fingerprint, answersSinceMs, signal } = request;
  // Under load, the unit may have waited for its turn until after the caller stopped.
  signal?.throwIfAborted();
  await giveUpLostAttempts(db, request);
  // Look for an open call before looking for an answer. Finishing a call takes no lock, so a call that ends between the
  // two statements is seen as open here or as answered there. In the other order it could be seen as neither, and be
  // paid for again.
  const attempts = await selectAttempts(db, request);
  const answer = await selectAnswer(db, sealer, tenant, fingerprint, answersSinceMs);
  if (answer !== null) return { outcome: "answered", answer };
  const obstacle = await findObstacle(db, request, attempts);
  if (obstacle !== undefined) return obstacle;
  const { circuit, nowMs, trialUntilMs } = request;
  const [block] = await selectBlocks(db, [circuit], nowMs);
  return (
    toBlocked(block, nowMs) ??
    (await brake(db, request, attempts)) ??
    (await takeTrial(db, block, nowMs, trialUntilMs)) ??
    insertAttempt(db, request, block !== undefined)
  );
}

/** Count an order once, even if it is checked again. */
async function brake(db: Database, request: LeasedRequest, attempts: readonly EarlierAttempt[]) {
  if (wasLetThrough(attempts)) return undefined;
  const earlier = findEarlierBrake(attempts, request.nowMs);
  if (earlier !== undefined) return earlier;
  const grant = await brakeBurst(db, request);
  if (grant === undefined) return undefined;
  // Record in the ledger, without a call, that the order was braked.
  const braked = { state: "failed", metered: "no", error: "BURST_BRAKED", ended_at: request.nowMs } as const;
  await insertRow(db, "attempts", { ...toAttemptRow(request), ...braked, erased: 0 });
  return grant;
}

/** Count an order at each of its sources. If one of them floods the shop, the order costs no credit. */
async function brakeBurst(
  db: Database,
  { tenant, burst }: Pick<AttemptRequest, "tenant" | "burst">,
): Promise<Braked | undefined> {
  const { limit, sources, atMs, historyOf } = burst;
  if (limit === null || sources.length === 0) return undefined;
  const columns = ["source", "level", "at", "braked", "usual", "usual_day"] as const;
  const known = await selectRows(db, "attempt_sources", { tenant, source: sources }, columns);
  const levels = new Map(known.map((row) => [row.source, row]));
  const usual = toUsualRates(known, atMs);
  const fill = () => fillSources(levels, burst, (source) => toOwnLimit(limit, usual.get(source)?.usual));
  let { filled, braked } = fill();
  // Most orders end here. What a source usually sends is looked up once a day, and only if it sends more than the limit.
  const unknown = filled.filter((row) => row.braked === 1 && !usual.has(row.source));
  if (unknown.length > 0 && historyOf !== undefined) {
    for (const { source } of unknown) {
      usual.set(source, await readUsualRate(db, tenant, historyOf(source), atMs));
    }
    ({ filled, braked } = fill());
  }
  for (const { source, ...row } of filled) {
    await upsert(db, "attempt_sources", { tenant, source }, { ...row, ...usual.get(source) });
  }
  return braked;
}

async function selectAnswer(
  db: Database,
  sealer: Sealer,
  tenant: string,
  fingerprint: string,
  sinceMs: number,
): Promise<KeptAnswer | null> {
  const isNew = sql<SqlBool>`answered_at > ${sinceMs}`;
  const row = await findRow(db, "answers", { tenant, fingerprint }, ["result", "answered_at"], isNew);
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
    erased_at: null,
  };
  // A late answer to an older call must not contradict the decision that a newer answer led to.
  const isOlder = sql<SqlBool>`answers.asked_at <= ${attempt.started_at}`;
  await upsert(db, "answers", { tenant, fingerprint }, answer, isOlder);
}

export function placeOfAnswer(tenant: string, fingerprint: string): Place {
  return { tenant, table: "answers", column: "result", row: fingerprint };
}

async function giveUpLostAttempts(db: Database, request: LeasedRequest): Promise<void> {
  const { tenant, fingerprint, leaseNow } = request;
  const isLost = sql<SqlBool>`lease_until <= ${leaseNow}`;
  await updateRows(db, "attempts", { tenant, fingerprint, state: "sent" }, { state: "unknown" }, isLost);
}

/** Calls for the fingerprint, including those that weren't billed. */
function selectAttempts(db: Database, request: AttemptRequest): Promise<readonly EarlierAttempt[]> {
  const { tenant, fingerprint, answersSinceMs, failuresSinceMs } = request;
  // Attempts expire like answers: the same basket a week later, or a recheck, starts again.
  const counts = sql<SqlBool>`(state = 'sent' or started_at > ${answersSinceMs}
    or (state <> 'answered' and started_at > ${failuresSinceMs}))`;
  const columns = ["state", "metered", "error", "started_at", "ended_at", "lease_until"] as const;
  return selectRows(db, "attempts", { tenant, fingerprint }, columns, counts);
}

async function findObstacle(
  db: Database,
  request: AttemptRequest,
  attempts: readonly EarlierAttempt[],
): Promise<AttemptGrant | undefined> {
  const open = attempts.find((attempt) => attempt.state === "sent");
  if (open !== undefined) return { outcome: "busy", leaseUntilMs: open.lease_until };
  const isAnsweringSince = async (atMs: number, quietSinceMs: number) => {
    const [newest, failure] = await selectNewest(db, request.tenant, atMs);
    return newest?.state === "answered" && (failure === undefined || failure.started_at <= quietSinceMs);
  };
  return (await findAttemptLimit(request, attempts, isAnsweringSince)) ?? findSpentCap(db, request);
}

/**
 * The newest call that shows whether the service works, and the newest that shows that it doesn't. A refused call shows
 * neither, because the order itself may be the reason.
 */
async function selectNewest(db: Database, tenant: string, atMs: number) {
  const hasFailed = sql<SqlBool>`state in ('failed', 'unknown') and metered <> 'no' and error <> 'VERIFICATION_REFUSED'`;
  const select = async (condition: RawBuilder<SqlBool>) => {
    const isSince = sql<SqlBool>`started_at > ${atMs} and ${condition}`;
    const newest = sql`order by started_at desc limit 1`;
    return (await selectRows(db, "attempts", { tenant }, ["state", "started_at"], isSince, newest))[0];
  };
  const saysSomething = sql<SqlBool>`(state = 'answered' or ${hasFailed})`;
  return [await select(saysSomething), await select(hasFailed)] as const;
}

/** Whether the order was erased before its call began. If so, the answer isn't stored. */
async function isErased(db: Database, { tenant, orderId }: AttemptRequest): Promise<boolean> {
  if (orderId === undefined) return false;
  const order = await findRow(db, "orders", { tenant, order_id: orderId }, ["erased_at"]);
  return order !== undefined && order.erased_at !== null;
}

async function insertAttempt(db: Database, request: LeasedRequest, isTrial: boolean): Promise<AttemptGrant> {
  const erased = (await isErased(db, request)) ? 1 : 0;
  const row = { ...toAttemptRow(request), state: "sent", erased } as const;
  // Must be read before the database reads its clock.
  const sinceUptimeMs = performance.now();
  await insertRow(db, "attempts", row);
  request.signal?.throwIfAborted();
  return { outcome: "granted", attemptId: row.attempt_id, isTrial, sinceUptimeMs };
}

function toAttemptRow(request: LeasedRequest) {
  return {
    attempt_id: randomUUID(),
    tenant: request.tenant,
    fingerprint: request.fingerprint,
    order_id: request.orderId ?? null,
    owner: request.owner,
    // A later caller's clock may be ahead of this one; the call must count for it too.
    started_at: Math.max(request.nowMs, request.answersSinceMs + 1),
    lease_until: sql<number>`${request.leaseNow} + ${request.leaseMs}`,
    process_id: request.processId,
  };
}

/** The attempt before it ended; undefined if it had already ended. One that was marked as lost may still end. */
function endAttempt(db: Database, attemptId: string, end: AttemptEnd, nowMs: number) {
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

/** One line of the ledger: a call to the service about an order. */
export interface LedgerCall {
  readonly startedAtMs: number;
  /** `sent`: under way. `unknown`: lost, or ended without knowing whether it was billed. */
  readonly state: "sent" | "answered" | "failed" | "unknown";
  /** Whether it cost a credit; null while that isn't known. */
  readonly metered: string | null;
  /** Code of why it failed. */
  readonly error: string | null;
}

/** The calls about an order, oldest first, including those that the burst brake stopped before they were made. */
export async function listCalls(db: Database, key: OrderKey): Promise<readonly LedgerCall[]> {
  // The unary plus keeps the planner from scanning all of the tenant's calls by time.
  const query = sql<LedgerCall>`
    select started_at as "startedAtMs", state, metered, error from attempts
    where ${isOrder(key)} order by +started_at, attempt_id`;
  return (await query.execute(db)).rows;
}

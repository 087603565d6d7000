import { sql, type RawBuilder, type SqlBool } from "kysely";
import { SIGHTING_KEPT_MS } from "../../engine/velocity/sightings.ts";
import type { VerificationResult } from "../../order/result.ts";
import {
  deleteOldest,
  isAmongOldest,
  ROWS_PER_CHUNK,
  toChunk,
  eraseChangeContent,
  eraseLeftLinks,
} from "./aged-rows.ts";
import { isOneOf } from "../engines/engine.ts";
import type { StoreContext } from "../context.ts";
import { placeOfAnswer } from "../credits/ledger.ts";
import { eraseNotes } from "../orders/notes.ts";
import { addTimelines, ERASED_COLUMNS } from "../orders/order-rows.ts";
import { ORDER_TABLES } from "./tenant-erasure.ts";
import type { Database } from "../schema/schema.ts";
import type {
  RetentionChunk,
  RetentionLimits,
  RetentionPosition,
  RetentionStep,
  RetentionStore,
} from "./upkeep.ts";
import { deleteRows, findRow, updateRows } from "../statements.ts";

/** Answers are opened and sealed again, one by one. */
const ANSWERS_PER_CHUNK = 50;

type Step = (
  context: StoreContext,
  db: Database,
  limits: RetentionLimits,
  from: RetentionPosition | null,
) => Promise<RetentionChunk>;

const STEPS: Readonly<Record<RetentionStep, Step>> = {
  "order-content": eraseOrderContent,
  "change-content": eraseChangeContent,
  "left-links": eraseLeftLinks,
  "answer-content": eraseAnswerContent,
  "stuck-deliveries": eraseStuckBodies,
  "awaiting-deliveries": giveUpAwaiting,
  deliveries: (context, db, { deliveriesBeforeMs }) =>
    deleteOldest(
      context,
      db,
      "deliveries",
      { column: "received_at", beforeMs: deliveriesBeforeMs },
      IS_FINISHED,
    ),
  reports: (context, db, { contentBeforeMs }) =>
    deleteOldest(context, db, "reports", { column: "saved_at", beforeMs: contentBeforeMs }),
  orders: deleteOrders,
  answers: (context, db, { ordersBeforeMs }) =>
    // Its texts have gone before, which is what puts it into the index.
    deleteOldest(context, db, "answers", { column: "answered_at", beforeMs: ordersBeforeMs }, IS_EMPTIED),
  attempts: deleteAttempts,
  sources: (context, db, { passingBeforeMs }) =>
    deleteOldest(context, db, "attempt_sources", { column: "at", beforeMs: passingBeforeMs }),
  velocity: (context, db, { nowMs }) =>
    deleteOldest(context, db, "velocity", { column: "at", beforeMs: nowMs - SIGHTING_KEPT_MS }),
  savings: (context, db, { ledgerBeforeMs }) =>
    deleteOldest(context, db, "savings", { column: "hour_at", beforeMs: ledgerBeforeMs }),
  quotas: (context, db, { quotasBeforeMs }) =>
    deleteOldest(context, db, "quotas", { column: "taken_at", beforeMs: quotasBeforeMs }),
  incidents: (context, db, { passingBeforeMs }) =>
    deleteOldest(context, db, "incidents", { column: "quiet_until", beforeMs: passingBeforeMs }),
  "access-log": (context, db, { ordersBeforeMs }) =>
    deleteOldest(context, db, "access_log", { column: "at", beforeMs: ordersBeforeMs }),
  sessions: (context, db, { nowMs }) =>
    deleteOldest(context, db, "sessions", { column: "expires_at", beforeMs: nowMs }),
  people: (context, db, { ordersBeforeMs }) =>
    // A person that a platform signs in would come back with the default role.
    deleteOldest(context, db, "people", { column: "revoked_at", beforeMs: ordersBeforeMs }, HAS_TOKEN),
  // One row per thing that is locked, and per key: too few for an index.
  leases: (context, db, { passingBeforeMs }) =>
    deleteOldest(context, db, "leases", { column: "lease_until", beforeMs: passingBeforeMs }),
  circuits: (context, db, { circuitsBeforeMs }) =>
    deleteOldest(
      context,
      db,
      "circuits",
      { column: "until_at", beforeMs: circuitsBeforeMs },
      sql<SqlBool>`trial_until < ${circuitsBeforeMs}`,
    ),
};

const IS_FINISHED: RawBuilder<SqlBool> = sql<SqlBool>`ready_at is null and awaits_installation = 0`;
const AWAITS_INSTALLATION: RawBuilder<SqlBool> = sql<SqlBool>`awaits_installation = 1`;
const HAS_TOKEN: RawBuilder<SqlBool> = sql<SqlBool>`token_digest is not null`;
const IS_EMPTIED: RawBuilder<SqlBool> = sql<SqlBool>`erased_at is not null`;

/** Erasure by age. */
export function createRetention(context: StoreContext): RetentionStore {
  const { engine } = context;
  return {
    eraseAged: (step, limits, from) => engine.write((db) => STEPS[step](context, db, limits, from)),
    scrub: () => engine.scrub(),
  };
}

/** Nothing waits on purpose for longer. */
const WAITS_ON_PURPOSE_MS = 30 * 86_400_000;

/**
 * Nobody could carry it out for as long as orders are kept: what is personal in it cannot wait for ever. One that was
 * tried without an error may wait on purpose, as a shop's erasure does until it is confirmed, for up to 25 days.
 */
async function eraseStuckBodies(
  context: StoreContext,
  db: Database,
  { ordersBeforeMs: beforeMs, nowMs }: RetentionLimits,
): Promise<RetentionChunk> {
  const isGivenUp = sql<SqlBool>`(attempts = 0 or error is not null or received_at < ${nowMs - WAITS_ON_PURPOSE_MS})`;
  const isStuck = sql<SqlBool>`ready_at is not null and ${isGivenUp} and (lease_until is null or lease_until <= ${context.engine.leaseClock(nowMs)})`;
  const isOld = isAmongOldest(context, "deliveries", { column: "received_at", beforeMs }, isStuck);
  const { numAffectedRows } = await sql`
    update deliveries
    set body = null, due_at = null, lease_owner = null, lease_until = null, outcome = 'expired' where ${isOld}`.execute(
    db,
  );
  return toChunk(Number(numAffectedRows ?? 0));
}

/** The shop never installed the app, or never came back: nobody may keep its orders for longer. */
async function giveUpAwaiting(
  context: StoreContext,
  db: Database,
  { awaitingBeforeMs: beforeMs }: RetentionLimits,
): Promise<RetentionChunk> {
  const isOld = isAmongOldest(
    context,
    "deliveries",
    { column: "received_at", beforeMs },
    AWAITS_INSTALLATION,
  );
  const { numAffectedRows } = await sql`
    update deliveries set body = null, awaits_installation = 0, outcome = 'expired' where ${isOld}`.execute(
    db,
  );
  return toChunk(Number(numAffectedRows ?? 0));
}

// --------------------------------------------------------------------------------------------- rows that may have to stay

/** A row of a chunk; `ripe` is 1 when it may go. */
interface Seen {
  readonly at: number;
  readonly tenant: string;
  readonly id: string;
  readonly ripe: number;
}

interface Look {
  readonly table: "orders" | "attempts" | "answers";
  /** Columns of the key's id and of the age. */
  readonly id: string;
  readonly at: string;
  readonly beforeMs: number;
  readonly condition?: RawBuilder<SqlBool>;
  readonly ripe: RawBuilder<SqlBool>;
  readonly limit?: number;
}

/**
 * The next rows by age behind `from`: rows that have to stay are stepped over once a run, not once a chunk. Rows that
 * somebody is changing are left for the next run.
 */
async function look(
  { engine }: StoreContext,
  db: Database,
  { table, id, at, beforeMs, condition, ripe, limit = ROWS_PER_CHUNK }: Look,
  from: RetentionPosition | null,
): Promise<{ readonly seen: readonly Seen[]; readonly next: RetentionPosition | null }> {
  const [ageColumn, idColumn] = [sql.ref(at), sql.ref(id)];
  const { rows } = await sql<Seen>`
    select ${ageColumn} as at, tenant, ${idColumn} as id, case when ${ripe} then 1 else 0 end as ripe
    from ${sql.table(table)}
    where ${ageColumn} < ${beforeMs} ${condition === undefined ? sql`` : sql`and ${condition}`}
      ${from === null ? sql`` : sql`and (${ageColumn}, tenant, ${idColumn}) > (${from.atMs}, ${from.tenant}, ${from.id})`}
    order by ${ageColumn}, tenant, ${idColumn} limit ${limit}
    ${engine.dialect === "postgres" ? sql`for update of ${sql.table(table)} skip locked` : sql``}`.execute(
    db,
  );
  const last = rows.at(-1);
  const next = last === undefined || rows.length < limit ? null : { atMs: last.at, ...toKey(last) };
  return { seen: rows, next };
}

function toKey({ tenant, id }: Seen): { readonly tenant: string; readonly id: string } {
  return { tenant, id };
}

function toRipe(seen: readonly Seen[]): readonly Seen[] {
  return seen.filter((row) => row.ripe === 1);
}

/** Nothing is left to do, and what failed has been seen by a person since. */
const IS_AT_REST: RawBuilder<SqlBool> = sql<SqlBool>`due_at is null and (state = 'settled' or (state = 'failed' and exists (
  select 1 from access_log
  where access_log.tenant = orders.tenant and access_log.subject = orders.order_id and access_log.what = 'order'
    and access_log.at >= coalesce(orders.settled_at, orders.received_at))))`;

async function eraseOrderContent(
  context: StoreContext,
  db: Database,
  { contentBeforeMs: beforeMs, ordersBeforeMs, entry }: RetentionLimits,
  from: RetentionPosition | null,
): Promise<RetentionChunk> {
  const { seen, next } = await look(
    context,
    db,
    {
      ...ORDERS,
      beforeMs,
      condition: sql<SqlBool>`erased_at is null`,
      // The hard limit: whatever it waits for, nobody has looked at it in all this time.
      ripe: sql<SqlBool>`received_at < ${ordersBeforeMs} or (${IS_AT_REST})`,
    },
    from,
  );
  const keys = toRipe(seen);
  if (keys.length === 0) return { erased: 0, next };
  await db
    .updateTable("orders")
    .set({ ...ERASED_COLUMNS, erased_at: entry.atMs })
    .where(isOneOf("order_id", keys))
    .execute();
  await db
    .updateTable("order_changes")
    .set({ content: null })
    .where(isOneOf("order_id", keys))
    .where("content", "is not", null)
    .execute();
  await eraseNotes(db, keys);
  for (const [tenant, rows] of Map.groupBy(keys, (key) => key.tenant)) {
    await addTimelines(
      db,
      tenant,
      rows.map((row) => row.id),
      [entry],
    );
  }
  return { erased: keys.length, next };
}

const ORDERS = { table: "orders", id: "order_id", at: "received_at" } as const;

async function deleteOrders(
  context: StoreContext,
  db: Database,
  { ordersBeforeMs: beforeMs }: RetentionLimits,
  from: RetentionPosition | null,
): Promise<RetentionChunk> {
  const ripe = sql<SqlBool>`due_at is null and state in ('settled', 'failed') and erased_at is not null`;
  const { seen, next } = await look(context, db, { ...ORDERS, beforeMs, ripe }, from);
  const keys = toRipe(seen);
  if (keys.length === 0) return { erased: 0, next };
  for (const table of ORDER_TABLES) await db.deleteFrom(table).where(isOneOf("order_id", keys)).execute();
  return { erased: keys.length, next };
}

/** An order that is still there keeps its calls: its credits are shown. */
async function deleteAttempts(
  context: StoreContext,
  db: Database,
  { ledgerBeforeMs: beforeMs }: RetentionLimits,
  from: RetentionPosition | null,
): Promise<RetentionChunk> {
  const ripe = sql<SqlBool>`not exists (
    select 1 from orders where orders.tenant = attempts.tenant and orders.order_id = attempts.order_id)`;
  const attempts = { table: "attempts", id: "attempt_id", at: "started_at" } as const;
  const { seen, next } = await look(context, db, { ...attempts, beforeMs, ripe }, from);
  const ids = toRipe(seen).map((row) => row.id);
  if (ids.length > 0) await db.deleteFrom("attempts").where("attempt_id", "in", ids).execute();
  return { erased: ids.length, next };
}

/** The answer goes on counting: its texts, which may name the customer, do not. */
async function eraseAnswerContent(
  context: StoreContext,
  db: Database,
  { contentBeforeMs: beforeMs, entry }: RetentionLimits,
  from: RetentionPosition | null,
): Promise<RetentionChunk> {
  const answers = { table: "answers", id: "fingerprint", at: "answered_at" } as const;
  const { seen, next } = await look(
    context,
    db,
    {
      ...answers,
      beforeMs,
      condition: sql<SqlBool>`erased_at is null`,
      ripe: sql<SqlBool>`order_id is not null`,
      limit: ANSWERS_PER_CHUNK,
    },
    from,
  );
  // Without an order id an answer counts for a day.
  for (const row of seen) {
    if (row.ripe === 1) await reduceAnswer(context, db, row, entry.atMs);
    else await deleteRows(db, "answers", { tenant: row.tenant, fingerprint: row.id });
  }
  return { erased: seen.length, next };
}

async function reduceAnswer({ sealer }: StoreContext, db: Database, row: Seen, nowMs: number): Promise<void> {
  const { tenant, id: fingerprint } = row;
  const kept = await findRow(db, "answers", { tenant, fingerprint }, ["result"]);
  if (kept === undefined) return;
  const place = placeOfAnswer(tenant, fingerprint);
  const opened = sealer.attempt(place, () => sealer.openJson(place, kept.result) as VerificationResult);
  // What cannot be opened cannot be shortened, and serves nobody.
  if (opened === undefined) {
    await deleteRows(db, "answers", { tenant, fingerprint });
    return;
  }
  const emptied = { result: sealer.sealJson(place, toWordless(opened)), erased_at: nowMs };
  await updateRows(db, "answers", { tenant, fingerprint }, emptied);
}

/** What decides, without a word of free text. */
function toWordless({ riskLevel, riskScore }: VerificationResult): VerificationResult {
  return { riskLevel, riskScore, riskFactors: [], reasoning: "", recommendations: [] };
}

import { sql, type RawBuilder, type SqlBool, type UpdateObject } from "kysely";
import { SIGHTING_KEPT_MS } from "../../engine/velocity/sightings.ts";
import { withoutTexts, type VerificationResult } from "../../order/result.ts";
import {
  isAmongOldest,
  look,
  type Look,
  type RetentionChunk,
  type RetentionPosition,
  toChunk,
  type Seen,
} from "./aged-rows.ts";
import { isOneOf, FREE } from "../engines/engine.ts";
import type { StoreContext } from "../context.ts";
import { KEPT_ORDERS_DAYS, REPORTS_KEPT_MS } from "./keeping-times.ts";
import { placeOfAnswer } from "../credits/ledger.ts";
import type { TimelineEntry } from "../orders/order-record.ts";
import { ERASED_COLUMNS } from "../orders/order-rows.ts";
import { ORDER_TABLES } from "./tenant-erasure.ts";
import type { Database, Schema } from "../schema/schema.ts";
import { deleteRows, findRow, updateRows } from "../statements.ts";
import { addTimelines, eraseNotes } from "../orders/history.ts";
import { eraseBuyerChecks } from "../buyer-checks/buyer-checks.ts";
import { eraseBuyerEvidence } from "../buyer-checks/buyer-evidence.ts";
import { eraseDrafts } from "../orders/note-drafts.ts";

/** What is old enough to erase: everything from before these times, in milliseconds since the epoch. */
export interface RetentionLimits {
  readonly nowMs: number;
  /** Content of orders at rest, texts of answers, and reports, which stay for 30 days at least. */
  readonly contentBeforeMs: number;
  /** Finished deliveries. */
  readonly deliveriesBeforeMs: number;
  /** Deliveries that wait for an installation. */
  readonly awaitingBeforeMs: number;
  /** Orders at rest, and the content of all others, even if they wait. Answers, stuck deliveries, access log. */
  readonly ordersBeforeMs: number;
  /** Calls and savings. Never later than the start of the month that is still being counted. */
  readonly ledgerBeforeMs: number;
  readonly quotasBeforeMs: number;
  /** Short-lived data: sources of orders, expired leases, incidents that are over. */
  readonly passingBeforeMs: number;
  /** Circuits that weren't tried since. */
  readonly circuitsBeforeMs: number;
  /** The entry written to the timeline of each order whose content is erased. */
  readonly entry: TimelineEntry;
}

export interface Retention {
  /**
   * Run one chunk of one step in its own transaction, which reads at most a hundred rows. No state is kept between
   * runs: a step that starts again finds what is left.
   */
  eraseAged(
    step: RetentionStep,
    limits: RetentionLimits,
    from: RetentionPosition | null,
  ): Promise<RetentionChunk>;
  /** Remove erased data from the disk too, as far as the database can. Never throws. */
  scrub(): Promise<void>;
}

export function createRetention(context: StoreContext): Retention {
  const { engine } = context;
  return {
    eraseAged: (step, limits, from) => engine.write((db) => STEPS[step](context, db, limits, from)),
    scrub: () => engine.scrub(),
  };
}

type Step = (
  context: StoreContext,
  db: Database,
  limits: RetentionLimits,
  from: RetentionPosition | null,
) => Promise<RetentionChunk>;

type Limit = keyof Omit<RetentionLimits, "entry"> | ((limits: RetentionLimits) => number);
type Condition =
  | RawBuilder<SqlBool>
  | ((limits: RetentionLimits, context: StoreContext) => RawBuilder<SqlBool>);

/** A step that looks at rows from the oldest on and erases those that are ripe. Others may have to stay. */
function erases(
  toLook: (limits: RetentionLimits) => Look,
  erase: (
    db: Database,
    ripe: readonly Seen[],
    limits: RetentionLimits,
    context: StoreContext,
  ) => Promise<unknown>,
): Step {
  return async (context, db, limits, from) => {
    const { ripe, next } = await look(context, db, toLook(limits), from);
    if (ripe.length > 0) await erase(db, ripe, limits, context);
    return { erased: ripe.length, next };
  };
}

/** A step that deletes rows older than a limit. */
function deletes(table: keyof Schema, column: string, limit: Limit, condition?: Condition): Step {
  return ofAge([table, column, limit, condition], (db, isOldest) => deleteRows(db, table, {}, isOldest));
}

/** A step that writes `changes` into rows older than a limit that meet the condition. The changes must make it false. */
function empties<T extends keyof Schema>(
  table: T,
  column: string,
  limit: Limit,
  condition: Condition,
  changes: UpdateObject<Schema, T>,
): Step {
  return ofAge([table, column, limit, condition], (db, isOldest) =>
    updateRows(db, table, {}, changes, isOldest),
  );
}

function ofAge(
  [table, column, limit, condition]: Parameters<typeof deletes>,
  write: (db: Database, isOldest: RawBuilder<SqlBool>) => Promise<number>,
): Step {
  return async (context, db, limits) => {
    const beforeMs = typeof limit === "function" ? limit(limits) : limits[limit];
    const isRipe = typeof condition === "function" ? condition(limits, context) : condition;
    return toChunk(await write(db, isAmongOldest(context, table, column, beforeMs, isRipe)));
  };
}

/** Nothing is left to do, and a person has seen any failure. */
const IS_AT_REST: RawBuilder<SqlBool> = sql<SqlBool>`due_at is null and (state = 'settled' or (state = 'failed' and exists (
  select 1 from access_log
  where access_log.tenant = orders.tenant and access_log.subject = orders.order_id and access_log.what = 'order'
    and access_log.at >= coalesce(orders.settled_at, orders.received_at))))`;

const ORDERS = { table: "orders", id: "order_id", at: "received_at" } as const;
/** A bank waits for evidence about the order, and nobody has sent any. */
function isAwaited(nowMs: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (
    select 1 from disputes where disputes.tenant = orders.tenant and disputes.order_id = orders.order_id
      and disputes.status = 'open' and disputes.evidence_sent_at is null
      and disputes.evidence_due_at > ${nowMs} and disputes.evidence_due_at <= ${nowMs + LONGEST_DEADLINE_MS})`;
}

const ATTEMPTS = { table: "attempts", id: "attempt_id", at: "started_at" } as const;
/** Answers are decrypted and sealed again, one by one. */
const ANSWERS = { table: "answers", id: "fingerprint", at: "answered_at", limit: 50 } as const;
const IS_NOT_ERASED = sql<SqlBool>`erased_at is null`;
const IS_EMPTIED = sql<SqlBool>`due_at is null and state in ('settled', 'failed') and erased_at is not null`;
const IS_ORDER_GONE = sql<SqlBool>`not exists (
  select 1 from orders where orders.tenant = attempts.tenant and orders.order_id = attempts.order_id)`;
const CHANGE_OF_ERASED = sql<SqlBool>`content is not null and exists (
  select 1 from orders where orders.tenant = order_changes.tenant and orders.order_id = order_changes.order_id
    and orders.erased_at is not null)`;
const IS_AWAITING = sql<SqlBool>`awaits_installation = 1`;
const IS_FINISHED = sql<SqlBool>`ready_at is null and awaits_installation = 0`;
/** How an unprocessed delivery ends. */
const EXPIRED = { body: null, outcome: "expired" } as const;

const DAY_MS = 86_400_000;
/** Longer than any bank waits for evidence. A later date is a mistake, and must not keep personal data. */
const LONGEST_DEADLINE_MS = 60 * DAY_MS;
/** No delivery waits longer than this on purpose. */
const WAITS_ON_PURPOSE_MS = 30 * 86_400_000;

/**
 * A delivery that couldn't be processed for as long as orders are kept. Its personal data can't wait forever. A
 * delivery tried without an error may wait on purpose for up to 25 days, like a shop's erasure until it is confirmed.
 */
function isStuck({ nowMs }: RetentionLimits, { engine }: StoreContext): RawBuilder<SqlBool> {
  return sql<SqlBool>`ready_at is not null
    and (attempts = 0 or error is not null or received_at < ${nowMs - WAITS_ON_PURPOSE_MS})
    and (lease_until is null or lease_until <= ${engine.leaseClock(nowMs)})`;
}

/** In this order: content before its rows, and orders before the ledger that counts their credits. */
const STEPS = {
  /** The personal data of orders at rest: request, answer, customer and changes. */
  "order-content": erases(
    ({ contentBeforeMs: beforeMs, ordersBeforeMs, nowMs }) => ({
      ...ORDERS,
      beforeMs,
      condition: IS_NOT_ERASED,
      // The hard limit: nobody has looked at the order in all this time, whatever it waits for, except for a bank.
      ripe: sql<SqlBool>`(received_at < ${ordersBeforeMs} or (${IS_AT_REST})) and not ${isAwaited(nowMs)}`,
    }),
    eraseOrderContent,
  ),
  /** Changes that arrived after their order's content was erased. */
  "change-content": empties("order_changes", "at", "contentBeforeMs", CHANGE_OF_ERASED, { content: null }),
  /** Texts of kept answers. Level, score, and the factors' names stay. Without an order ID, the whole answer. */
  "answer-content": erases(
    ({ contentBeforeMs: beforeMs }) => ({ ...ANSWERS, beforeMs, condition: IS_NOT_ERASED }),
    reduceAnswers,
  ),
  /** Bodies of deliveries that couldn't be processed for as long as orders are kept. */
  "stuck-deliveries": empties("deliveries", "received_at", "ordersBeforeMs", isStuck, {
    ...EXPIRED,
    due_at: null,
    ...FREE,
  }),
  /** Bodies of deliveries whose shop never installed the app or never came back. */
  "awaiting-deliveries": empties("deliveries", "received_at", "awaitingBeforeMs", IS_AWAITING, {
    ...EXPIRED,
    awaits_installation: 0,
  }),
  /** Finished deliveries. Their IDs won't be repeated any more. */
  deliveries: deletes("deliveries", "received_at", "deliveriesBeforeMs", IS_FINISHED),
  /** Answers to customers' data requests. */
  reports: deletes("reports", "saved_at", ({ nowMs, contentBeforeMs }) =>
    Math.min(contentBeforeMs, nowMs - REPORTS_KEPT_MS),
  ),
  /** Orders at rest, with timeline, steps and changes. */
  orders: erases(
    ({ ordersBeforeMs: beforeMs, nowMs }) => ({
      ...ORDERS,
      beforeMs,
      ripe: sql<SqlBool>`${IS_EMPTIED} and not ${isAwaited(nowMs)}`,
    }),
    async (db, keys) => {
      for (const table of ORDER_TABLES) await db.deleteFrom(table).where(isOneOf("order_id", keys)).execute();
    },
  ),
  // Its texts are erased before, which puts the row into the index.
  answers: deletes("answers", "answered_at", "ordersBeforeMs", sql<SqlBool>`erased_at is not null`),
  /** Calls to the service for orders that are gone. While an order exists, its calls stay, because its credits are shown. */
  attempts: erases(
    ({ ledgerBeforeMs: beforeMs }) => ({ ...ATTEMPTS, beforeMs, ripe: IS_ORDER_GONE }),
    (db, keys) => deleteRows(db, "attempts", { attempt_id: keys.map((key) => key.id) }),
  ),
  "credit-days": deletes("credit_days", "day_at", "ledgerBeforeMs"),
  sources: deletes("attempt_sources", "at", "passingBeforeMs"),
  velocity: deletes("velocity", "at", ({ nowMs }) => nowMs - SIGHTING_KEPT_MS),
  /** Each shop's own time is shorter; this also covers shops that nobody visits, because they lost their access. */
  "kept-orders": deletes("kept_orders", "placed_at", ({ nowMs }) => nowMs - KEPT_ORDERS_DAYS.most * DAY_MS),
  "shop-tallies": deletes("shop_tallies", "until", "nowMs"),
  savings: deletes("savings", "hour_at", "ledgerBeforeMs"),
  quotas: deletes("quotas", "taken_at", "quotasBeforeMs"),
  /** Incidents that are over or may be reported again. */
  incidents: deletes("incidents", "quiet_until", "passingBeforeMs"),
  "access-log": deletes("access_log", "at", "ordersBeforeMs"),
  sessions: deletes("sessions", "expires_at", "nowMs"),
  /** Notices for pages that were open then. */
  "page-notices": deletes("page_notices", "at", "passingBeforeMs"),
  /**
   * People whose tokens were revoked, once no access log entry can name them. People of a platform stay, because they
   * would come back as reviewers.
   */
  people: deletes("people", "revoked_at", "ordersBeforeMs", sql<SqlBool>`token_digest is not null`),
  /** The names of a platform's people who weren't here for as long as the access log names them. They come by themselves. */
  "names-of-people": empties(
    "people",
    "seen_at",
    "ordersBeforeMs",
    sql<SqlBool>`name is not null and token_digest is null`,
    { name: null },
  ),
  // One row per lock and per key: too few for an index.
  leases: deletes("leases", "lease_until", "passingBeforeMs"),
  circuits: deletes(
    "circuits",
    "until_at",
    "circuitsBeforeMs",
    ({ circuitsBeforeMs }) => sql<SqlBool>`trial_until < ${circuitsBeforeMs}`,
  ),
} satisfies Readonly<Record<string, Step>>;

export type RetentionStep = keyof typeof STEPS;
/** All steps, in their order. */
export const RETENTION_STEPS = Object.keys(STEPS) as readonly RetentionStep[];

async function eraseOrderContent(db: Database, keys: readonly Seen[], { entry }: RetentionLimits) {
  const isTheirs = isOneOf("order_id", keys);
  await updateRows(db, "orders", {}, { ...ERASED_COLUMNS, erased_at: entry.atMs }, isTheirs);
  const hasContent = sql<SqlBool>`${isTheirs} and content is not null`;
  await updateRows(db, "order_changes", {}, { content: null }, hasContent);
  await eraseNotes(db, keys);
  await eraseDrafts(db, keys);
  await eraseBuyerEvidence(db, keys);
  await eraseBuyerChecks(db, keys);
  for (const [tenant, rows] of Map.groupBy(keys, (key) => key.tenant)) {
    const orderIds = rows.map((row) => row.id);
    await addTimelines(db, tenant, orderIds, [entry]);
  }
}

/** The answers stay valid without their texts, which may name the customer. */
async function reduceAnswers(
  db: Database,
  keys: readonly Seen[],
  { entry }: RetentionLimits,
  { sealer }: StoreContext,
): Promise<void> {
  for (const { tenant, id: fingerprint } of keys) {
    const row = { tenant, fingerprint };
    const kept = await findRow(db, "answers", row, ["result", "order_id"]);
    const place = placeOfAnswer(tenant, fingerprint);
    // Without an order ID, an answer is kept for a day. One that can't be decrypted is of no use.
    const sealed = kept?.order_id == null ? undefined : kept.result;
    const opened = sealer.tryJson(place, sealed) as VerificationResult | undefined;
    if (opened === undefined) await deleteRows(db, "answers", row);
    else {
      const emptied = { result: sealer.sealJson(place, withoutTexts(opened)), erased_at: entry.atMs };
      await updateRows(db, "answers", row, emptied);
    }
  }
}

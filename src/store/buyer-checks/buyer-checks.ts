import { sql, type Selectable, type SqlBool, type UpdateObject } from "kysely";
import type { BuyerAnswer, BuyerCheckMethod } from "../../order/buyer-check.ts";
import type { TenantId } from "../../platform/platform.ts";
import { writeWork, type StoreContext } from "../context.ts";
import { FREE, isOneOf, type DueKey } from "../engines/engine.ts";
import { addTimeline } from "../orders/history.ts";
import { lockRow } from "../orders/locked-order.ts";
import { readOrder } from "../orders/order-reader.ts";
import type { OrderRecord, TimelineEntry } from "../orders/order-record.ts";
import type { Database, Schema } from "../schema/schema.ts";
import type { TimeWindow } from "../slices.ts";
import type { Place, Sealer } from "../sealing/sealing.ts";
import { findRow, inChunks, ofOrder, selectRows, updateRows, type OrderKey } from "../statements.ts";
import {
  isLinkOpen,
  type BuyerCheck,
  type BuyerCheckChanges,
  type NewBuyerCheck,
  type OfferedMethods,
  type Recipient,
} from "./buyer-check.ts";

import { listAsked, type AskedPage, type AskedPosition } from "./asked-orders.ts";
import { listEarlier, type EarlierOrder } from "./earlier-orders.ts";

/** One answer to a check. */
export interface GivenAnswer {
  readonly answer: BuyerAnswer;
  readonly method: BuyerCheckMethod;
  readonly entry: TimelineEntry;
}

type CheckKey = Pick<BuyerCheck, "tenant" | "orderId" | "checkId">;

/** Which questions a data request is about. */
interface QuestionsOf {
  readonly tenant: string;
  readonly orderIds: readonly string[];
  readonly email?: string | undefined;
}

/** What the buyers of held orders were asked, and what they answered. */
export interface BuyerCheckStore {
  /** Store a check with its timeline entry. `false` without a change if the order was asked about in this state before, or is gone. */
  issue(check: NewBuyerCheck, sendAtMs: number | null, entry: TimelineEntry): Promise<boolean>;
  /** The check of a link and its order, as they are now; null for an unknown link. */
  findByToken(
    tokenDigest: string,
  ): Promise<{ readonly check: BuyerCheck; readonly order: OrderRecord } | null>;
  /** Orders of an order's customer that went well, with their content or, with `withKept`, only a kept address, oldest first. */
  listEarlier(key: OrderKey, asked: { readonly withKept: boolean }): Promise<readonly EarlierOrder[]>;
  /** The checks of an order, newest first. */
  list(key: OrderKey): Promise<readonly BuyerCheck[]>;
  /** The questions about some orders, and those that went to an email address about any order, oldest first. */
  listOf(asked: QuestionsOf): Promise<readonly BuyerCheck[]>;
  /** The questions asked in a window, oldest first, page by page. */
  listAsked(tenant: TenantId, window: TimeWindow, after: AskedPosition | null): Promise<AskedPage>;
  /** Change a check, with its timeline entry. What is personal isn't written if the order's content was erased meanwhile. */
  update(key: CheckKey, changes: BuyerCheckChanges, entry?: TimelineEntry): Promise<void>;
  /** Count an answer that doesn't settle a check. `false` if the link takes no more. */
  countTry(key: CheckKey, nowMs: number): Promise<boolean>;
  /**
   * Take an answer, once, in one transaction with the order's current state, and make the order due. `gone` without a change if
   * the link doesn't work any more.
   *
   * @param write - Also written in the transaction. It may run again.
   */
  answer(
    key: CheckKey,
    given: GivenAnswer,
    write?: (db: Database) => Promise<void>,
  ): Promise<"taken" | "gone">;
}

export function createBuyerChecks(context: StoreContext): BuyerCheckStore {
  const { engine, sealer } = context;
  return {
    issue: (check, sendAtMs, entry) =>
      engine.write(async (db) => {
        if ((await lockRow(db, check, engine.leaseClock(check.askedAtMs))) === undefined) return false;
        const written = await db
          .insertInto("buyer_checks")
          .values({ ...toRow(sealer, check), send_at: sendAtMs })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if ((written.numInsertedOrUpdatedRows ?? 0n) === 0n) return false;
        await addTimeline(db, check, [entry]);
        return true;
      }),

    async findByToken(tokenDigest) {
      const row = await engine.read((db) =>
        findRow(db, "buyer_checks", { token_digest: tokenDigest }, COLUMNS),
      );
      if (row === undefined) return null;
      const check = toCheck(sealer, row);
      const order = await engine.read((db) => readOrder(context, db, check));
      return order === null ? null : { check, order };
    },

    listEarlier: (key, asked) => listEarlier(context, key, asked),

    list: (key) => engine.read((db) => listChecks(db, sealer, key)),

    listOf: (asked) => engine.read((db) => listOf(db, sealer, asked)),

    listAsked: (tenant, window, after) => listAsked(context, tenant, window, after),

    update: (key, changes, entry) =>
      engine.write(async (db) => {
        const isThere = !isPersonal(changes) || (await lockContent(context, db, key));
        const { recipient: _recipient, kept: _kept, ...rest } = changes;
        await updateRows(db, "buyer_checks", toKey(key), toChanges(sealer, key, isThere ? changes : rest));
        if (entry !== undefined) await addTimeline(db, key, [entry]);
      }),

    countTry: (key, nowMs) =>
      engine.write(async (db) => {
        const found = await lockCheck(context, db, key, nowMs);
        if (found === null) return false;
        await updateRows(db, "buyer_checks", toKey(key), { tries: found.check.tries + 1 });
        return true;
      }),

    answer: (key, { answer, method, entry }, write) =>
      writeWork(
        engine,
        async (db): Promise<"taken" | "gone"> => {
          const found = await lockCheck(context, db, key, entry.atMs);
          if (found === null || found.check.methods[method] !== true) return "gone";
          const answered = { answer, method, answered_at: entry.atMs };
          await updateRows(db, "buyer_checks", toKey(key), answered);
          await write?.(db);
          await addTimeline(db, key, [entry]);
          // Under lease its next due time isn't written yet, so the request is kept until the lease ends.
          const due = found.isBusy ? { woken_at: entry.atMs } : { due_at: entry.atMs, ...FREE };
          await updateRows(db, "orders", ofOrder(key), due);
          return "taken";
        },
        (made) => made === "taken",
      ),
  };
}

/** Erase what checks say about the buyers of orders whose content is erased. When they were asked, and the answer, stays. */
export async function eraseBuyerChecks(db: Database, keys: readonly DueKey[]): Promise<void> {
  if (keys.length === 0) return;
  const isTheirs = sql<SqlBool>`${isOneOf("order_id", keys)} and (recipient is not null or kept is not null)`;
  await updateRows(db, "buyer_checks", {}, { ...NO_RECIPIENT, kept: null }, isTheirs);
}

/** Erase a customer's address from the checks of other orders, and close their links: nobody may answer there any more. */
export async function eraseRecipient(
  db: Database,
  sealer: Sealer,
  { tenant, email }: { readonly tenant: string; readonly email?: string | undefined },
  atMs: number,
): Promise<readonly CheckKey[]> {
  if (email === undefined) return [];
  const digest = sealer.emailDigest(tenant, email);
  const { rows } = await sql<{ orderId: string; checkId: string }>`
    update buyer_checks set recipient = null, recipient_digest = null, send_at = null, retry_at = null, revoked_at = ${atMs}
    where tenant = ${tenant} and recipient_digest = ${digest}
    returning order_id as "orderId", check_id as "checkId"`.execute(db);
  return rows.map((row) => ({ tenant, ...row }));
}

const NO_RECIPIENT = { recipient: null, recipient_digest: null, send_at: null, retry_at: null };

function isPersonal({ recipient, kept }: BuyerCheckChanges): boolean {
  return recipient !== undefined || kept !== undefined;
}

/** Lock an order, and say whether a check may still keep something personal: neither the order nor its buyer was erased. */
async function lockContent({ engine }: StoreContext, db: Database, key: CheckKey): Promise<boolean> {
  const row = await lockRow(db, key, engine.leaseClock(0));
  const check = await findRow(db, "buyer_checks", toKey(key), ["revoked_at"]);
  return row?.erased_at === null && check?.revoked_at === null;
}

/** An open check, while its order is locked; null if its link doesn't work any more. */
async function lockCheck(context: StoreContext, db: Database, key: CheckKey, nowMs: number) {
  const row = await lockRow(db, key, context.engine.leaseClock(nowMs));
  // An erasure changes the check without the order's lock: it waits for this, or this sees that the link is closed.
  const { tenant, orderId, checkId } = key;
  await sql`update buyer_checks set tries = tries
    where tenant = ${tenant} and order_id = ${orderId} and check_id = ${checkId}`.execute(db);
  const order = await readOrder(context, db, key);
  const kept = await findRow(db, "buyer_checks", toKey(key), COLUMNS);
  if (row === undefined || order === null || kept === undefined) return null;
  const check = toCheck(context.sealer, kept);
  return isLinkOpen(check, order, nowMs) ? { check, isBusy: row.is_busy === 1 } : null;
}

export async function listChecks(
  db: Database,
  sealer: Sealer,
  key: OrderKey,
): Promise<readonly BuyerCheck[]> {
  const newest = sql`order by asked_at desc, decided_at desc`;
  const rows = await selectRows(db, "buyer_checks", ofOrder(key), COLUMNS, undefined, newest);
  return rows.map((row) => toCheck(sealer, row));
}

async function listOf(db: Database, sealer: Sealer, { tenant, orderIds, email }: QuestionsOf) {
  const rows = await inChunks(orderIds, (ids) =>
    selectRows(db, "buyer_checks", { tenant, order_id: ids }, COLUMNS),
  );
  const digest = email === undefined ? undefined : sealer.emailDigest(tenant, email);
  if (digest !== undefined)
    rows.push(...(await selectRows(db, "buyer_checks", { tenant, recipient_digest: digest }, COLUMNS)));
  const checks = new Map(rows.map((row) => [row.check_id, toCheck(sealer, row)]));
  return [...checks.values()].toSorted((one, other) => one.askedAtMs - other.askedAtMs);
}

/** The digest is only searched for. */
type Row = Omit<Selectable<Schema["buyer_checks"]>, "recipient_digest">;

const COLUMNS = [
  ...(["tenant", "order_id", "check_id", "token_digest", "decided_at", "effect"] as const),
  ...([
    "is_strong",
    "methods",
    "route",
    "recipient",
    "kept",
    "asked_at",
    "expires_at",
    "send_at",
    "sends",
    "retry_at",
    "retries",
  ] as const),
  ...(["sent_at", "problem", "tries", "answered_at", "answer", "method", "revoked_at"] as const),
] as const;

function toRow(sealer: Sealer, check: NewBuyerCheck) {
  return {
    ...ofOrder(check),
    check_id: check.checkId,
    token_digest: check.tokenDigest,
    decided_at: check.decidedAtMs,
    effect: check.effect,
    is_strong: check.isStrong ? 1 : 0,
    methods: JSON.stringify(check.methods),
    route: check.route,
    ...toRecipientColumns(sealer, check, check.recipient),
    kept: null,
    asked_at: check.askedAtMs,
    expires_at: Math.ceil(check.expiresAtMs),
    retry_at: check.retryAtMs,
    retries: 0,
    sends: 0,
    tries: 0,
  };
}

function toRecipientColumns(sealer: Sealer, key: CheckKey, recipient: Recipient | null) {
  return {
    recipient: recipient === null ? null : sealer.sealJson(toPlace("recipient", key), recipient),
    recipient_digest: recipient?.kind === "email" ? sealer.emailDigest(key.tenant, recipient.address) : null,
  };
}

function toCheck(sealer: Sealer, row: Row): BuyerCheck {
  const key = { tenant: row.tenant, orderId: row.order_id, checkId: row.check_id };
  const { answer, method, answered_at: atMs } = row;
  return {
    ...key,
    tokenDigest: row.token_digest,
    decidedAtMs: row.decided_at,
    effect: row.effect,
    isStrong: row.is_strong === 1,
    methods: JSON.parse(row.methods) as OfferedMethods,
    route: row.route,
    recipient: (sealer.tryJson(toPlace("recipient", key), row.recipient) ?? null) as Recipient | null,
    kept: sealer.tryJson(toPlace("kept", key), row.kept) ?? {},
    askedAtMs: row.asked_at,
    expiresAtMs: row.expires_at,
    sendAtMs: row.send_at,
    sends: row.sends,
    retryAtMs: row.retry_at,
    retries: row.retries,
    sentAtMs: row.sent_at,
    problem: row.problem,
    tries: row.tries,
    answer: answer === null || method === null || atMs === null ? null : { answer, method, atMs },
    revokedAtMs: row.revoked_at,
  };
}

function toChanges(
  sealer: Sealer,
  key: CheckKey,
  changes: BuyerCheckChanges,
): UpdateObject<Schema, "buyer_checks"> {
  const { methods, kept, recipient, isStrong } = changes;
  return {
    ...(recipient === undefined ? {} : toRecipientColumns(sealer, key, recipient)),
    is_strong: isStrong === undefined ? undefined : Number(isStrong),
    methods: methods === undefined ? undefined : JSON.stringify(methods),
    route: changes.route,
    kept: kept === undefined ? undefined : sealer.sealJson(toPlace("kept", key), kept),
    send_at: changes.sendAtMs,
    sends: changes.sends,
    retry_at: changes.retryAtMs,
    retries: changes.retries,
    sent_at: changes.sentAtMs,
    problem: changes.problem,
    revoked_at: changes.revokedAtMs,
  };
}

function toKey({ checkId, ...order }: CheckKey) {
  return { ...ofOrder(order), check_id: checkId };
}

function toPlace(column: "recipient" | "kept", { tenant, orderId, checkId }: CheckKey): Place {
  return { tenant, table: "buyer_checks", column, row: `${orderId}\0${checkId}` };
}

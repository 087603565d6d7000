import { toKnownNow, type MappedOrder, type TenantId } from "../../platform/platform.ts";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { toMailboxSource, toSourceName, toSources } from "../credits/burst-brake.ts";
import {
  eraseListEntries,
  findOwnKeys,
  openStates,
  RECOGNIZED_BY,
  toListKeys,
  type RecognizableRow,
} from "./list-erasure.ts";
import {
  createMentions,
  findMentions,
  type ErasureRequest,
  findRevisedOrders,
  type Mentions,
} from "./mentions.ts";
import type { StoreContext } from "../context.ts";
import { toLedgerName } from "../credits/ledger.ts";
import { ERASED_COLUMNS, placeOfOrder } from "../orders/order-rows.ts";
import { listChanges } from "../orders/revisions.ts";
import type { CustomerOrder, OrderRevision, TimelineEntry } from "../orders/order-record.ts";
import type { Database } from "../schema/schema.ts";
import type { Sealer } from "../sealing/sealing.ts";
import { eraseKept } from "../outcomes/kept-orders.ts";
import { eraseVelocity } from "../velocity/velocity.ts";
import {
  areOrders,
  deleteRows,
  forChunks,
  inChunks,
  selectOne,
  selectRows,
  updateRows,
} from "../statements.ts";
import { addTimelines, eraseNotes } from "../orders/history.ts";
import { eraseBuyerChecks, eraseRecipient } from "../buyer-checks/buyer-checks.ts";
import { eraseBuyerEvidence, eraseEvidenceOf } from "../buyer-checks/buyer-evidence.ts";
import { eraseAddresses } from "../buyer-checks/kept-addresses.ts";
import { eraseDrafts } from "../orders/note-drafts.ts";
import { eraseViewsThat } from "../people/saved-views.ts";
import { FREE } from "../engines/engine.ts";

/** Erasure on request, and access to a customer's stored data. */
export interface Erasure {
  /**
   * How many deliveries received before `beforeMs` still need work, and how many orders have no decision yet. An
   * erasure request has to wait for them, or it would lose an order.
   */
  countUndecided(tenant: TenantId, beforeMs: number): Promise<number>;
  /**
   * Erase the personal data of the matching orders (requests, answers, kept answers, delivery bodies, customer IDs).
   * Decisions and ledger stay. One erasure at a time per tenant. Resolves to the erased order IDs.
   */
  eraseOrders(asked: ErasureRequest, entry: TimelineEntry): Promise<readonly string[]>;
  /** Orders of one customer, for a data request. */
  findCustomerOrders(request: ErasureRequest): Promise<readonly CustomerOrder[]>;
}

export function createErasure(context: StoreContext): Erasure {
  const { engine, sealer } = context;
  return {
    async countUndecided(tenant, beforeMs) {
      const isPending = sql`tenant = ${tenant} and ready_at is not null and received_at < ${beforeMs}`;
      const query = sql<{ undecided: number }>`
        select cast(sum(undecided) as bigint) as undecided from (
          select count(*) as undecided from deliveries where ${isPending}
          union all
          select count(*) from orders where ${isPending} and decision is null) as work`;
      return (await engine.read((db) => selectOne(db, query))).undecided;
    },
    async eraseOrders(asked, entry) {
      const { tenant } = asked;
      const request = await withRevised(context, asked);
      const known = await engine.read((db) => findOrderIds(db, sealer, request));
      // Before the orders, so that a process that restarts after a crash finds the customer again.
      const theirIds = new Set([...known, ...request.orderIds]);
      const rows = await engine.read((db) => selectOrders(db, tenant, [...theirIds]));
      const keys = toListKeys(context, tenant, rows, request.email);
      await eraseListEntries(context, tenant, await findOwnKeys(context, tenant, keys, theirIds), entry.atMs);
      await eraseViewsThat(mentionsPerson(sealer, tenant, rows, request.email), context, tenant);
      // Decrypting bodies and reports takes too long for a transaction.
      const mentions = createMentions({ ...request, orderIds: [...request.orderIds, ...known] });
      const { deliveryIds, reportIds } = await findMentions(context, request, mentions);
      const unit = async (db: Database): Promise<readonly string[]> => {
        const orderIds = [...new Set([...request.orderIds, ...(await findOrderIds(db, sealer, request))])];
        await eraseSources(db, context, { ...request, orderIds });
        const found = await inChunks(orderIds, async (ids) => [
          ...(await eraseOrderRows(db, tenant, ids, entry)),
          ...(await eraseAnswers(db, tenant, ids)),
        ]);
        const leaseNow = engine.leaseClock(entry.atMs);
        await forChunks(deliveryIds, (ids) => eraseBodies(db, tenant, ids, leaseNow));
        await forChunks(reportIds, (ids) => deleteRows(db, "reports", { tenant, request_id: ids }));
        await eraseKept(db, sealer, { ...request, orderIds });
        await eraseAddresses(db, sealer, { ...request, orderIds });
        // The links are closed first, so that nothing is sent through them after this.
        const links = await eraseRecipient(db, sealer, request, entry.atMs);
        await eraseEvidenceOf(db, tenant, links);
        await eraseVelocity(db, context, { ...request, orderIds });
        return [...new Set(found)];
      };
      // Not while a call begins: this wouldn't see the call's entry, and the call wouldn't see that its order is erased.
      const erased = await engine.write(unit, { alone: toLedgerName(tenant) });
      await engine.scrub();
      return erased;
    },
    findCustomerOrders: (request) => findCustomerOrders(context, request),
  };
}

/**
 * Whether a text that isn't about an order names the customer. Their IDs don't count there: a host's can be as short as
 * any number, and so can a name without a space be any word.
 */
function mentionsPerson(
  sealer: Sealer,
  tenant: TenantId,
  rows: readonly RecognizableRow[],
  email: string | undefined,
): Mentions {
  const states = rows.flatMap((row) => openStates(sealer, tenant, row));
  const names = states.flatMap((state) => [toKnownNow(state).customerName, state.recipientName]);
  const full = names.flatMap((name) => (name != null && /\s/.test(name.trim()) ? [name.trim()] : []));
  return createMentions({ orderIds: [], customerId: undefined, email, names: full });
}

/** The request, extended with orders that had the address before a change or will have it after one. */
async function withRevised(context: StoreContext, request: ErasureRequest): Promise<ErasureRequest> {
  const { tenant, email } = request;
  if (email === undefined) return request;
  const mentions = createMentions({ orderIds: [], customerId: undefined, email });
  const revised = await findRevisedOrders(context, tenant, mentions);
  return revised.length === 0 ? request : { ...request, orderIds: [...request.orderIds, ...revised] };
}

async function findCustomerOrders(context: StoreContext, asked: ErasureRequest) {
  const { engine, sealer } = context;
  const { tenant } = asked;
  const request = await withRevised(context, asked);
  const rows = await engine.read(async (db) =>
    selectOrders(db, tenant, await findOrderIds(db, sealer, request)),
  );
  const orders: CustomerOrder[] = [];
  for (const { order_id: orderId, mapped, revised: sealed } of rows) {
    if (mapped === null) continue;
    const key = { tenant, orderId };
    const order = sealer.openJson(placeOfOrder("mapped", key), mapped) as MappedOrder;
    const changes = await listChanges(context, key);
    const revision =
      sealed === null ? null : (sealer.openJson(placeOfOrder("revised", key), sealed) as OrderRevision);
    orders.push({
      orderId,
      request: toCustomerRequest(order),
      ...(revision === null ? {} : { revised: toCustomerRequest(revision.mapped) }),
      ...(changes.length === 0 ? {} : { changes }),
    });
  }
  return orders;
}

function toCustomerRequest(order: MappedOrder): CustomerOrder["request"] {
  const { recipientName, context } = order;
  return { ...toKnownNow(order), recipientName, context };
}

/** IDs of the orders that the request covers. Digests find them, so no row is decrypted. */
async function findOrderIds(
  db: Database,
  sealer: Sealer,
  { tenant, orderIds, customerId, email }: ErasureRequest,
): Promise<readonly string[]> {
  const owners = [
    customerId !== undefined && { tenant, customer_digest: sealer.customerDigest(tenant, customerId) },
    email !== undefined && { tenant, email_digest: sealer.emailDigest(tenant, email) },
  ];
  const rows = await inChunks(orderIds, (ids) =>
    selectRows(db, "orders", { tenant, order_id: ids }, ["order_id"]),
  );
  for (const owner of owners)
    if (owner !== false) rows.push(...(await selectRows(db, "orders", owner, ["order_id"])));
  return [...new Set(rows.map((row) => row.order_id))];
}

/** The given orders that are stored, with the columns that recognize their customer. */
function selectOrders(db: Database, tenant: string, orderIds: readonly string[]): Promise<RecognizableRow[]> {
  const columns = ["order_id", ...RECOGNIZED_BY] as const;
  return inChunks(orderIds, (ids) => selectRows(db, "orders", { tenant, order_id: ids }, columns));
}

async function eraseOrderRows(db: Database, tenant: string, ids: readonly string[], entry: TimelineEntry) {
  const erased = await db
    .updateTable("orders")
    .set({ ...ERASED_COLUMNS, erased_at: entry.atMs })
    .where(areOrders(tenant, ids))
    .where("erased_at", "is", null)
    .returning("order_id")
    .execute();
  const orderIds = erased.map((row) => row.order_id);
  const theirs = { tenant, order_id: ids };
  await updateRows(db, "order_changes", theirs, { content: null });
  // Data that can remain after an erasure by age: newer notes, and facts, because they name nobody.
  await updateRows(db, "orders", theirs, { facts: null }, sql<SqlBool>`facts is not null`);
  const keys = ids.map((id) => ({ tenant, id }));
  await eraseNotes(db, keys);
  await eraseDrafts(db, keys);
  await eraseBuyerEvidence(db, keys);
  await eraseBuyerChecks(db, keys);
  await addTimelines(db, tenant, orderIds, [entry]);
  return orderIds;
}

/** The flood counters of these orders' addresses and of the customer's mailbox. */
async function eraseSources(
  db: Database,
  context: StoreContext,
  { tenant, orderIds, email }: ErasureRequest,
): Promise<void> {
  const sources = await inChunks(orderIds, async (ids) => {
    const rows = await selectOrders(db, tenant, ids);
    // Content that can't be decrypted has no sources.
    const states = rows.flatMap((row) => openStates(context.sealer, tenant, row));
    return states.flatMap((state) => (state.outcome === "screenable" ? toSources(state.request) : []));
  });
  if (email !== undefined) sources.push(toMailboxSource(email));
  const names = new Set(sources.map((source) => toSourceName(context.keyring, tenant, source)));
  await forChunks([...names], (some) => deleteRows(db, "attempt_sources", { tenant, source: some }));
}

async function eraseAnswers(db: Database, tenant: string, ids: readonly string[]) {
  // A call under way still ends in the ledger, but its answer is dropped.
  const isOpen = sql<SqlBool>`ended_at is null`;
  await updateRows(db, "attempts", { tenant, order_id: ids }, { erased: 1 }, isOpen);
  const erased = await db.deleteFrom("answers").where(areOrders(tenant, ids)).returning("order_id").execute();
  return erased.flatMap((row) => row.order_id ?? []);
}

/** Leave deliveries that are being processed: their bodies are erased when they finish. */
function eraseBodies(db: Database, tenant: string, ids: readonly string[], leaseNow: RawBuilder<number>) {
  const erased = { body: null, due_at: null, ...FREE, outcome: "erased", awaits_installation: 0 };
  const isFree = sql<SqlBool>`body is not null and (lease_until is null or lease_until <= ${leaseNow})`;
  return updateRows(db, "deliveries", { tenant, delivery_id: ids }, erased, isFree);
}

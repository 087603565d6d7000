import { toKnown, type MappedOrder, type TenantId } from "../../platform/platform.ts";
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
import { createMentions, findMentions, type Mentioned } from "./mentions.ts";
import type { StoreContext } from "../context.ts";
import { toLedgerName } from "../credits/ledger.ts";
import { ERASED_COLUMNS, HAS_LINKS, placeOfOrder, UNLINKED_COLUMNS } from "../orders/order-rows.ts";
import { FREE } from "../orders/orders.ts";
import { findRevisedOrders, listChanges } from "../orders/revisions.ts";
import type { CustomerOrder, OrderRevision, TimelineEntry } from "../orders/order-record.ts";
import type { Database } from "../schema/schema.ts";
import type { Sealer } from "../sealing/sealing.ts";
import { eraseTenant, findErasure } from "./tenant-erasure.ts";
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

/** Which orders to erase. */
export interface ErasureRequest extends Mentioned {
  readonly tenant: TenantId;
}

/** Erasure on request, and finding what is kept of a customer. */
export function createErasure(context: StoreContext) {
  return {
    /**
     * Deliveries of a tenant that were received before `beforeMs` and still need work, and its orders without a
     * decision: what a request to erase a customer has to wait for, or it would lose an order.
     */
    countUndecided: (tenant: TenantId, beforeMs: number) =>
      context.engine.read((db) => countUndecided(db, tenant, beforeMs)),
    /**
     * Erase what is personal of the matching orders (requests, answers, kept answers, delivery bodies, customer
     * ids), leaving decisions and ledger. One at a time in a tenant. Resolves to the erased order ids.
     */
    eraseOrders: (request: ErasureRequest, entry: TimelineEntry) => eraseOrders(context, request, entry),
    /**
     * Erase the tenant: every row of every table. Resolves to `false`, changing nothing, when it was installed after
     * `installedBeforeMs`. Default: erased in any case. That moment is kept, under a digest that names nobody.
     */
    eraseTenant: (tenant: TenantId, installedBeforeMs?: number) =>
      eraseTenant(context, tenant, installedBeforeMs),
    /** The `installedBeforeMs` of the tenant's last erasure: what it knew until then may have been known. Null: none. */
    findErasure: (tenant: TenantId) => findErasure(context, tenant),
    /** Orders of one customer, for a data request. */
    findCustomerOrders: (request: ErasureRequest) => findCustomerOrders(context, request),
  };
}

async function countUndecided(db: Database, tenant: TenantId, beforeMs: number): Promise<number> {
  const isPending = sql`tenant = ${tenant} and ready_at is not null and received_at < ${beforeMs}`;
  const query = sql<{ undecided: number }>`
    select cast(sum(undecided) as bigint) as undecided from (
      select count(*) as undecided from deliveries where ${isPending}
      union all
      select count(*) from orders where ${isPending} and decision is null) as work`;
  return (await selectOne(db, query)).undecided;
}

async function eraseOrders(
  context: StoreContext,
  asked: ErasureRequest,
  entry: TimelineEntry,
): Promise<readonly string[]> {
  const { engine, sealer } = context;
  const { tenant } = asked;
  const request = await withRevised(context, asked);
  const known = await engine.read((db) => findOrderIds(db, sealer, request));
  // Before the orders: a process that dies in between finds the customer again.
  const theirIds = new Set([...known, ...request.orderIds]);
  const keys = await findListKeys(context, request, theirIds);
  await eraseListEntries(context, tenant, await findOwnKeys(context, tenant, keys, theirIds), entry.atMs);
  // Opening bodies and reports takes time that a transaction does not have.
  const mentions = createMentions({ ...request, orderIds: [...request.orderIds, ...known] });
  const { deliveryIds, reportIds } = await findMentions(context, tenant, mentions);
  const unit = async (db: Database): Promise<readonly string[]> => {
    const orderIds = [...new Set([...request.orderIds, ...(await findOrderIds(db, sealer, request))])];
    await eraseSources(db, context, tenant, orderIds, request.email);
    const found = await inChunks(orderIds, async (ids) => [
      ...(await eraseOrderRows(db, tenant, ids, entry)),
      ...(await eraseAnswers(db, tenant, ids)),
    ]);
    const leaseNow = engine.leaseClock(entry.atMs);
    await forChunks(deliveryIds, (ids) => eraseBodies(db, tenant, ids, leaseNow));
    await forChunks(reportIds, (ids) => deleteRows(db, "reports", { tenant, request_id: ids }));
    await eraseVelocity(db, context, tenant, orderIds, request.email);
    return [...new Set(found)];
  };
  // Not while a call begins: its entry would be neither seen here, nor see that its order is erased.
  const erased = await engine.write(unit, { alone: toLedgerName(tenant) });
  await engine.scrub();
  return erased;
}

async function findListKeys(
  context: StoreContext,
  { tenant, email }: ErasureRequest,
  orderIds: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const rows = await context.engine.read((db) => selectOrders(db, tenant, [...orderIds]));
  return toListKeys(context, tenant, rows, email);
}

/** The same request that also names orders which had the address before they were changed, or will have it. */
async function withRevised(context: StoreContext, request: ErasureRequest): Promise<ErasureRequest> {
  const { tenant, email } = request;
  if (email === undefined) return request;
  const mentions = createMentions({ orderIds: [], customerId: undefined, email });
  const revised = await findRevisedOrders(context, tenant, mentions);
  return revised.length === 0 ? request : { ...request, orderIds: [...request.orderIds, ...revised] };
}

async function findCustomerOrders(
  context: StoreContext,
  asked: ErasureRequest,
): Promise<readonly CustomerOrder[]> {
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
  const known = toKnown(order);
  const { recipientName, context } = order;
  return {
    ...known,
    ...(recipientName === undefined ? {} : { recipientName }),
    ...(context === undefined ? {} : { context }),
  };
}

/** Ids of the tenant's orders that the request means. Digests find them: no row is opened. */
async function findOrderIds(
  db: Database,
  sealer: Sealer,
  { tenant, orderIds, customerId, email }: ErasureRequest,
): Promise<readonly string[]> {
  const select = (values: {
    order_id?: readonly string[];
    customer_digest?: string;
    email_digest?: string;
  }) => selectRows(db, "orders", { tenant, ...values }, ["order_id"]);
  const rows = await inChunks(orderIds, (ids) => select({ order_id: ids }));
  if (customerId !== undefined)
    rows.push(...(await select({ customer_digest: sealer.customerDigest(tenant, customerId) })));
  if (email !== undefined) rows.push(...(await select({ email_digest: sealer.emailDigest(tenant, email) })));
  return [...new Set(rows.map((row) => row.order_id))];
}

/** Those of the orders that are kept, with what tells whose they are. */
function selectOrders(db: Database, tenant: string, orderIds: readonly string[]): Promise<RecognizableRow[]> {
  const columns = ["order_id", ...RECOGNIZED_BY] as const;
  return inChunks(orderIds, (ids) => selectRows(db, "orders", { tenant, order_id: ids }, columns));
}

async function eraseOrderRows(
  db: Database,
  tenant: string,
  ids: readonly string[],
  entry: TimelineEntry,
): Promise<readonly string[]> {
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
  // What may outlive an erasure by age: notes that were written since, facts because they name nobody, and digests that a
  // process of an earlier release doesn't know of.
  const isLeft = sql<SqlBool>`(facts is not null or ${HAS_LINKS})`;
  await updateRows(db, "orders", theirs, { facts: null, ...UNLINKED_COLUMNS }, isLeft);
  await eraseNotes(
    db,
    ids.map((id) => ({ tenant, id })),
  );
  await addTimelines(db, tenant, orderIds, [entry]);
  return orderIds;
}

/** What is counted against floods at the addresses of these orders, and at the customer's mailbox. */
async function eraseSources(
  db: Database,
  context: StoreContext,
  tenant: string,
  orderIds: readonly string[],
  email: string | undefined,
): Promise<void> {
  const sources = await inChunks(orderIds, async (ids) => {
    const rows = await selectOrders(db, tenant, ids);
    // What can't be opened has none.
    const states = rows.flatMap((row) => openStates(context.sealer, tenant, row));
    return states.flatMap((state) => (state.outcome === "screenable" ? toSources(state.request) : []));
  });
  if (email !== undefined) sources.push(toMailboxSource(email));
  const names = new Set(sources.map((source) => toSourceName(context.keyring, tenant, source)));
  await forChunks([...names], (some) => deleteRows(db, "attempt_sources", { tenant, source: some }));
}

async function eraseAnswers(
  db: Database,
  tenant: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  // A call that is under way ends in the ledger, and its answer is dropped.
  const isOpen = sql<SqlBool>`ended_at is null`;
  await updateRows(db, "attempts", { tenant, order_id: ids }, { erased: 1 }, isOpen);
  const erased = await db.deleteFrom("answers").where(areOrders(tenant, ids)).returning("order_id").execute();
  return erased.flatMap((row) => row.order_id ?? []);
}

/** Deliveries that somebody is working on right now are left alone: their bodies go when they are finished. */
function eraseBodies(db: Database, tenant: string, ids: readonly string[], leaseNow: RawBuilder<number>) {
  const erased = { body: null, due_at: null, ...FREE, outcome: "erased", awaits_installation: 0 };
  const isFree = sql<SqlBool>`body is not null and (lease_until is null or lease_until <= ${leaseNow})`;
  return updateRows(db, "deliveries", { tenant, delivery_id: ids }, erased, isFree);
}

import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { OrderDifference, OrderRevision, OrderKey, OrderRecord, TimelineEntry } from "./order-record.ts";
import type { FieldChange } from "../../order/material-change.ts";
import { writeWork, type StoreContext } from "../context.ts";
import type { Mentions } from "../retention/mentions.ts";
import { placeOfOrder, toCustomerColumns, toWoken } from "./order-rows.ts";
import type { Database } from "../schema/schema.ts";
import type { Place } from "../sealing/sealing.ts";
import { insertRow, ofOrder, selectRows, updateRows } from "../statements.ts";
import { addTimeline } from "./history.ts";

/** A change of an order to keep. */
export interface NewRevision extends Omit<OrderDifference, "atMs"> {
  /** When the platform saw it, milliseconds since the epoch. */
  readonly asOfMs: number;
  readonly nowMs: number;
  readonly revision: OrderRevision;
  /** Kept if no customer was known. */
  readonly customerId: string | undefined;
  readonly entry: TimelineEntry;
  /** The order that the change was found against. */
  readonly seen: SeenOrder;
}

/** What tells whether an order is still the one that was looked at. */
type SeenOrder = Pick<OrderRecord, "asOfMs" | "revisedAtMs" | "decidedAtMs" | "revision">;

/** The platform's word that an order is what it is known to be. */
export interface Confirmation {
  /** When the platform saw it, milliseconds since the epoch. */
  readonly asOfMs: number;
  /** The order that it was compared with. */
  readonly seen: SeenOrder;
}

/** Changes of one order that are shown; one that is edited for ever keeps all of them. */
const SHOWN = 100;
/** Sealed texts opened between two turns of the event loop. */
const TEXTS_PER_READ = 100;

/** How orders changed on the platform. */
export function createRevisions(context: StoreContext) {
  const { engine } = context;
  return {
    /**
     * Keep a change of an order: the difference for good, the new content until it is taken up, and an order to rescreen
     * due now, whatever its state, or as soon as it is released. Resolves to `false`, changing nothing, when the order is
     * erased or gone, is no longer what `seen` says, or the platform has reported a later state: look again.
     */
    reviseOrder: (key: OrderKey, change: NewRevision) =>
      writeWork(
        engine,
        (db) => reviseOrder(context, db, key, change),
        (isKept) => isKept && change.revision.rescreen,
      ),
    /**
     * Remember how new the platform's word of an order is although it said nothing new, so that older word does not pass
     * for news. Resolves to `false`, changing nothing, in the cases of `reviseOrder`.
     */
    confirmOrder: (key: OrderKey, { asOfMs, seen }: Confirmation) =>
      engine.write(async (db) => {
        const isAsSeen = toAsSeen(asOfMs, seen);
        return (await updateRows(db, "orders", ofOrder(key), { as_of: asOfMs }, isAsSeen)) > 0;
      }),
    /** The latest changes of an order, newest last. */
    listChanges: (key: OrderKey) => listChanges(context, key),
  };
}

async function reviseOrder(
  { sealer }: StoreContext,
  db: Database,
  key: OrderKey,
  { asOfMs, nowMs, revision, material, fields, customerId, entry, seen }: NewRevision,
): Promise<boolean> {
  // The moment is part of a change's key, and of what a worker says it has taken up.
  const atMs = seen.revisedAtMs === null ? asOfMs : Math.max(asOfMs, seen.revisedAtMs + 1);
  const customer = customerId === undefined ? undefined : toCustomerColumns(sealer, key, customerId);
  const changes = {
    revised: sealer.sealJson(placeOfOrder("revised", key), revision),
    revised_at: atMs,
    as_of: asOfMs,
    ...(customer && {
      customer_id: sql<Uint8Array>`coalesce(customer_id, ${customer.customer_id})`,
      customer_digest: sql<string>`coalesce(customer_digest, ${customer.customer_digest})`,
    }),
    ...(revision.rescreen ? toWoken(nowMs) : {}),
  };
  const isAsSeen = toAsSeen(asOfMs, seen);
  if ((await updateRows(db, "orders", ofOrder(key), changes, isAsSeen)) === 0) return false;
  const content = sealer.sealJson(placeOfChange(key, atMs), fields);
  await insertRow(db, "order_changes", { ...ofOrder(key), at: atMs, material: Number(material), content });
  await addTimeline(db, key, [entry]);
  return true;
}

/** An order that is still what was seen of it, and of which the platform has told nothing newer. */
function toAsSeen(asOfMs: number, seen: SeenOrder): RawBuilder<SqlBool> {
  return sql<SqlBool>`erased_at is null
    and revised_at is not distinct from ${seen.revisedAtMs} and decided_at is not distinct from ${seen.decidedAtMs}
    and ${seen.revision === null ? sql`revised is null` : sql`revised is not null`}
    and as_of is not distinct from ${seen.asOfMs} and (as_of is null or as_of <= ${asOfMs})`;
}

/** The latest changes of an order, newest last. */
export async function listChanges(
  { engine, sealer }: StoreContext,
  key: OrderKey,
): Promise<readonly OrderDifference[]> {
  const newest = sql`order by at desc limit ${SHOWN}`;
  const rows = await engine.read((db) =>
    selectRows(db, "order_changes", ofOrder(key), ["at", "material", "content"], undefined, newest),
  );
  return rows.toReversed().map(({ at, material, content }) => {
    const fields = sealer.tryJson(placeOfChange(key, at), content) ?? [];
    return { atMs: at, material: material === 1, fields: fields as readonly FieldChange[] };
  });
}

/**
 * Ids of a tenant's orders that were once somebody's, or are going to be: what changed about them speaks of the person,
 * and the digests of the order know only how it was screened.
 */
export async function findRevisedOrders(
  { engine, sealer, pace }: StoreContext,
  tenant: string,
  mentions: Mentions,
): Promise<readonly string[]> {
  const found = new Set<string>();
  const look = (orderId: string, place: Place, sealed: Uint8Array | null): void => {
    if (found.has(orderId)) return;
    const text = sealer.tryBytes(place, sealed);
    if (text !== undefined && mentions(text.toString())) found.add(orderId);
  };
  const from = { orderId: "", atMs: 0 };
  for (;;) {
    const rows = await engine.read((db) => selectChanges(db, tenant, from));
    for (const { order_id: orderId, at, content } of rows) {
      look(orderId, placeOfChange({ tenant, orderId }, at), content);
      Object.assign(from, { orderId, atMs: at });
    }
    if (rows.length < TEXTS_PER_READ) break;
    await pace(tenant);
  }
  // Content that waits to be taken up; its change has been looked at, and names what the order was without.
  const isRevised = sql<SqlBool>`revised is not null`;
  const revised = await engine.read((db) =>
    selectRows(db, "orders", { tenant }, ["order_id", "revised"], isRevised),
  );
  for (const { order_id: orderId, revised: sealed } of revised) {
    look(orderId, placeOfOrder("revised", { tenant, orderId }), sealed);
  }
  return [...found];
}

function selectChanges(db: Database, tenant: string, from: { orderId: string; atMs: number }) {
  const isNext = sql<SqlBool>`content is not null and (order_id, at) > (${from.orderId}, ${from.atMs})`;
  const inOrder = sql`order by order_id, at limit ${TEXTS_PER_READ}`;
  return selectRows(db, "order_changes", { tenant }, ["order_id", "at", "content"], isNext, inOrder);
}

/** Where the fields of a change are sealed for. */
function placeOfChange({ tenant, orderId }: OrderKey, atMs: number): Place {
  return { tenant, table: "order_changes", column: "content", row: `${orderId}\0${atMs}` };
}

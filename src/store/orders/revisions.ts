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

export interface NewRevision extends Omit<OrderDifference, "atMs"> {
  /** When it was so on the platform, milliseconds since the epoch. */
  readonly asOfMs: number;
  readonly nowMs: number;
  readonly revision: OrderRevision;
  /** Stored if the customer wasn't known before. */
  readonly customerId: string | undefined;
  readonly entry: TimelineEntry;
  /** The state that the change was compared with. */
  readonly seen: SeenOrder;
}

/** The fields that show whether an order is still as it was read. */
type SeenOrder = Pick<OrderRecord, "asOfMs" | "revisedAtMs" | "decidedAtMs" | "revision">;

/** A report of the platform that an order is unchanged. */
export interface Confirmation {
  /** When it was so on the platform, milliseconds since the epoch. */
  readonly asOfMs: number;
  /** The state that it was compared with. */
  readonly seen: SeenOrder;
}

/** How many changes of an order are shown. All of them are stored. */
const MOST_SHOWN = 100;
/** How many texts are decrypted between two turns of the event loop. */
const TEXTS_PER_READ = 100;

export function createRevisions(context: StoreContext) {
  const { engine, sealer } = context;
  return {
    /**
     * Store a change of an order: the difference permanently, and the new content until it is handled. If the order has
     * to be rescreened, make it due now in any state, or when its lease ends. Resolves to `false` without a change if
     * the order is erased or gone, has changed since `seen`, or if the platform has reported a later state. Then read
     * the order again.
     */
    reviseOrder(key: OrderKey, change: NewRevision) {
      const { asOfMs, nowMs, revision, material, fields, customerId, entry, seen } = change;
      // The time is part of a change's key, and identifies the change that a worker has handled.
      const atMs = seen.revisedAtMs === null ? asOfMs : Math.max(asOfMs, seen.revisedAtMs + 1);
      const customer = customerId === undefined ? undefined : toCustomerColumns(sealer, key, customerId);
      const columns = {
        revised: sealer.sealJson(placeOfOrder("revised", key), revision),
        revised_at: atMs,
        as_of: asOfMs,
        ...(customer && {
          customer_id: sql<Uint8Array>`coalesce(customer_id, ${customer.customer_id})`,
          customer_digest: sql<string>`coalesce(customer_digest, ${customer.customer_digest})`,
        }),
        ...(revision.rescreen ? toWoken(nowMs) : {}),
      };
      const content = sealer.sealJson(placeOfChange(key, atMs), fields);
      const row = { ...ofOrder(key), at: atMs, material: Number(material), content };
      const revise = async (db: Database): Promise<boolean> => {
        if ((await updateRows(db, "orders", ofOrder(key), columns, toAsSeen(asOfMs, seen))) === 0)
          return false;
        await insertRow(db, "order_changes", row);
        await addTimeline(db, key, [entry]);
        return true;
      };
      return writeWork(engine, revise, (isKept) => isKept && revision.rescreen);
    },
    /**
     * Record the time of a report that changed nothing, so that an older report isn't mistaken for a change. Resolves
     * to `false` without a change in the same cases as `reviseOrder`.
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

/** An order that is still as it was read, and about which the platform has reported nothing newer. */
function toAsSeen(asOfMs: number, seen: SeenOrder): RawBuilder<SqlBool> {
  return sql<SqlBool>`erased_at is null
    and revised_at is not distinct from ${seen.revisedAtMs} and decided_at is not distinct from ${seen.decidedAtMs}
    and ${seen.revision === null ? sql`revised is null` : sql`revised is not null`}
    and as_of is not distinct from ${seen.asOfMs} and (as_of is null or as_of <= ${asOfMs})`;
}

export async function listChanges(
  { engine, sealer }: StoreContext,
  key: OrderKey,
): Promise<readonly OrderDifference[]> {
  const newest = sql`order by at desc limit ${MOST_SHOWN}`;
  const rows = await engine.read((db) =>
    selectRows(db, "order_changes", ofOrder(key), ["at", "material", "content"], undefined, newest),
  );
  return rows.toReversed().map(({ at, material, content }) => {
    const fields = sealer.tryJson(placeOfChange(key, at), content) ?? [];
    return { atMs: at, material: material === 1, fields: fields as readonly FieldChange[] };
  });
}

/**
 * IDs of a tenant's orders that belonged to a person before a change, or will after one. Their changes contain the
 * person's data, and an order's digests only cover its screened state.
 */
export async function findRevisedOrders(
  context: StoreContext,
  tenant: string,
  mentions: Mentions,
): Promise<readonly string[]> {
  const { sealer } = context;
  const found = new Set<string>();
  const look = (orderId: string, place: Place, sealed: Uint8Array | null): void => {
    if (found.has(orderId)) return;
    const text = sealer.tryBytes(place, sealed);
    if (text !== undefined && mentions(text.toString())) found.add(orderId);
  };
  for await (const { order_id: orderId, at, content } of toPages(context, tenant, selectChanges))
    look(orderId, placeOfChange({ tenant, orderId }, at), content);
  // New content that hasn't been handled yet. Its change has been searched above, and names the former values.
  for await (const { order_id: orderId, revised } of toPages(context, tenant, selectRevised))
    look(orderId, placeOfOrder("revised", { tenant, orderId }), revised);
  return [...found];
}

/** All rows that `select` finds, a page at a time: it resolves to those that follow `last`. */
async function* toPages<Row>(
  { engine, pace }: StoreContext,
  tenant: string,
  select: (db: Database, tenant: string, last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  let last: Row | undefined;
  for (;;) {
    const after = last;
    const rows = await engine.read((db) => select(db, tenant, after));
    yield* rows;
    if (rows.length < TEXTS_PER_READ) return;
    last = rows.at(-1);
    await pace(tenant);
  }
}

function selectChanges(
  db: Database,
  tenant: string,
  last?: { readonly order_id: string; readonly at: number },
) {
  const isNext = sql<SqlBool>`content is not null and (order_id, at) > (${last?.order_id ?? ""}, ${last?.at ?? 0})`;
  const inOrder = sql`order by order_id, at limit ${TEXTS_PER_READ}`;
  return selectRows(db, "order_changes", { tenant }, ["order_id", "at", "content"], isNext, inOrder);
}

function selectRevised(db: Database, tenant: string, last?: { readonly order_id: string }) {
  const isNext = sql<SqlBool>`revised is not null and order_id > ${last?.order_id ?? ""}`;
  const inOrder = sql`order by order_id limit ${TEXTS_PER_READ}`;
  return selectRows(db, "orders", { tenant }, ["order_id", "revised"], isNext, inOrder);
}

function placeOfChange({ tenant, orderId }: OrderKey, atMs: number): Place {
  return { tenant, table: "order_changes", column: "content", row: `${orderId}\0${atMs}` };
}

import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { OrderDifference, OrderRevision, OrderRecord, TimelineEntry } from "./order-record.ts";
import type { FieldChange } from "../../order/material-change.ts";
import { writeWork, type StoreContext } from "../context.ts";
import { placeOfOrder, toCustomerColumns, toWoken } from "./order-rows.ts";
import type { Database } from "../schema/schema.ts";
import type { Place } from "../sealing/sealing.ts";
import { insertRow, ofOrder, selectRows, updateRows, type OrderKey } from "../statements.ts";
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

export interface OrderRevisions {
  /**
   * Store a change of an order: the difference permanently, and the new content until it is handled. If the order has
   * to be rescreened, make it due now in any state, or when its lease ends. Resolves to `false` without a change if
   * the order is erased or gone, has changed since `seen`, or if the platform has reported a later state. Then read
   * the order again.
   */
  revise(key: OrderKey, change: NewRevision): Promise<boolean>;
  /**
   * Record the time of a report that changed nothing, so that an older report isn't mistaken for a change. Resolves
   * to `false` without a change in the same cases as `revise`.
   */
  confirm(key: OrderKey, confirmation: Confirmation): Promise<boolean>;
  /** The latest changes of an order, newest last. */
  listChanges(key: OrderKey): Promise<readonly OrderDifference[]>;
}

export function createRevisions(context: StoreContext): OrderRevisions {
  const { engine, sealer } = context;
  return {
    revise(key, change) {
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
    confirm: (key, { asOfMs, seen }) =>
      engine.write(async (db) => {
        const isAsSeen = toAsSeen(asOfMs, seen);
        return (await updateRows(db, "orders", ofOrder(key), { as_of: asOfMs }, isAsSeen)) > 0;
      }),
    listChanges: (key) => listChanges(context, key),
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

export function placeOfChange({ tenant, orderId }: OrderKey, atMs: number): Place {
  return { tenant, table: "order_changes", column: "content", row: `${orderId}\0${atMs}` };
}

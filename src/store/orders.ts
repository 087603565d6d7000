import type { Insertable } from "kysely";
import { inKeyOrder, isOneOf } from "./due-keys.ts";
import type { StoreContext } from "./kysely-store.ts";
import {
  addTimeline,
  creditsSpent,
  ERASED_COLUMNS,
  placeOfOrder,
  toMappedColumns,
  toOrderColumns,
  toOrderRecord,
} from "./order-rows.ts";
import type { Database, OrdersTable } from "./schema.ts";
import type { Sealer } from "./sealing.ts";
import type {
  ClaimOptions,
  NewOrder,
  OrderChanges,
  OrderKey,
  OrderRecord,
  OrderStore,
  OrderTransition,
  StepRecord,
  TimelineEntry,
} from "./store.ts";

const FREE = { lease_owner: null, lease_until: null } as const;

/** What an order becomes when nobody has to follow it up any more. */
export const SETTLED_COLUMNS = {
  state: "settled",
  due_at: null,
  problem: null,
  // The hold, if there was one, ended with the order.
  hold_deadline_at: null,
  ...FREE,
} as const;

type OrderWriter = Pick<
  OrderStore,
  "receiveOrder" | "claimOrders" | "renewOrder" | "saveOrder" | "wakeOrder" | "wakeTenant" | "endOrder"
>;

/** The transitions of orders. */
export function createOrderWriter(context: StoreContext): OrderWriter {
  const { engine, sealer } = context;
  return {
    receiveOrder(order, entry) {
      const row = toRow(sealer, order);
      return engine.write((db) => receiveOrder(db, row, order, entry));
    },

    claimOrders: (options) => claimOrders(context, options),

    async renewOrder(key, owner, leaseUntilMs) {
      const renewed = await engine.write((db) =>
        ofOwner(db, key, owner).set({ lease_until: leaseUntilMs }).returning("order_id").execute(),
      );
      return renewed.length > 0;
    },

    saveOrder: (key, owner, transition) => saveOrder(context, key, owner, transition),

    wakeOrder: (key, nowMs, entry) =>
      engine.write(async (db) => {
        const woken = await byKey(db, key)
          .set({ due_at: nowMs })
          .where("state", "=", "waiting")
          .returning("order_id")
          .executeTakeFirst();
        if (woken === undefined) return false;
        await addTimeline(db, key, [entry]);
        return true;
      }),

    async wakeTenant(tenant, nowMs) {
      const woken = await engine.write((db) =>
        db
          .updateTable("orders")
          .set({ due_at: nowMs })
          .where("tenant", "=", tenant)
          .where("state", "=", "waiting")
          .executeTakeFirst(),
      );
      return Number(woken.numUpdatedRows);
    },

    endOrder: (key, nowMs, entry) => engine.write((db) => endOrder(db, key, nowMs, entry)),
  };
}

async function receiveOrder(
  db: Database,
  row: Insertable<OrdersTable>,
  key: OrderKey,
  entry: TimelineEntry,
): Promise<boolean> {
  const inserted = await db
    .insertInto("orders")
    .values(row)
    .onConflict((conflict) => conflict.columns(["tenant", "order_id"]).doNothing())
    .returning("order_id")
    .executeTakeFirst();
  await addTimeline(db, key, [entry]);
  return inserted !== undefined;
}

async function claimOrders(
  { engine, sealer }: StoreContext,
  { owner, nowMs, leaseMs, limit }: ClaimOptions,
): Promise<readonly OrderRecord[]> {
  const rows = await engine.write(async (db) => {
    const keys = await engine.selectDue(db, "orders", nowMs, limit);
    if (keys.length === 0) return [];
    const claimed = await db
      .updateTable("orders")
      .set({ lease_owner: owner, lease_until: nowMs + leaseMs })
      .where(isOneOf("order_id", keys))
      .returningAll()
      .returning(creditsSpent().as("credits_spent"))
      .execute();
    return inKeyOrder(keys, claimed, (row) => row.order_id);
  });
  return rows.map((row) => toOrderRecord(sealer, row));
}

function saveOrder(
  { engine, sealer }: StoreContext,
  key: OrderKey,
  owner: string,
  { changes, entries = [], step, release }: OrderTransition,
): Promise<boolean> {
  const columns = toOrderColumns(sealer, key, changes);
  // The owner is always written, so that a transition without changes is checked too.
  const lease = release ? FREE : { lease_owner: owner };
  return engine.write(async (db) => {
    const saved = await ofOwner(db, key, owner)
      .set({ ...columns, ...lease })
      .returning("erased_at")
      .executeTakeFirst();
    if (saved === undefined) return false;
    if (saved.erased_at !== null) await keepErased(db, key, changes);
    await addTimeline(db, key, entries);
    if (step !== undefined) await saveStep(db, key, step);
    return true;
  });
}

/** The order was erased while its owner was working on it: what the owner still knew is not written back. */
async function keepErased(db: Database, key: OrderKey, changes: OrderChanges): Promise<void> {
  if (changes.mapped === undefined && changes.result === undefined) return;
  await byKey(db, key).set(ERASED_COLUMNS).execute();
}

async function saveStep(db: Database, key: OrderKey, record: StepRecord): Promise<void> {
  const { state, detail, atMs } = record;
  const known = { state, detail, memory: JSON.stringify(record.memory), at: atMs };
  await db
    .insertInto("order_steps")
    .values({ tenant: key.tenant, order_id: key.orderId, step: record.step, ...known })
    .onConflict((conflict) => conflict.columns(["tenant", "order_id", "step"]).doUpdateSet(known))
    .execute();
}

async function endOrder(db: Database, key: OrderKey, nowMs: number, entry: TimelineEntry): Promise<void> {
  const known = await db
    .selectFrom("orders")
    .select("order_id")
    .where("tenant", "=", key.tenant)
    .where("order_id", "=", key.orderId)
    .executeTakeFirst();
  if (known === undefined) return;
  await byKey(db, key)
    .set({ ...SETTLED_COLUMNS, settled_at: nowMs })
    .where("state", "<>", "settled")
    .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<=", nowMs)]))
    .execute();
  await addTimeline(db, key, [entry]);
}

function byKey(db: Database, key: OrderKey) {
  return db.updateTable("orders").where("tenant", "=", key.tenant).where("order_id", "=", key.orderId);
}

function ofOwner(db: Database, key: OrderKey, owner: string) {
  return byKey(db, key).where("lease_owner", "=", owner);
}

function toRow(sealer: Sealer, order: NewOrder): Insertable<OrdersTable> {
  const { tenant, customerId } = order;
  return {
    tenant,
    order_id: order.orderId,
    platform: order.platform,
    name: order.name,
    received_at: order.receivedAtMs,
    state: "received",
    due_at: order.receivedAtMs,
    attempts: 0,
    enriched: 0,
    ...toMappedColumns(sealer, order, order.mapped),
    ...(customerId === undefined
      ? {}
      : {
          customer_id: sealer.sealBytes(placeOfOrder("customer_id", order), customerId),
          customer_digest: sealer.customerDigest(tenant, customerId),
        }),
    amount: order.amount ?? null,
    currency: order.currency ?? null,
  };
}

import { sql, type RawBuilder, type SqlBool } from "kysely";
import { claimDue, toDueAt, type ClaimOptions, FREE } from "../engines/engine.ts";
import { EXPIRING, LOOKS, UNDECIDED } from "../engines/work-lines.ts";
import { writeWork, type StoreContext } from "../context.ts";
import {
  creditsSpent,
  ERASED_COLUMNS,
  toCustomerColumns,
  toWoken,
  toMappedColumns,
  toOrderColumns,
  toOrderRecord,
} from "./order-rows.ts";
import type { Database, OrderRow } from "../schema/schema.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { NewOrder, OrderChanges, OrderRecord, OrderTransition, TimelineEntry } from "./order-record.ts";
import { findRow, isOrder, ofOrder, updateRows, type OrderKey } from "../statements.ts";
import { addTimeline, saveStep } from "./history.ts";

/** The changes to an order that needs no more work. */
export const SETTLED_COLUMNS = {
  state: "settled",
  due_at: null,
  problem: null,
  problems: null,
  // A hold ended with the order.
  hold_deadline_at: null,
  review: null,
  reread_at: null,
  ...FREE,
} as const;

export interface OrderClaimOptions extends ClaimOptions {
  /** How many looks to claim besides `limit` undecided orders. Default: what undecided orders leave of the limit. */
  readonly looks?: Pick<ClaimOptions, "limit" | "shares"> | undefined;
}

function toRooms({ limit, shares, looks }: OrderClaimOptions) {
  if (looks === undefined) return [{ limit, shares, lines: [UNDECIDED, EXPIRING, LOOKS] }] as const;
  return [
    { limit, shares, lines: [UNDECIDED] },
    { ...looks, lines: [EXPIRING, LOOKS] },
  ] as const;
}

/** Orders and their transitions. An order's row is also its job. */
export interface OrderWriter {
  /**
   * Store a new order in state `received`, due at once, with a timeline entry. `false` if it was there already; then
   * only a timeline entry is added.
   */
  receive(order: NewOrder, entry: TimelineEntry): Promise<boolean>;
  /**
   * Claim due orders, fair between tenants: undecided ones, oldest due first, then looks at orders at rest, first at holds
   * whose deadline is near. An order whose lease ran out is due again.
   */
  claim(options: OrderClaimOptions): Promise<readonly OrderRecord[]>;
  /** Renew a lease for `leaseMs` from now; `false` if it was lost. */
  renew(
    key: OrderKey,
    owner: string,
    lease: { readonly nowMs: number; readonly leaseMs: number },
  ): Promise<boolean>;
  /**
   * Write a transition in one transaction: changes, timeline, and the step's record if given. Keeps the lease unless
   * `release`. Resolves to `false` without a change if `owner` no longer holds the lease; to `"withdrawn"` without a
   * change if the person's decision was undone or changed, or if the order has changed and must be the latest; and to
   * `"erased"` if the order was erased meanwhile, so that its content isn't written back.
   *
   * If the order was woken, or ended on the platform, while it was under lease, its release makes it due at once or
   * settles it.
   */
  save(key: OrderKey, owner: string, transition: OrderTransition): Promise<boolean | "erased" | "withdrawn">;
  /**
   * Make an order in `waiting` or `review` due now, or as soon as its lease ends. `false` if it is in another state
   * and not under lease.
   */
  wake(key: OrderKey, nowMs: number, entry: TimelineEntry): Promise<boolean>;
  /**
   * Have the platform's other data about an order read again: at once if the order is at rest, otherwise when it is
   * worked on next. `false` if the order is unknown, its content is erased, or its shop has uninstalled the app.
   */
  reread(key: OrderKey, nowMs: number): Promise<boolean>;
  /** Make every `waiting` order of a tenant due now. Resolves to how many there were. */
  wakeTenant(tenant: TenantId, nowMs: number): Promise<number>;
  /**
   * Record that the order was canceled on the platform: it becomes `settled`, or does so when its lease ends, and
   * isn't claimed again. Changes from before this time are ignored. If the order hasn't arrived yet, it is stored as
   * settled, so that it costs nothing.
   */
  end(key: OrderKey, platform: string, nowMs: number, entry: TimelineEntry): Promise<void>;
}

export function createOrderWriter(context: StoreContext): OrderWriter {
  const { engine, sealer } = context;
  return {
    async receive(order, entry) {
      const row = toRow(context, order, entry.atMs);
      return writeWork(engine, async (db) => {
        const inserted = await db
          .insertInto("orders")
          .values(row)
          .onConflict((conflict) => conflict.columns(["tenant", "order_id"]).doNothing())
          .returning("order_id")
          .executeTakeFirst();
        await addTimeline(db, order, [entry]);
        return inserted !== undefined;
      });
    },

    async claim(options) {
      const rows = await claimDue(engine, options, toRooms(options), (db, isClaimed, lease) => {
        const claimed = db.updateTable("orders").set(lease).where(isClaimed).returningAll();
        return claimed.returning(creditsSpent().as("credits_spent")).execute();
      });
      return rows.map((row) => toOrderRecord(sealer, row));
    },

    async renew(key, owner, { nowMs, leaseMs }) {
      const leaseUntil = sql<number>`${engine.leaseClock(nowMs)} + ${leaseMs}`;
      const own = { ...ofOrder(key), lease_owner: owner };
      return (await engine.write((db) => updateRows(db, "orders", own, { lease_until: leaseUntil }))) > 0;
    },

    save: (key, owner, transition) => saveOrder(context, key, owner, transition),

    wake: (key, nowMs, entry) =>
      writeWork(engine, async (db) => {
        const canBeWoken = sql<SqlBool>`(state in ('waiting', 'review') or lease_owner is not null)`;
        if ((await updateRows(db, "orders", ofOrder(key), toWoken(nowMs), canBeWoken)) === 0) return false;
        await addTimeline(db, key, [entry]);
        return true;
      }),
    reread(key, nowMs) {
      // Under lease its next due time isn't written yet, and an order that isn't at rest becomes due by itself.
      const isAtRest = sql`lease_owner is null and state in (${sql.join(AT_REST)})`;
      const dueAt = sql<number | null>`case when ${isAtRest} then ${nowMs} else due_at end`;
      const reread = { reread_at: nowMs, due_at: dueAt };
      const isKept = sql<SqlBool>`mapped is not null and left_at is null`;
      return writeWork(
        engine,
        async (db) => (await updateRows(db, "orders", ofOrder(key), reread, isKept)) > 0,
      );
    },
    wakeTenant: (tenant, nowMs) =>
      writeWork(engine, (db) => updateRows(db, "orders", { tenant, state: "waiting" }, { due_at: nowMs })),

    end: (key, platform, nowMs, entry) =>
      engine.write((db) => endOrder(context, db, key, { platform, nowMs, entry })),
  };
}

function saveOrder(
  { engine, sealer }: StoreContext,
  key: OrderKey,
  owner: string,
  transition: OrderTransition,
): Promise<boolean | "erased" | "withdrawn"> {
  const { changes, entries = [], step, release } = transition;
  const columns = toOrderColumns(sealer, key, changes);
  // Always write the owner, so that a transition without changes is checked too.
  const lease = release ? FREE : { lease_owner: owner };
  return engine.write(async (db) => {
    const saved = await asWorkedOn(db, key, owner, transition)
      .set({ ...columns, ...lease })
      .returning(["erased_at", ...DEFERRED])
      .executeTakeFirst();
    if (saved === undefined) {
      const own = await findRow(db, "orders", ofOrder(key), ["lease_owner"]);
      return own?.lease_owner === owner && "withdrawn";
    }
    const isErased = saved.erased_at !== null && (await keepErased(db, key, changes));
    if (release) await applyDeferredEvents(db, key, saved);
    await addTimeline(db, key, entries);
    if (step !== undefined) await saveStep(db, key, step);
    return isErased ? "erased" : true;
  });
}

/** The order, if `owner` still holds it and the person's decision and the revision are unchanged. */
function asWorkedOn(db: Database, key: OrderKey, owner: string, { changes, takesUp }: OrderTransition) {
  const { revise } = changes;
  let own = byKey(db, key).where("lease_owner", "=", owner);
  if (takesUp !== undefined) own = own.where("review", "=", JSON.stringify(takesUp));
  if (revise?.isLatest !== true) return own;
  // An order that ended or was erased since has no newer content to decide on.
  return own.where((eb) =>
    eb.or([eb("revised_at", "is not distinct from", revise.revisedAtMs), eb("revised", "is", null)]),
  );
}

/** The columns that show what arrived while the order was under lease. */
const DEFERRED = [
  "woken_at",
  "ended_at",
  "settled_at",
  "due_at",
  "reread_at",
  "revised",
  "review",
  "state",
] as const;

type Deferred = Pick<OrderRow, (typeof DEFERRED)[number]>;

/** Events that arrived while the order was under lease apply when it is released. */
async function applyDeferredEvents(db: Database, key: OrderKey, deferred: Deferred): Promise<void> {
  const { woken_at: wokenAt, ended_at: endedAt, settled_at: settledAt } = deferred;
  const dueAt = toDueOfRest(deferred);
  if (endedAt !== null) {
    const settled = { ...SETTLED_COLUMNS, settled_at: settledAt ?? endedAt, woken_at: null, ended_at: null };
    await updateRows(db, "orders", ofOrder(key), settled);
  } else if (wokenAt !== null) {
    // An order at rest isn't woken, unless it was changed or a person has decided.
    const isDone = dueAt === null && deferred.revised === null && deferred.review === null;
    const due = isDone ? {} : { due_at: Math.min(dueAt ?? wokenAt, wokenAt) };
    await updateRows(db, "orders", ofOrder(key), { ...due, woken_at: null });
  } else if (dueAt !== deferred.due_at) {
    await updateRows(db, "orders", ofOrder(key), { due_at: dueAt });
  }
}

/** States in which an order isn't due soon by itself. */
const AT_REST = ["settled", "review"] as const;

/** An order at rest is due when it has to be read again. Any other order becomes due by itself. */
function toDueOfRest({ due_at: dueAt, state, reread_at: rereadAt }: Deferred): number | null {
  if (rereadAt === null || !AT_REST.some((rest) => rest === state)) return dueAt;
  return Math.min(dueAt ?? rereadAt, rereadAt);
}

/** The order was erased while its owner worked on it: don't write its content back. */
async function keepErased(db: Database, key: OrderKey, changes: OrderChanges): Promise<boolean> {
  const { mapped, result, facts, revise } = changes;
  if ([mapped, result, facts, revise].every((change) => change === undefined)) return false;
  const erased = { ...ERASED_COLUMNS, ...(facts === undefined ? {} : { facts: null }) };
  await updateRows(db, "orders", ofOrder(key), erased);
  return true;
}

async function endOrder(
  { engine }: StoreContext,
  db: Database,
  key: OrderKey,
  { platform, nowMs, entry }: { platform: string; nowMs: number; entry: TimelineEntry },
): Promise<void> {
  const leaseNow = engine.leaseClock(nowMs);
  const settled = { ...SETTLED_COLUMNS, settled_at: nowMs };
  // The cancellation can arrive first, because webhooks aren't ordered.
  await db
    .insertInto("orders")
    .values({
      ...settled,
      ...ofOrder(key),
      platform,
      name: key.orderId,
      received_at: nowMs,
      attempts: 0,
      enriched: 0,
      skip_reason: "CANCELLED",
      revised_at: nowMs,
      as_of: nowMs,
    })
    // A flag for the worker that has the order. Writing it keeps the order from being claimed or released until this
    // transaction ends.
    .onConflict((conflict) =>
      conflict.columns(["tenant", "order_id"]).doUpdateSet({
        ended_at: nowMs,
        revised: null,
        revised_at: orLater("revised_at", nowMs),
        as_of: orLater("as_of", nowMs),
      }),
    )
    .execute();
  const free = await byKey(db, key)
    .set({ ended_at: null })
    .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<=", leaseNow)]))
    .returning("state")
    .executeTakeFirst();
  if (free !== undefined) {
    // An order at rest may still be due: for a later look, because it was changed, or because a person decided.
    const columns = free.state === "settled" ? { due_at: null, review: null, reread_at: null } : settled;
    await updateRows(db, "orders", ofOrder(key), columns);
  }
  await addTimeline(db, key, [entry]);
}

function orLater(column: "revised_at" | "as_of", atMs: number): RawBuilder<number> {
  const kept = sql.ref<number | null>(`orders.${column}`);
  return sql<number>`case when ${kept} > ${atMs} then ${kept} else ${atMs} end`;
}

function byKey(db: Database, key: OrderKey) {
  return db.updateTable("orders").where(isOrder(key));
}

function toRow({ engine, sealer }: StoreContext, order: NewOrder, nowMs: number) {
  const { customerId } = order;
  return {
    ...ofOrder(order),
    platform: order.platform,
    name: order.name,
    received_at: order.receivedAtMs,
    state: "received",
    // The delivery may have arrived before the clock was set back.
    due_at: order.dueAtMs ?? toDueAt(engine, Math.min(order.receivedAtMs, nowMs)),
    attempts: 0,
    enriched: 0,
    ...toMappedColumns(sealer, order, order.mapped),
    ...(customerId === undefined ? {} : toCustomerColumns(sealer, order, customerId)),
    amount: order.amount ?? null,
    currency: order.currency ?? null,
    effects: order.effects ?? "live",
    as_of: order.asOfMs ?? null,
  };
}

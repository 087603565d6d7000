import { sql, type RawBuilder } from "kysely";
import { writeWork, type StoreContext } from "../context.ts";
import type { Database, OrderRow } from "../schema/schema.ts";
import { isOrder, ofOrder, updateRows, type OrderKey } from "../statements.ts";
import { addTimeline, selectSteps, selectTimeline, toEvent } from "./history.ts";
import type { OrderRecord, OrderTransition, StepRecord, TimelineEntry } from "./order-record.ts";
import { readOrder } from "./order-reader.ts";
import { toOrderColumns } from "./order-rows.ts";
import { assertTransition } from "./order-states.ts";
import { FREE } from "../engines/engine.ts";

/** The state of an order at the moment of a decision. */
export interface OrderSituation {
  readonly order: OrderRecord;
  readonly steps: readonly StepRecord[];
  readonly timeline: readonly Pick<TimelineEntry, "kind" | "event">[];
}

export interface LockedRow extends Pick<OrderRow, "erased_at" | "state" | "review"> {
  /** 1: a worker has it. */
  readonly is_busy: number;
}

/** Write the row, so that nobody can claim or release the order until the unit of work ends. */
export function lockRow(
  db: Database,
  key: OrderKey,
  leaseNow: RawBuilder<number>,
): Promise<LockedRow | undefined> {
  return db
    .updateTable("orders")
    .set((eb) => ({ attempts: eb.ref("attempts") }))
    .where(isOrder(key))
    .returning(["erased_at", "state", "review"])
    .returning(sql<number>`case when lease_until > ${leaseNow} then 1 else 0 end`.as("is_busy"))
    .executeTakeFirst();
}

/** Lock an order until the unit of work ends, and read its state. */
export async function lockSituation(context: StoreContext, db: Database, key: OrderKey, nowMs: number) {
  const row = await lockRow(db, key, context.engine.leaseClock(nowMs));
  const order = await readOrder(context, db, key);
  if (row === undefined || order === null) return undefined;
  const steps = await selectSteps(db, key);
  const entries = await selectTimeline(db, key).execute();
  const timeline = entries.map(({ kind, event }) => ({ kind, event: toEvent(event) }));
  return { row, situation: { order, steps, timeline } };
}

/** Write the changes of a locked order. Resolves to its new state, or null if it is gone. */
export async function takeEffect(
  context: StoreContext,
  db: Database,
  order: OrderRecord,
  { changes, entries = [] }: Pick<OrderTransition, "changes" | "entries">,
): Promise<OrderRecord | null> {
  assertTransition(order.state, changes.state);
  const columns = toOrderColumns(context.sealer, order, changes);
  await updateRows(db, "orders", ofOrder(order), { ...columns, ...FREE });
  await addTimeline(db, order, entries);
  return readOrder(context, db, order);
}

/** Judges an order at rest: returns what a new decision writes, or null for no change. Pure: it may be called again. */
type RestJudge = (situation: OrderSituation) => Pick<OrderTransition, "changes" | "entries"> | null;

/** How the store replaces the decision of an order that nobody works on. */
export interface RestDecisions {
  /**
   * Replace the order's decision, in one transaction with its current state. `busy`, without a change: a worker has the
   * order, or a person's decision is pending.
   */
  decideAtRest(
    key: OrderKey,
    nowMs: number,
    judge: RestJudge,
  ): Promise<"unknown" | "decided" | "unchanged" | "busy">;
}

export function createRestDecisions(context: StoreContext): RestDecisions {
  return {
    decideAtRest: (key, nowMs, judge) =>
      writeWork(
        context.engine,
        async (db): Promise<"decided" | "unchanged" | "busy" | "unknown"> => {
          const found = await lockSituation(context, db, key, nowMs);
          if (found === undefined) return "unknown";
          const { row, situation } = found;
          if (row.is_busy === 1 || row.review !== null) return "busy";
          const transition = judge(situation);
          if (transition === null) return "unchanged";
          await takeEffect(context, db, situation.order, transition);
          return "decided";
        },
        (decided) => decided === "decided",
      ),
  };
}

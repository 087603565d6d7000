import { sql, type RawBuilder } from "kysely";
import { writeWork, type StoreContext } from "../context.ts";
import type { Database, OrderRow } from "../schema/schema.ts";
import { isOrder, ofOrder, updateRows } from "../statements.ts";
import { addTimeline, selectSteps, selectTimeline, toEvent } from "./history.ts";
import type { OrderKey, OrderRecord, OrderTransition, StepRecord, TimelineEntry } from "./order-record.ts";
import { readOrder } from "./order-reader.ts";
import { toOrderColumns } from "./order-rows.ts";
import { assertTransition } from "./order-states.ts";
import { FREE } from "./orders.ts";

/** What an order is like at the moment it is decided on. */
export interface OrderSituation {
  readonly order: OrderRecord;
  readonly steps: readonly StepRecord[];
  readonly timeline: readonly Pick<TimelineEntry, "kind" | "event">[];
}

/** A row that nobody claims or releases until the unit has ended. */
export interface HeldRow extends Pick<OrderRow, "erased_at" | "state" | "verdict"> {
  /** 1: somebody is working on it. */
  readonly is_busy: number;
}

/** Writing the row keeps the order from being claimed or released until the unit has ended. */
export function holdRow(
  db: Database,
  key: OrderKey,
  leaseNow: RawBuilder<number>,
): Promise<HeldRow | undefined> {
  return db
    .updateTable("orders")
    .set((eb) => ({ attempts: eb.ref("attempts") }))
    .where(isOrder(key))
    .returning(["erased_at", "state", "verdict"])
    .returning(sql<number>`case when lease_until > ${leaseNow} then 1 else 0 end`.as("is_busy"))
    .executeTakeFirst();
}

/** An order that nobody claims or releases until the unit has ended, and what it is like. */
export async function holdOrder(context: StoreContext, db: Database, key: OrderKey, nowMs: number) {
  const held = await holdRow(db, key, context.engine.leaseClock(nowMs));
  const order = await readOrder(context, db, key);
  if (held === undefined || order === null) return undefined;
  const steps = await selectSteps(db, key);
  const entries = await selectTimeline(db, key).execute();
  const timeline = entries.map((entry) => ({ kind: entry.kind, ...toEvent(entry) }));
  return { held, situation: { order, steps, timeline } };
}

/** Write what a held order becomes; resolves to the order as it is then, null when it is gone. */
export async function takeEffect(
  context: StoreContext,
  db: Database,
  order: OrderRecord,
  { changes, entries = [] }: Pick<OrderTransition, "changes" | "entries">,
): Promise<OrderRecord | null> {
  assertTransition(order.state, changes.state);
  const columns = toOrderColumns(context.sealer, order, changes);
  await updateRows(db, "orders", ofOrder(order), { ...columns, ...FREE, woken_at: null });
  await addTimeline(db, order, entries);
  return readOrder(context, db, order);
}

/** Judges an order that rests: what another decision about it writes; null for nothing. Pure: it may be called again. */
type RestJudge = (situation: OrderSituation) => Pick<OrderTransition, "changes" | "entries"> | null;

/** How the store replaces the decision of an order that nobody works on. */
export function createRestDecisions(context: StoreContext) {
  return {
    /**
     * Let another decision take the place of the order's, in one transaction with what the order is like at that moment.
     * `busy`, changing nothing: a worker has it, or a person's word waits to be taken up.
     */
    decideAtRest: (key: OrderKey, nowMs: number, judge: RestJudge) =>
      writeWork(
        context.engine,
        async (db): Promise<"decided" | "unchanged" | "busy" | "unknown"> => {
          const found = await holdOrder(context, db, key, nowMs);
          if (found === undefined) return "unknown";
          const { held, situation } = found;
          if (held.is_busy === 1 || held.verdict !== null) return "busy";
          const transition = judge(situation);
          if (transition === null) return "unchanged";
          await takeEffect(context, db, situation.order, transition);
          return "decided";
        },
        (decided) => decided === "decided",
      ),
  };
}

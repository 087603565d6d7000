import { sql, type SqlBool } from "kysely";
import { isOneOf, type DueKey } from "../engines/engine.ts";
import type { Database } from "../schema/schema.ts";
import type { Place, Sealer } from "../sealing/sealing.ts";
import { insertRow, isOrder, ofOrder, selectRows, updateRows, upsert, type OrderKey } from "../statements.ts";
import type { StepRecord, TimelineEntry } from "./order-record.ts";
import type { TimelineEvent } from "./timeline.ts";

/** Add to the history of an order that exists. */
export function addTimeline(db: Database, key: OrderKey, entries: readonly TimelineEntry[]): Promise<void> {
  return addTimelines(db, key.tenant, [key.orderId], entries);
}

/** Add the same entries to the histories of several orders of a tenant. */
export async function addTimelines(
  db: Database,
  tenant: string,
  orderIds: readonly string[],
  entries: readonly TimelineEntry[],
): Promise<void> {
  const rows = orderIds.flatMap((order_id) =>
    entries.map(({ atMs: at, kind, detail, actor, event }) => {
      return { tenant, order_id, at, kind, detail, event: JSON.stringify(event), actor };
    }),
  );
  if (rows.length > 0) await db.insertInto("order_timeline").values(rows).execute();
}

/** An order's history, with its notes still sealed. */
export function selectTimeline(db: Database, key: OrderKey) {
  return db
    .selectFrom("order_timeline")
    .select(["at as atMs", "kind", "detail", "event", "actor", "note"])
    .where(isOrder(key))
    .orderBy("entry_id");
}

export function toEvent(text: string): TimelineEvent {
  return JSON.parse(text) as TimelineEvent;
}

/** An order's steps, in the order of their last try. */
export async function selectSteps(db: Database, key: OrderKey): Promise<readonly StepRecord[]> {
  const columns = ["step", "state", "detail", "memory", "notes", "cause", "begun", "at"] as const;
  const inOrder = sql`order by at, step`;
  const rows = await selectRows(db, "order_steps", ofOrder(key), columns, undefined, inOrder);
  return rows.map((row) => ({
    step: row.step as StepRecord["step"],
    state: row.state as StepRecord["state"],
    detail: row.detail,
    memory: JSON.parse(row.memory) as StepRecord["memory"],
    ...(row.notes === null ? {} : { notes: JSON.parse(row.notes) as StepRecord["memory"] }),
    ...(row.cause === null ? {} : { cause: row.cause as NonNullable<StepRecord["cause"]> }),
    ...(row.begun === 1 ? { begun: true } : {}),
    atMs: row.at,
  }));
}

export async function saveStep(db: Database, key: OrderKey, record: StepRecord): Promise<void> {
  const { state, detail, notes, cause = null, begun = false, atMs } = record;
  const known = {
    state,
    detail,
    cause,
    memory: JSON.stringify(record.memory),
    notes: notes === undefined ? null : JSON.stringify(notes),
    begun: begun ? 1 : 0,
    at: atMs,
  };
  await upsert(db, "order_steps", { ...ofOrder(key), step: record.step }, known);
}

export type NoteEntry = Omit<TimelineEntry, "event"> & {
  readonly note: string;
  /** The people that it mentions, as `person:ID`. */
  readonly mentions?: readonly string[] | undefined;
};

export async function addNote(
  db: Database,
  sealer: Sealer,
  key: OrderKey,
  { atMs: at, kind, detail, actor, note, mentions }: NoteEntry,
): Promise<void> {
  const sealed = sealer.sealBytes(placeOfNote(key, at), note);
  const event = JSON.stringify({ kind, mentions });
  await insertRow(db, "order_timeline", { ...ofOrder(key), at, kind, detail, event, actor, note: sealed });
}

/** Erase the notes on orders. Their entries stay, without the text. */
export async function eraseNotes(db: Database, keys: readonly DueKey[]): Promise<void> {
  if (keys.length === 0) return;
  const isTheirs = sql<SqlBool>`${isOneOf("order_id", keys)} and note is not null`;
  await updateRows(db, "order_timeline", {}, { note: null }, isTheirs);
}

export function placeOfNote({ tenant, orderId }: OrderKey, atMs: number): Place {
  return { tenant, table: "order_timeline", column: "note", row: `${orderId}\0${atMs}` };
}

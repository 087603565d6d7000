import { isOneOf, type DueKey } from "../engines/engine.ts";
import type { Database } from "../schema/schema.ts";
import type { Place, Sealer } from "../sealing/sealing.ts";
import type { OrderKey, TimelineEntry } from "./order-record.ts";
import { ofOrder } from "../statements.ts";

/** A person's note, as an entry of the timeline. */
export type NoteEntry = TimelineEntry & { readonly note: string };

/** Write a person's note into the history of an order that exists. */
export async function addNote(
  db: Database,
  sealer: Sealer,
  key: OrderKey,
  { atMs: at, kind, detail, actor, note }: NoteEntry,
): Promise<void> {
  const sealed = sealer.sealBytes(placeOfNote(key, at), note);
  await db
    .insertInto("order_timeline")
    .values({ ...ofOrder(key), at, kind, detail, event: JSON.stringify({ kind }), actor, note: sealed })
    .execute();
}

/** The text of a note; undefined when there is none, or it cannot be opened. */
export function openNote(
  sealer: Sealer,
  key: OrderKey,
  atMs: number,
  sealed: Uint8Array | null,
): string | undefined {
  return sealer.tryBytes(placeOfNote(key, atMs), sealed)?.toString();
}

/** Erase the notes on orders; that somebody wrote one stays. */
export async function eraseNotes(db: Database, keys: readonly DueKey[]): Promise<void> {
  if (keys.length === 0) return;
  await db
    .updateTable("order_timeline")
    .set({ note: null })
    .where(isOneOf("order_id", keys))
    .where("note", "is not", null)
    .execute();
}

function placeOfNote({ tenant, orderId }: OrderKey, atMs: number): Place {
  return { tenant, table: "order_timeline", column: "note", row: `${orderId}\0${atMs}` };
}

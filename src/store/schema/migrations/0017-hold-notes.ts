import { sql } from "kysely";
import type { Migration } from "../migration.ts";

/** What the memory of a hold had of Holdfast's own, beside what the platform's adapter keeps there. */
const NOTES = ["authorization", "lapsing", "overdue", "releasing", "tagged", "warned"];

interface Row {
  readonly tenant: string;
  readonly order_id: string;
  readonly memory: string;
}

/** Keeps what Holdfast notes about a hold apart from what the platform's adapter remembers of it. */
export const holdNotesMigration: Migration = {
  version: 17,
  name: "hold-notes",
  async up(db) {
    await db.schema.alterTable("order_steps").addColumn("notes", "text").execute();
    const { rows } = await sql<Row>`select tenant, order_id, memory from order_steps
      where step = 'hold' and memory <> '{}'`.execute(db);
    for (const { tenant, order_id: orderId, memory } of rows) {
      const known = Object.entries(JSON.parse(memory) as Record<string, string>);
      const notes = known.filter(([name]) => NOTES.includes(name));
      if (notes.length === 0) continue;
      const rest = known.filter(([name]) => !NOTES.includes(name));
      await sql`update order_steps set memory = ${toText(rest)}, notes = ${toText(notes)}
        where tenant = ${tenant} and order_id = ${orderId} and step = 'hold'`.execute(db);
    }
  },
};

function toText(entries: readonly (readonly [string, string])[]): string {
  return JSON.stringify(Object.fromEntries(entries));
}

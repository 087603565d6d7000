import { sql } from "kysely";
import type { Migration } from "../migration.ts";

/** Says whether the platform has begun a step, which an earlier release read from what the step remembered. */
export const begunStepsMigration: Migration = {
  version: 15,
  name: "begun-steps",
  async up(db) {
    await db.schema
      .alterTable("order_steps")
      .addColumn("begun", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update order_steps set begun = 1 where step = 'cancel' and state = 'waiting' and memory <> '{}'`.execute(
      db,
    );
  },
};

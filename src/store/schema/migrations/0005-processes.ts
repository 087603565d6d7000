import { sql } from "kysely";
import type { Migration } from "../migration.ts";

const LEASED_TABLES = ["deliveries", "orders", "attempts", "leases"] as const;

/** Processes that share the database, and which of them holds each lease. */
export const processesMigration: Migration = {
  version: 5,
  name: "processes",
  async up(db, dialect) {
    const text = dialect === "sqlite" ? "text" : sql`text collate "C"`;
    await db.schema
      .createTable("processes")
      .addColumn("process_id", text, (column) => column.primaryKey().notNull())
      .addColumn("registered_at", "bigint", (column) => column.notNull())
      .addColumn("missing_since", "bigint")
      .execute();
    for (const table of LEASED_TABLES) {
      await db.schema.alterTable(table).addColumn("process_id", text).execute();
    }
  },
};

import { sql } from "kysely";
import type { Migration } from "../migration.ts";

/** What tells strangers at a shared place from the people who belong there. */
export const velocityStrangersMigration: Migration = {
  version: 14,
  name: "velocity-strangers",
  async up(db, dialect) {
    const text = dialect === "sqlite" ? "text" : sql`text collate "C"`;
    await db.schema.alterTable("velocity").addColumn("kin", text).execute();
    await db.schema.alterTable("velocity").addColumn("manner", text).execute();
  },
};

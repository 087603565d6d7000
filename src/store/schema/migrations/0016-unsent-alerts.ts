import { sql } from "kysely";
import type { Migration } from "../migration.ts";

/** The message about an incident, until it was sent: whoever claimed it may end before that. */
export const unsentAlertsMigration: Migration = {
  version: 16,
  name: "unsent-alerts",
  async up(db) {
    await db.schema.alterTable("incidents").addColumn("unsent", "text").execute();
    await db.schema.alterTable("incidents").addColumn("sending_until", "bigint").execute();
    await sql`create index incidents_unsent on incidents (sending_until) where unsent is not null`.execute(
      db,
    );
  },
};

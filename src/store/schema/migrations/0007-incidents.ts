import { sql, type ColumnDefinitionBuilder } from "kysely";
import type { Migration } from "../migration.ts";

const required = (column: ColumnDefinitionBuilder) => column.notNull();

/** What people were told, which leases, quotas and cursors used to say. */
export const incidentsMigration: Migration = {
  version: 7,
  name: "incidents",
  async up(db, dialect) {
    const text = dialect === "sqlite" ? "text" : sql`text collate "C"`;
    await db.schema
      .createTable("incidents")
      .addColumn("tenant", text, required)
      .addColumn("name", text, required)
      .addColumn("told_at", "bigint", required)
      .addColumn("quiet_until", "bigint")
      .addColumn("resolved_at", "bigint")
      .addPrimaryKeyConstraint("incidents_key", ["tenant", "name"])
      .execute();
    await sql`create index incidents_age on incidents (quiet_until)`.execute(db);
    // What was open stays open. Leases and quotas that were flags run out and are erased by age.
    const flags = sql`tenant = '' and name in ('coverage-low', 'retention-leap')`;
    await sql`insert into incidents (tenant, name, told_at)
      select tenant, replace(name, '-', '_'), at from cursors where ${flags} and at > 0`.execute(db);
    await sql`delete from cursors where ${flags}`.execute(db);
  },
};

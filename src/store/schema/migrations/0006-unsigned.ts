import { sql } from "kysely";
import type { Migration } from "../migration.ts";

/** What tells a delivery that was sent again under other headers from a genuine one. */
export const unsignedMigration: Migration = {
  version: 6,
  name: "unsigned",
  async up(db, dialect) {
    const text = dialect === "sqlite" ? "text" : sql`text collate "C"`;
    await db.schema.alterTable("deliveries").addColumn("body_digest", text).execute();
    await db.schema
      .alterTable("deliveries")
      .addColumn("awaits_installation", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`create index deliveries_of_body on deliveries (body_digest, tenant, received_at)
      where body_digest is not null`.execute(db);
    await sql`create index deliveries_awaiting on deliveries (tenant) where awaits_installation = 1`.execute(
      db,
    );
    await sql`create index deliveries_awaiting_age on deliveries (received_at)
      where awaits_installation = 1`.execute(db);
    await db.schema.alterTable("tenants").addColumn("access_refused_at", "bigint").execute();
    // These moments came from a header, which anybody could have set. The next update asks the platform once.
    await sql`update orders set as_of = null where as_of is not null`.execute(db);
  },
};

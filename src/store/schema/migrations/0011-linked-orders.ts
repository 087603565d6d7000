import { sql } from "kysely";
import type { Migration } from "../migration.ts";

/** What orders of one buyer share. Orders from before have none: their digests take the key, which no migration has. */
export const linkedOrdersMigration: Migration = {
  version: 11,
  name: "linked-orders",
  async up(db, dialect) {
    const text = dialect === "sqlite" ? "text" : sql`text collate "C"`;
    for (const column of ["link_mailbox", "link_network", "link_card", "link_phone", "link_address"]) {
      await db.schema.alterTable("orders").addColumn(column, text).execute();
      await sql`create index ${sql.id(`orders_${column}`)} on orders (tenant, ${sql.id(column)}, received_at)
        where ${sql.id(column)} is not null`.execute(db);
    }
  },
};

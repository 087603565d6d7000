import { sql, type ColumnDefinitionBuilder } from "kysely";
import type { Migration } from "../migration.ts";

const required = (column: ColumnDefinitionBuilder) => column.notNull();

/** What orders of the last days can be recognised by. */
export const velocityMigration: Migration = {
  version: 3,
  name: "velocity",
  async up(db, dialect) {
    const text = dialect === "sqlite" ? "text" : sql`text collate "C"`;
    await db.schema
      .createTable("velocity")
      .addColumn("tenant", text, required)
      .addColumn("order_key", text, required)
      .addColumn("at", "bigint", required)
      .addColumn("mailbox", text)
      .addColumn("email", text)
      .addColumn("network", text)
      .addColumn("card", text)
      .addColumn("address", text)
      .addColumn("postcode", text)
      .addColumn("passing", "integer", required)
      .addPrimaryKeyConstraint("velocity_key", ["tenant", "order_key"])
      .execute();
    for (const link of ["mailbox", "network", "card", "address"]) {
      await sql`create index ${sql.id(`velocity_${link}`)} on velocity (tenant, ${sql.id(link)}, at)
        where ${sql.id(link)} is not null`.execute(db);
    }
    await sql`create index velocity_age on velocity (at, tenant)`.execute(db);
  },
};

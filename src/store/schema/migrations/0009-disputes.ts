import { sql, type ColumnDefinitionBuilder } from "kysely";
import type { Migration } from "../migration.ts";

const required = (column: ColumnDefinitionBuilder) => column.notNull();

/** Disputes of orders: inquiries of banks, and chargebacks. */
export const disputesMigration: Migration = {
  version: 9,
  name: "disputes",
  async up(db, dialect) {
    const text = dialect === "sqlite" ? "text" : sql`text collate "C"`;
    await db.schema
      .createTable("disputes")
      .addColumn("tenant", text, required)
      .addColumn("dispute_id", text, required)
      .addColumn("order_id", text, required)
      .addColumn("kind", "text", required)
      .addColumn("status", "text", required)
      .addColumn("reason", "text", required)
      .addColumn("is_fraud", "integer", required)
      .addColumn("initiated_at", "bigint", required)
      .addColumn("seen_at", "bigint", required)
      .addPrimaryKeyConstraint("disputes_key", ["tenant", "dispute_id"])
      .execute();
    await sql`create index disputes_order on disputes (tenant, order_id)`.execute(db);
  },
};

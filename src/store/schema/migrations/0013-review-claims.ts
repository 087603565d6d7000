import { sql, type ColumnDefinitionBuilder } from "kysely";
import type { Migration } from "../migration.ts";

const required = (column: ColumnDefinitionBuilder) => column.notNull();

/** Who is reviewing which order. */
export const reviewClaimsMigration: Migration = {
  version: 13,
  name: "review-claims",
  async up(db, dialect) {
    const text = dialect === "sqlite" ? "text" : sql`text collate "C"`;
    await db.schema
      .createTable("review_claims")
      .addColumn("tenant", text, required)
      .addColumn("order_id", text, required)
      .addColumn("actor", "text", required)
      .addColumn("until_at", "bigint", required)
      .addPrimaryKeyConstraint("review_claims_key", ["tenant", "order_id"])
      .execute();
  },
};

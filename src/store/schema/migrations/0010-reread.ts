import type { Migration } from "../migration.ts";

/** When the platform is asked again what it says beyond an order. */
export const rereadMigration: Migration = {
  version: 10,
  name: "reread",
  async up(db) {
    await db.schema.alterTable("orders").addColumn("reread_at", "bigint").execute();
  },
};

import { sql, type ColumnDefinitionBuilder, type Kysely, type RawBuilder } from "kysely";
import type { Migration } from "../migrate.ts";

const required = (column: ColumnDefinitionBuilder) => column.notNull();
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey();

/** What keeps orders after their decision: shared circuits, bursts, revisions, cursors, who looked at what. */
export const followUpMigration: Migration = {
  version: 2,
  name: "follow-up",
  async up(db, dialect) {
    const text = dialect === "sqlite" ? "text" : sql`text collate "C"`;
    const bytes = dialect === "sqlite" ? "blob" : "bytea";
    await countBursts(db, text);
    await keepRevisions(db, text, bytes);
    await shareCircuits(db, text);
    await logAccess(db, text, dialect === "sqlite" ? "integer" : "bigserial");
    await keepCursors(db, text);
  },
};

type TextType = "text" | RawBuilder<unknown>;

async function countBursts(db: Kysely<unknown>, text: TextType): Promise<void> {
  await db.schema
    .createTable("attempt_sources")
    .addColumn("tenant", text, required)
    .addColumn("source", text, required)
    .addColumn("at", "bigint", required)
    .addColumn("attempt_id", text, required)
    .addPrimaryKeyConstraint("attempt_sources_key", ["tenant", "source", "at", "attempt_id"])
    .execute();
  await sql`create index attempt_sources_at on attempt_sources (at)`.execute(db);
}

async function keepRevisions(db: Kysely<unknown>, text: TextType, bytes: "blob" | "bytea"): Promise<void> {
  await db.schema.alterTable("orders").addColumn("revised", bytes).execute();
  await db.schema.alterTable("orders").addColumn("revised_at", "bigint").execute();
  await db.schema
    .createTable("order_changes")
    .addColumn("tenant", text, required)
    .addColumn("order_id", text, required)
    .addColumn("at", "bigint", required)
    .addColumn("material", "integer", required)
    .addColumn("content", bytes)
    .addPrimaryKeyConstraint("order_changes_key", ["tenant", "order_id", "at"])
    .addForeignKeyConstraint("order_changes_order", ["tenant", "order_id"], "orders", ["tenant", "order_id"])
    .execute();
}

async function shareCircuits(db: Kysely<unknown>, text: TextType): Promise<void> {
  await db.schema
    .createTable("circuits")
    .addColumn("name", text, key)
    .addColumn("code", text, required)
    .addColumn("until_at", "bigint", required)
    .addColumn("pause", "integer", required)
    .addColumn("trial_until", "bigint", required)
    .execute();
}

async function logAccess(
  db: Kysely<unknown>,
  text: TextType,
  sequence: "integer" | "bigserial",
): Promise<void> {
  await db.schema
    .createTable("access_log")
    .addColumn("entry_id", sequence, (column) =>
      sequence === "integer" ? column.primaryKey().autoIncrement() : column.primaryKey(),
    )
    .addColumn("tenant", text, required)
    .addColumn("at", "bigint", required)
    .addColumn("actor", text, required)
    .addColumn("what", text, required)
    .addColumn("subject", text, required)
    .execute();
  await db.schema.createIndex("access_log_newest").on("access_log").columns(["tenant", "at"]).execute();
}

async function keepCursors(db: Kysely<unknown>, text: TextType): Promise<void> {
  await db.schema
    .createTable("cursors")
    .addColumn("tenant", text, required)
    .addColumn("name", text, required)
    .addColumn("at", "bigint", required)
    .addPrimaryKeyConstraint("cursors_key", ["tenant", "name"])
    .execute();
}

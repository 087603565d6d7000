import { sql, type ColumnDefinitionBuilder } from "kysely";
import type { Migration } from "../migrate.ts";

const required = (column: ColumnDefinitionBuilder) => column.notNull();

/** What the console needs: people and their sessions, settings, facts for replays, and what became of orders. */
export const consoleMigration: Migration = {
  version: 4,
  name: "console",
  async up(db, dialect) {
    const text = dialect === "sqlite" ? "text" : sql`text collate "C"`;
    const bytes = dialect === "sqlite" ? "blob" : "bytea";
    await db.schema
      .createTable("people")
      .addColumn("tenant", text, required)
      .addColumn("actor", text, required)
      .addColumn("name", text)
      .addColumn("role", text, required)
      .addColumn("token_digest", text)
      .addColumn("created_at", "bigint", required)
      .addColumn("created_by", text)
      .addColumn("seen_at", "bigint")
      .addColumn("revoked_at", "bigint")
      .addPrimaryKeyConstraint("people_key", ["tenant", "actor"])
      .execute();
    await sql`create unique index people_token on people (token_digest) where token_digest is not null`.execute(
      db,
    );
    await db.schema
      .createTable("sessions")
      .addColumn("session_digest", text, (column) => column.primaryKey().notNull())
      .addColumn("tenant", text, required)
      .addColumn("actor", text, required)
      .addColumn("credential", text, required)
      .addColumn("created_at", "bigint", required)
      .addColumn("expires_at", "bigint", required)
      .execute();
    await sql`create index sessions_age on sessions (expires_at)`.execute(db);
    await db.schema
      .createTable("settings")
      .addColumn("tenant", text, (column) => column.primaryKey().notNull())
      .addColumn("version", "bigint", required)
      .addColumn("content", bytes, required)
      .addColumn("saved_at", "bigint", required)
      .execute();
    await db.schema
      .createTable("order_outcomes")
      .addColumn("tenant", text, required)
      .addColumn("order_id", text, required)
      .addColumn("observed_at", "bigint", required)
      .addColumn("content", text, required)
      .addPrimaryKeyConstraint("order_outcomes_key", ["tenant", "order_id"])
      .execute();
    await db.schema.alterTable("policies").addColumn("actor", text).execute();
    await db.schema.alterTable("orders").addColumn("facts", bytes).execute();
    await sql`create index orders_review on orders (tenant, hold_deadline_at, order_id)
      where state in ('review', 'failed')`.execute(db);
  },
};

import { sql, type ColumnDefinitionBuilder, type Kysely, type RawBuilder } from "kysely";
import type { Migration } from "../migration.ts";

const required = (column: ColumnDefinitionBuilder) => column.notNull();

/** What the console needs: people and their sessions, settings, facts for replays, and what became of orders. */
export const consoleMigration: Migration = {
  version: 4,
  name: "console",
  async up(db, dialect) {
    const text = dialect === "sqlite" ? "text" : sql`text collate "C"`;
    const bytes = dialect === "sqlite" ? "blob" : "bytea";
    await keepPeople(db, text, bytes);
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
    await db.schema
      .alterTable("orders")
      .addColumn("degraded", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update orders set degraded = 1 where decision like '%"degraded":true%'`.execute(db);
    // Holds all that an overview asks for.
    await sql`create index orders_statistics on orders (tenant, received_at, platform, record_only,
      risk_level, action, degraded, first_decided_at)`.execute(db);
    // JSON: what a person decided while somebody worked on the order.
    await db.schema.alterTable("orders").addColumn("verdict", text).execute();
    // What people wrote about an order, sealed: it may name somebody.
    await db.schema.alterTable("order_timeline").addColumn("note", bytes).execute();
    await sql`create index orders_name on orders (tenant, name)`.execute(db);
    // The queue's order, deadline first and then amount, each with a value for none, so that a page begins in the index.
    await sql`create index orders_review on orders
      (tenant, (coalesce(hold_deadline_at, 9007199254740991)), (coalesce(-amount, 1)), order_id)
      where state in ('review', 'failed')`.execute(db);
  },
};

/** Who may use the console, and who is signed in without a platform. */
async function keepPeople(
  db: Kysely<unknown>,
  text: "text" | RawBuilder<unknown>,
  bytes: "blob" | "bytea",
): Promise<void> {
  await db.schema
    .createTable("people")
    .addColumn("tenant", text, required)
    .addColumn("actor", text, required)
    .addColumn("name", bytes)
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
  await sql`create index people_revoked on people (revoked_at)
    where revoked_at is not null and token_digest is not null`.execute(db);
  await db.schema
    .createTable("sessions")
    .addColumn("session_digest", text, (column) => column.primaryKey().notNull())
    .addColumn("tenant", text, required)
    .addColumn("actor", text, required)
    .addColumn("credential", text, required)
    .addColumn("created_at", "bigint", required)
    .addColumn("expires_at", "bigint", required)
    .execute();
  await sql`create index sessions_of_person on sessions (tenant, actor)`.execute(db);
  await sql`create index sessions_age on sessions (expires_at)`.execute(db);
}

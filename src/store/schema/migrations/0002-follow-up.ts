import { sql, type ColumnDefinitionBuilder, type Kysely, type RawBuilder } from "kysely";
import type { Migration } from "../migration.ts";

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
    await markRecordOnly(db);
    await shareCircuits(db, text);
    await logAccess(db, text, dialect === "sqlite" ? "integer" : "bigserial");
    await keepCursors(db, text);
    await followAge(db);
  },
};

type TextType = "text" | RawBuilder<unknown>;

async function countBursts(db: Kysely<unknown>, text: TextType): Promise<void> {
  await db.schema
    .createTable("attempt_sources")
    .addColumn("tenant", text, required)
    .addColumn("source", text, required)
    .addColumn("level", "double precision", required)
    .addColumn("at", "bigint", required)
    .addColumn("braked", "integer", required)
    .addPrimaryKeyConstraint("attempt_sources_key", ["tenant", "source"])
    .execute();
  await sql`create index attempt_sources_at on attempt_sources (at)`.execute(db);
}

async function keepRevisions(db: Kysely<unknown>, text: TextType, bytes: "blob" | "bytea"): Promise<void> {
  await db.schema.alterTable("orders").addColumn("revised", bytes).execute();
  await db.schema.alterTable("orders").addColumn("revised_at", "bigint").execute();
  await db.schema.alterTable("orders").addColumn("as_of", "bigint").execute();
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

/** Orders that were taken in late: decided for the record, with nothing touched on the platform. */
async function markRecordOnly(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("orders")
    .addColumn("record_only", "integer", (column) => column.notNull().defaultTo(0))
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
  await db.schema
    .createIndex("access_log_newest")
    .on("access_log")
    .columns(["tenant", "at", "entry_id"])
    .execute();
  await db.schema
    .createIndex("access_log_of_subject")
    .on("access_log")
    .columns(["tenant", "subject", "what", "actor", "at"])
    .execute();
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

/** What coverage and erasure by age look at, so that neither reads a row that does not concern it. */
async function followAge(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("orders").addColumn("first_decided_at", "bigint").execute();
  await sql`update orders set first_decided_at = decided_at`.execute(db);
  // Holds all that coverage asks for.
  await sql`create index orders_age on orders
    (received_at, tenant, first_decided_at, skip_reason, record_only)`.execute(db);
  await sql`create index orders_with_content on orders (received_at, tenant, order_id)
    where erased_at is null`.execute(db);
  await sql`create index order_changes_with_content on order_changes (at)
    where content is not null`.execute(db);
  // A kept answer outlives its texts.
  await db.schema.alterTable("answers").addColumn("erased_at", "bigint").execute();
  await sql`create index answers_with_content on answers (answered_at, tenant, fingerprint)
    where erased_at is null`.execute(db);
  await sql`create index answers_age on answers (answered_at) where erased_at is not null`.execute(db);
  await sql`create index deliveries_finished on deliveries (received_at) where ready_at is null`.execute(db);
  await sql`create index attempts_age on attempts (started_at, tenant, attempt_id)`.execute(db);
  await sql`create index reports_age on reports (saved_at)`.execute(db);
  await sql`create index savings_age on savings (hour_at)`.execute(db);
  await sql`create index quotas_age on quotas (taken_at)`.execute(db);
  await sql`create index access_log_age on access_log (at)`.execute(db);
}

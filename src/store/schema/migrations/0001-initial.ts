import { sql, type ColumnDefinitionBuilder, type Kysely, type RawBuilder } from "kysely";
import type { Migration } from "../migration.ts";

interface Types {
  readonly text: "text" | RawBuilder<unknown>;
  readonly bytes: "blob" | "bytea";
  readonly sequence: "integer" | "bigserial";
}

const SQLITE_TYPES: Types = { text: "text", bytes: "blob", sequence: "integer" };
const POSTGRES_TYPES: Types = {
  // By bytes, as in SQLite: the order of ids does not depend on a locale, and no index breaks when the system's changes.
  text: sql`text collate "C"`,
  bytes: "bytea",
  sequence: "bigserial",
};

/** The first schema. Ids are text, times bigint milliseconds, booleans 0 and 1, sealed values bytes. */
export const initialMigration: Migration = {
  version: 1,
  name: "initial",
  async up(db, dialect) {
    const types = dialect === "sqlite" ? SQLITE_TYPES : POSTGRES_TYPES;
    await createDeliveries(db, types);
    await createOrders(db, types);
    await indexOrders(db);
    await createOrderHistory(db, types);
    await createLedger(db, types);
    await createTenants(db, types);
    if (dialect === "postgres") await vacuumOften(db);
  },
};

/**
 * These rows change many times in their life. Without this a fifth of the table may be row versions that nobody sees
 * any more: claims step over them, and what was erased is still in them.
 */
async function vacuumOften(db: Kysely<unknown>): Promise<void> {
  for (const table of ["deliveries", "orders", "answers"]) {
    await sql`alter table ${sql.table(table)} set (autovacuum_vacuum_scale_factor = 0.02)`.execute(db);
  }
}

const required = (column: ColumnDefinitionBuilder) => column.notNull();
// SQLite takes NULL in a primary key that does not say so.
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey();
/** Null when nothing is left to do; otherwise due, but not before the lease has run out. */
const readyAt = (column: ColumnDefinitionBuilder) =>
  column.generatedAlwaysAs(sql`case when lease_until > due_at then lease_until else due_at end`).stored();

async function createDeliveries(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .createTable("deliveries")
    .addColumn("tenant", types.text, required)
    .addColumn("delivery_id", types.text, required)
    .addColumn("platform", types.text, required)
    .addColumn("topic", types.text, required)
    .addColumn("triggered_at", "bigint")
    .addColumn("received_at", "bigint", required)
    .addColumn("body", types.bytes)
    .addColumn("attempts", "integer", required)
    .addColumn("due_at", "bigint")
    .addColumn("lease_owner", types.text)
    .addColumn("lease_until", "bigint")
    .addColumn("ready_at", "bigint", readyAt)
    .addColumn("outcome", types.text)
    .addColumn("error", types.text)
    .addPrimaryKeyConstraint("deliveries_key", ["tenant", "delivery_id"])
    .execute();
  // Partial indexes: finished rows, which are nearly all, cost claims nothing.
  await sql`create index deliveries_ready on deliveries (ready_at, received_at) where ready_at is not null`.execute(
    db,
  );
  await sql`create index deliveries_turn on deliveries (tenant, ready_at) where ready_at is not null`.execute(
    db,
  );
}

async function createOrders(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .createTable("orders")
    .addColumn("tenant", types.text, required)
    .addColumn("order_id", types.text, required)
    .addColumn("platform", types.text, required)
    .addColumn("name", types.text, required)
    .addColumn("received_at", "bigint", required)
    .addColumn("state", types.text, required)
    .addColumn("due_at", "bigint")
    .addColumn("lease_owner", types.text)
    .addColumn("lease_until", "bigint")
    .addColumn("ready_at", "bigint", readyAt)
    .addColumn("attempts", "integer", required)
    .addColumn("enriched", "integer", required)
    .addColumn("mapped", types.bytes)
    .addColumn("customer_id", types.bytes)
    .addColumn("customer_digest", types.text)
    .addColumn("email_digest", types.text)
    .addColumn("amount", "double precision")
    .addColumn("currency", types.text)
    .addColumn("fingerprint", types.text)
    .addColumn("result", types.bytes)
    .addColumn("decision", types.text)
    .addColumn("risk_level", types.text)
    .addColumn("action", types.text)
    .addColumn("decided_at", "bigint")
    .addColumn("settled_at", "bigint")
    .addColumn("skip_reason", types.text)
    .addColumn("problem", types.text)
    .addColumn("hold_deadline_at", "bigint")
    .addColumn("erased_at", "bigint")
    .addColumn("woken_at", "bigint")
    .addColumn("ended_at", "bigint")
    .addPrimaryKeyConstraint("orders_key", ["tenant", "order_id"])
    .execute();
}

async function indexOrders(db: Kysely<unknown>): Promise<void> {
  await sql`create index orders_ready on orders (ready_at) where ready_at is not null`.execute(db);
  await sql`create index orders_turn on orders (tenant, ready_at) where ready_at is not null`.execute(db);
  await sql`create index orders_leased on orders (lease_owner) where lease_owner is not null`.execute(db);
  // The same words as in the backlog's query, or the planner does not recognise the index.
  await sql`create index orders_unfinished on orders (received_at)
    where state in ('received', 'screening', 'decided', 'enforcing', 'waiting')`.execute(db);
  // The list's filters are in the index, so that a rare level is found without reading the rows of the others.
  await db.schema
    .createIndex("orders_newest")
    .on("orders")
    .columns(["tenant", "received_at", "order_id", "risk_level", "action"])
    .execute();
  await db.schema
    .createIndex("orders_of_state")
    .on("orders")
    .columns(["tenant", "state", "received_at", "order_id", "risk_level", "action"])
    .execute();
  await sql`create index orders_customer on orders (tenant, customer_digest)
    where customer_digest is not null`.execute(db);
  await sql`create index orders_email on orders (tenant, email_digest) where email_digest is not null`.execute(
    db,
  );
}

async function createOrderHistory(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .createTable("order_timeline")
    .addColumn("entry_id", types.sequence, (column) =>
      types.sequence === "integer" ? column.primaryKey().autoIncrement() : column.primaryKey(),
    )
    .addColumn("tenant", types.text, required)
    .addColumn("order_id", types.text, required)
    .addColumn("at", "bigint", required)
    .addColumn("kind", types.text, required)
    .addColumn("detail", types.text, required)
    .addColumn("actor", types.text, required)
    .addForeignKeyConstraint("order_timeline_order", ["tenant", "order_id"], "orders", ["tenant", "order_id"])
    .execute();
  await db.schema
    .createIndex("order_timeline_of_order")
    .on("order_timeline")
    .columns(["tenant", "order_id", "entry_id"])
    .execute();
  await db.schema
    .createTable("order_steps")
    .addColumn("tenant", types.text, required)
    .addColumn("order_id", types.text, required)
    .addColumn("step", types.text, required)
    .addColumn("state", types.text, required)
    .addColumn("detail", types.text, required)
    .addColumn("memory", types.text, required)
    .addColumn("at", "bigint", required)
    .addPrimaryKeyConstraint("order_steps_key", ["tenant", "order_id", "step"])
    .addForeignKeyConstraint("order_steps_order", ["tenant", "order_id"], "orders", ["tenant", "order_id"])
    .execute();
}

async function createLedger(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .createTable("attempts")
    .addColumn("attempt_id", types.text, key)
    .addColumn("tenant", types.text, required)
    .addColumn("fingerprint", types.text, required)
    .addColumn("order_id", types.text)
    .addColumn("owner", types.text, required)
    .addColumn("state", types.text, required)
    .addColumn("metered", types.text)
    .addColumn("error", types.text)
    .addColumn("started_at", "bigint", required)
    .addColumn("lease_until", "bigint", required)
    .addColumn("ended_at", "bigint")
    .addColumn("erased", "integer", required)
    .execute();
  await sql`create index attempts_of_fingerprint on attempts (tenant, fingerprint)`.execute(db);
  await sql`create index attempts_of_order on attempts (tenant, order_id) where order_id is not null`.execute(
    db,
  );
  // Covers the budget's count.
  await sql`create index attempts_of_period on attempts (tenant, started_at, state, metered)`.execute(db);
  await sql`create index attempts_open on attempts (lease_until) where state = 'sent'`.execute(db);
  await db.schema
    .createTable("answers")
    .addColumn("tenant", types.text, required)
    .addColumn("fingerprint", types.text, required)
    .addColumn("order_id", types.text)
    .addColumn("result", types.bytes, required)
    .addColumn("asked_at", "bigint", required)
    .addColumn("answered_at", "bigint", required)
    .addPrimaryKeyConstraint("answers_key", ["tenant", "fingerprint"])
    .execute();
  await sql`create index answers_of_order on answers (tenant, order_id) where order_id is not null`.execute(
    db,
  );
  await db.schema
    .createTable("savings")
    .addColumn("tenant", types.text, required)
    .addColumn("reason", types.text, required)
    .addColumn("hour_at", "bigint", required)
    .addColumn("saved", "integer", required)
    .addPrimaryKeyConstraint("savings_key", ["tenant", "hour_at", "reason"])
    .execute();
}

async function createTenants(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .createTable("tenants")
    .addColumn("tenant", types.text, key)
    .addColumn("platform", types.text, required)
    .addColumn("state", types.text, required)
    .addColumn("installed_at", "bigint", required)
    .addColumn("uninstalled_at", "bigint")
    .addColumn("secret", types.bytes)
    .execute();
  await db.schema
    .createTable("policies")
    .addColumn("tenant", types.text, required)
    .addColumn("version", "integer", required)
    .addColumn("document", types.bytes, required)
    .addColumn("saved_at", "bigint", required)
    .addPrimaryKeyConstraint("policies_key", ["tenant", "version"])
    .execute();
  await db.schema
    .createTable("reports")
    .addColumn("tenant", types.text, required)
    .addColumn("request_id", types.text, required)
    .addColumn("content", types.bytes, required)
    .addColumn("saved_at", "bigint", required)
    .addPrimaryKeyConstraint("reports_key", ["tenant", "request_id"])
    .execute();
  await db.schema
    .createTable("leases")
    .addColumn("name", types.text, key)
    .addColumn("owner", types.text, required)
    .addColumn("lease_until", "bigint", required)
    .execute();
  await db.schema
    .createTable("quotas")
    .addColumn("tenant", types.text, required)
    .addColumn("name", types.text, required)
    .addColumn("quota_key", types.text, required)
    .addColumn("taken_at", "bigint", required)
    .addPrimaryKeyConstraint("quotas_key", ["tenant", "name", "quota_key"])
    .execute();
  await db.schema
    .createTable("meta")
    .addColumn("name", types.text, key)
    .addColumn("value", types.text, required)
    .execute();
}

import { sql, type Kysely } from "kysely";
import { HoldfastError } from "../../base/errors.ts";
import type { Engine } from "../engines/engine.ts";
import type { Migration } from "./migration.ts";
import { initialMigration } from "./migrations/0001-initial.ts";
import { followUpMigration } from "./migrations/0002-follow-up.ts";
import { velocityMigration } from "./migrations/0003-velocity.ts";
import { consoleMigration } from "./migrations/0004-console.ts";
import { processesMigration } from "./migrations/0005-processes.ts";
import { unsignedMigration } from "./migrations/0006-unsigned.ts";
import { incidentsMigration } from "./migrations/0007-incidents.ts";
import { timelineEventsMigration } from "./migrations/0008-timeline-events.ts";
import { disputesMigration } from "./migrations/0009-disputes.ts";
import { rereadMigration } from "./migrations/0010-reread.ts";
import { linkedOrdersMigration } from "./migrations/0011-linked-orders.ts";
import { leftLinksMigration } from "./migrations/0012-left-links.ts";
import { reviewClaimsMigration } from "./migrations/0013-review-claims.ts";
import { velocityStrangersMigration } from "./migrations/0014-velocity-strangers.ts";
import { begunStepsMigration } from "./migrations/0015-begun-steps.ts";
import { unsentAlertsMigration } from "./migrations/0016-unsent-alerts.ts";
import { holdNotesMigration } from "./migrations/0017-hold-notes.ts";
import type { Database } from "./schema.ts";
import type { Keyring } from "../sealing/keyring.ts";
import { findRow } from "../statements.ts";

/** All migrations, oldest first. */
const MIGRATIONS: readonly Migration[] = [
  initialMigration,
  followUpMigration,
  velocityMigration,
  consoleMigration,
  processesMigration,
  unsignedMigration,
  incidentsMigration,
  timelineEventsMigration,
  disputesMigration,
  rereadMigration,
  linkedOrdersMigration,
  leftLinksMigration,
  reviewClaimsMigration,
  velocityStrangersMigration,
  begunStepsMigration,
  unsentAlertsMigration,
  holdNotesMigration,
];

/** The schema that this version of Holdfast works with. */
export const SCHEMA_VERSION = Math.max(...MIGRATIONS.map(({ version }) => version));

/**
 * Bring the schema up to date, inside the caller's unit of work, which must be alone: all of it or nothing.
 *
 * @throws {HoldfastError} `STORE_SCHEMA_NEWER` when a newer Holdfast has written to this database.
 */
async function migrate(db: Database, dialect: Engine["dialect"], nowMs: number): Promise<void> {
  await db.schema
    .createTable("schema_migrations")
    .ifNotExists()
    .addColumn("version", "integer", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("applied_at", "bigint", (column) => column.notNull())
    .execute();
  const current = await schemaVersion(db);
  if (current > SCHEMA_VERSION) {
    throw new HoldfastError(
      "STORE_SCHEMA_NEWER",
      `the database has schema ${current}, this version of Holdfast knows ${SCHEMA_VERSION}`,
      { retryable: false },
    );
  }
  const pending = MIGRATIONS.filter(({ version }) => version > current);
  const isNew = dialect === "sqlite" && (await readSqliteSchema(db)).length === 0;
  if (isNew && newSqliteSchema !== undefined) {
    for (const statement of newSqliteSchema) await sql.raw(statement).execute(db);
  } else {
    for (const migration of pending) await migration.up(db as Kysely<unknown>, dialect);
    if (isNew) newSqliteSchema = await readSqliteSchema(db);
  }
  for (const { version, name } of pending) {
    await db.insertInto("schema_migrations").values({ version, name, applied_at: nowMs }).execute();
  }
}

/**
 * What the migrations made of this process's first new SQLite database. To make the next ones of it takes 3 ms instead of
 * 30, because SQLite parses the whole schema at each ALTER TABLE.
 */
let newSqliteSchema: readonly string[] | undefined;

/** The statements that made what is in a SQLite database, without the table of migrations and what SQLite makes by itself. */
async function readSqliteSchema(db: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly sql: string }>`select sql from sqlite_schema
    where sql is not null and substr(name, 1, 7) <> 'sqlite_' and name <> 'schema_migrations' order by rowid`.execute(
    db,
  );
  return rows.map((row) => row.sql);
}

/** The schema that a database has; its table of migrations must exist. */
export async function schemaVersion(db: Database): Promise<number> {
  const newest = await db
    .selectFrom("schema_migrations")
    .select((eb) => eb.fn.max("version").as("version"))
    .executeTakeFirst();
  return newest?.version ?? 0;
}

/** What {@link prepareDatabase} needs to know. */
interface DatabaseOwner {
  readonly keyring: Keyring;
  /** What to call the database in an error: its path, but never an address with a password. */
  readonly name: string;
  readonly nowMs: number;
}

/**
 * Bring the schema up to date and check that the data key is the database's. One unit, so that a database that is
 * refused is left as it was, and that processes which start together do it one after the other.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming `DATA_KEY`, `STORE_SCHEMA_NEWER`, `STORE_UNAVAILABLE`.
 */
export function prepareDatabase(engine: Engine, { keyring, name, nowMs }: DatabaseOwner): Promise<void> {
  return engine.write(
    async (db) => {
      await migrate(db, engine.dialect, nowMs);
      if (await isKeyOfDatabase(db, keyring)) return;
      throw new HoldfastError("CONFIG_INVALID", `DATA_KEY: expected the key that ${name} was made with`, {
        retryable: false,
      });
    },
    { alone: "prepare", unhurried: true },
  );
}

/** The database remembers a digest that only its own key computes. */
async function isKeyOfDatabase(db: Database, keyring: Keyring): Promise<boolean> {
  const value = toKeyCheck(keyring);
  await db
    .insertInto("meta")
    .values({ name: KEY_CHECK, value })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  return (await findKeyCheck(db)) === value;
}

const KEY_CHECK = "data-key-check";

/** What a database remembers of its data key: a digest that no other key computes. */
export function toKeyCheck(keyring: Keyring): string {
  return keyring.digest("", "data-key", "check");
}

/** The {@link toKeyCheck} of the key that the database was made with; undefined when none was used yet. */
export async function findKeyCheck(db: Database): Promise<string | undefined> {
  return (await findRow(db, "meta", { name: KEY_CHECK }, ["value"]))?.value;
}

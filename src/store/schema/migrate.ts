import { sql } from "kysely";
import { HoldfastError, toConfigError } from "../../base/errors.ts";
import type { Engine } from "../engines/engine.ts";
import { TYPES } from "./initial-schema.ts";
import { MIGRATIONS } from "./migrations.ts";
import type { Database } from "./schema.ts";
import type { Keyring } from "../sealing/keyring.ts";
import { findRow, selectOne } from "../statements.ts";

/** The schema that this version of Holdfast works with. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Bring the schema up to date in the caller's unit of work, which must run alone, so that all of it or nothing is
 * applied.
 *
 * @throws {HoldfastError} `STORE_SCHEMA_NEWER` when a newer Holdfast has written to this database.
 */
async function migrate(db: Database, dialect: Engine["dialect"], nowMs: number): Promise<void> {
  await sql`create table if not exists schema_migrations
    (version integer primary key, name text not null, applied_at bigint not null)`.execute(db);
  const current = await schemaVersion(db);
  if (current > SCHEMA_VERSION) {
    const message = `the database has schema ${current}, this version of Holdfast knows ${SCHEMA_VERSION}`;
    const advice = "Start the newer version, or restore a backup from before the upgrade";
    throw new HoldfastError("STORE_SCHEMA_NEWER", `${message}. ${advice}`, { retryable: false });
  }
  const pending = MIGRATIONS.slice(current);
  const isNew = dialect === "sqlite" && (await readSqliteSchema(db)).length === 0;
  const known = isNew ? newSqliteSchema : undefined;
  const statements = known ?? pending.flatMap(({ toSql }) => toSql(TYPES[dialect]));
  for (const statement of statements) await sql.raw(statement).execute(db);
  if (isNew) newSqliteSchema ??= await readSqliteSchema(db);
  for (const [index, { name }] of pending.entries()) {
    const applied = { version: current + index + 1, name, applied_at: nowMs };
    await db.insertInto("schema_migrations").values(applied).execute();
  }
}

/**
 * The schema of this process's first new SQLite database. Creating further databases from it takes 3 ms instead of 30,
 * because SQLite parses the whole schema at each ALTER TABLE.
 */
let newSqliteSchema: readonly string[] | undefined;

/** The statements that created a SQLite database, without the table of migrations and SQLite's own tables. */
async function readSqliteSchema(db: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly sql: string }>`select sql from sqlite_schema
    where sql is not null and substr(name, 1, 7) <> 'sqlite_' and name <> 'schema_migrations' order by rowid`.execute(
    db,
  );
  return rows.map((row) => row.sql);
}

/** The schema version of a database. Its table of migrations must exist. */
export async function schemaVersion(db: Database): Promise<number> {
  const query = sql<{ version: number | null }>`select max(version) as version from schema_migrations`;
  return (await selectOne(db, query)).version ?? 0;
}

interface DatabaseOwner {
  readonly keyring: Keyring;
  /** The database's name in errors: its path, but never an address with a password. */
  readonly name: string;
  readonly nowMs: number;
}

/**
 * Bring the schema up to date and check that the data key fits the database. One unit of work, so that a refused
 * database isn't changed and processes that start together wait for each other.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming `DATA_KEY`, `STORE_SCHEMA_NEWER`, `STORE_UNAVAILABLE`.
 */
export function prepareDatabase(engine: Engine, { keyring, name, nowMs }: DatabaseOwner): Promise<void> {
  return engine.write(
    async (db) => {
      await migrate(db, engine.dialect, nowMs);
      if (await isKeyOfDatabase(db, keyring)) return;
      throw toConfigError(`\`dataKey\` (DATA_KEY): expected the key of ${name}`);
    },
    { alone: "prepare", unhurried: true },
  );
}

/** Whether the key is the database's. A new database takes this one. */
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

/** The digest of the data key that a database stores. No other key computes it. */
export function toKeyCheck(keyring: Keyring): string {
  return keyring.digest("", "data-key", "check");
}

/** The {@link toKeyCheck} of the database's key; undefined if no key was used yet. */
export async function findKeyCheck(db: Database): Promise<string | undefined> {
  return (await findRow(db, "meta", { name: KEY_CHECK }, ["value"]))?.value;
}

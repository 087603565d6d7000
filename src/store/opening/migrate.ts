import { sql } from "kysely";
import { HoldfastError, toConfigError } from "../../base/errors.ts";
import type { Engine } from "../engines/engine.ts";
import { TYPES, type Types } from "../schema/column-types.ts";
import { createSchema } from "../schema/initial-schema.ts";
import type { Database } from "../schema/schema.ts";
import type { Keyring } from "../sealing/keyring.ts";
import { findRow, selectOne } from "../statements.ts";

/** One step of the schema. A released one is never changed. */
export interface Migration {
  readonly name: string;
  readonly toSql: (types: Types) => readonly string[];
}

/** All migrations, oldest first: a migration's version is its place in this list, from 1. The first release makes `initial` final. */
const MIGRATIONS: readonly Migration[] = [{ name: "initial", toSql: createSchema }];

/** The schema that this version of Holdfast works with. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Bring the schema up to date in the caller's unit of work, which must run alone, so that all of it or nothing is
 * applied.
 *
 * @throws {HoldfastError} `STORE_SCHEMA_NEWER` when a newer Holdfast has written to this database.
 */
async function migrate(
  db: Database,
  dialect: Engine["dialect"],
  { nowMs, migrations }: { readonly nowMs: number; readonly migrations: readonly Migration[] },
): Promise<void> {
  await sql`create table if not exists schema_migrations
    (version integer primary key, name text not null, applied_at bigint not null)`.execute(db);
  const current = await schemaVersion(db);
  const known = migrations.length;
  if (current > known) {
    const message = `the database has schema ${current}, this version of Holdfast knows ${known}`;
    const advice = "Start the newer version, or restore a backup from before the upgrade";
    throw new HoldfastError("STORE_SCHEMA_NEWER", `${message}. ${advice}`, { retryable: false });
  }
  for (const [index, { name, toSql }] of migrations.slice(current).entries()) {
    for (const statement of toSql(TYPES[dialect])) await sql.raw(statement).execute(db);
    const applied = { version: current + index + 1, name, applied_at: nowMs };
    await db.insertInto("schema_migrations").values(applied).execute();
  }
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
  /** Default: all. */
  readonly migrations?: readonly Migration[];
}

/**
 * Bring the schema up to date and check that the data key fits the database. One unit of work, so that a refused
 * database isn't changed and processes that start together wait for each other.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming `DATA_KEY`, `STORE_SCHEMA_NEWER`, `STORE_UNAVAILABLE`.
 */
export function prepareDatabase(
  engine: Engine,
  { keyring, name, nowMs, migrations = MIGRATIONS }: DatabaseOwner,
): Promise<void> {
  return engine.write(
    async (db) => {
      await migrate(db, engine.dialect, { nowMs, migrations });
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

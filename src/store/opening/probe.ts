import { loadPg } from "../engines/postgres/postgres-pool.ts";
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import type { StoreConfig } from "./open-store.ts";
import { SILENT_LOGGER } from "../../base/logger.ts";
import { findDataKey } from "./data-key.ts";
import { createKeyring } from "../sealing/keyring.ts";
import { SCHEMA_VERSION, schemaVersion, findKeyCheck, toKeyCheck } from "./migrate.ts";
import { assertAddress, toOpeningError } from "./postgres-store.ts";
import { createPostgresEngine } from "../engines/postgres/postgres-engine.ts";
import type { Database, Schema } from "../schema/schema.ts";
import { createNodeSqliteDialect } from "../engines/sqlite/sqlite-engine.ts";
import { toSqliteStoreError } from "../engines/sqlite/sqlite-errors.ts";
import { MEMORY_PATH } from "../engines/sqlite/sqlite-files.ts";

/** What can be read of a database without changing it. */
export interface DatabaseProbe {
  /** The database's schema version; 0 if it is empty. */
  readonly schema: number;
  /** The schema version that this version of Holdfast works with. */
  readonly expectedSchema: number;
  /**
   * Whether the data key fits the database. `missing`: there is none, and the database needs one. `unused`: the
   * database has never used a key.
   */
  readonly key: "right" | "wrong" | "missing" | "unused";
  /** Settings of Postgres with which a crash of its server takes back what it confirmed. */
  readonly unsafe?: readonly string[];
}

/**
 * Look at the configured database. Nothing is created, migrated or locked, so a running app isn't disturbed. (SQLite
 * may leave `-wal` and `-shm` files, which are removed when the database is opened the next time.)
 *
 * @throws {HoldfastError} `STORE_UNAVAILABLE` if it can't be reached, `CONFIG_INVALID` if the configuration is wrong or
 *   the key file has no key.
 */
export async function probeDatabase({ database, dataKey }: StoreConfig): Promise<DatabaseProbe> {
  if (database.kind === "postgres") return probePostgres(database.url.reveal(), dataKey?.reveal());
  const { path } = database;
  const size = path === MEMORY_PATH ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  if (size === 0) return { schema: 0, expectedSchema: SCHEMA_VERSION, key: "unused" };
  const key = findDataKey({ given: dataKey?.reveal(), databasePath: path });
  return probeSqlite(path, key);
}

function probeSqlite(path: string, key: Buffer | undefined): Promise<DatabaseProbe> {
  return readSqlite(path, async (db) => {
    const { rows } = await sql`select 1 from sqlite_master where name = 'schema_migrations'`.execute(db);
    return look(db, rows.length > 0, key);
  });
}

/**
 * Query a database file without changing or locking it.
 *
 * @throws {HoldfastError} `STORE_UNAVAILABLE` if it can't be read.
 */
export async function readSqlite<T>(path: string, query: (db: Database) => Promise<T>): Promise<T> {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path, { readOnly: true });
    return await query(new Kysely<Schema>({ dialect: createNodeSqliteDialect(connection) }));
  } catch (error) {
    throw toSqliteStoreError(error, path);
  } finally {
    connection?.close();
  }
}

async function probePostgres(url: string, key: Buffer | undefined): Promise<DatabaseProbe> {
  const driver = await loadPg();
  assertAddress(driver, url);
  const engine = createPostgresEngine({ driver, url, poolSize: 1, logger: SILENT_LOGGER });
  try {
    return await engine.read(async (db) => {
      const { rows } = await sql<{ found: string | null }>`
        select cast(to_regclass('schema_migrations') as text) as found`.execute(db);
      const looked = await look(db, rows[0]?.found != null, key);
      const settings = await sql<{ name: string }>`
        select name from pg_settings where name in ('synchronous_commit', 'fsync') and setting = 'off'`.execute(
        db,
      );
      return { ...looked, unsafe: settings.rows.map(({ name }) => name) };
    });
  } catch (error) {
    throw toOpeningError(error);
  } finally {
    await engine.close();
  }
}

async function look(db: Database, isPrepared: boolean, key: Buffer | undefined): Promise<DatabaseProbe> {
  const schema = isPrepared ? await schemaVersion(db) : 0;
  const kept = schema === 0 ? undefined : await findKeyCheck(db);
  return { schema, expectedSchema: SCHEMA_VERSION, key: compareKey(kept, key) };
}

function compareKey(kept: string | undefined, key: Buffer | undefined): DatabaseProbe["key"] {
  if (kept === undefined) return "unused";
  if (key === undefined) return "missing";
  return toKeyCheck(createKeyring(key)) === kept ? "right" : "wrong";
}

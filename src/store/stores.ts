import type { MemoryStoreOptions, SqliteStoreOptions } from "./engines/sqlite/sqlite-store.ts";
import type { PostgresStoreOptions } from "./engines/postgres/postgres-options.ts";
import type { Store } from "./store.ts";

// The SQL takes as long to load as all else that a storefront needs, and most storefronts open no database.

/** A {@link Store} that is gone with the process: SQLite in memory, with the semantics of the file. */
export async function createMemoryStore(options?: MemoryStoreOptions): Promise<Store> {
  const engine = await import("./engines/sqlite/sqlite-store.ts");
  return engine.createMemoryStore(options);
}

/**
 * Open a {@link Store} in a file that one process owns.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` when the data key is not the file's, `STORE_SCHEMA_NEWER` after a downgrade,
 *   `STORE_UNAVAILABLE` when the file can't be opened.
 */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const engine = await import("./engines/sqlite/sqlite-store.ts");
  return engine.createSqliteStore(options);
}

/**
 * Open a {@link Store} in a Postgres database that any number of processes share. Needs the package `pg`.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` when the address or the data key is not the database's, or `pg` isn't installed,
 *   `STORE_SCHEMA_NEWER` after a downgrade, `STORE_UNAVAILABLE` when the database can't be reached.
 */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const engine = await import("./engines/postgres/postgres-store.ts");
  return engine.createPostgresStore(options);
}

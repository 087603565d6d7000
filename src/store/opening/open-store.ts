import { refuseOnCloudflare } from "../../base/cloudflare.ts";
import type { Secret } from "../../base/secret.ts";
import type { Logger } from "../../base/logger.ts";
import type { SqliteStoreOptions } from "./sqlite-store.ts";
import type { PostgresStoreOptions } from "./postgres-options.ts";
import type { Store } from "../store.ts";

// Loaded only on use: the SQL code takes as long to load as everything else in a storefront, and most storefronts open no
// database.

/**
 * Open a {@link Store} in a SQLite file. With `exclusive`, this process owns it.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` when the data key is not the file's, `STORE_SCHEMA_NEWER` after a downgrade,
 *   `STORE_UNAVAILABLE` when the file can't be opened.
 */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  refuseOnCloudflare("createSqliteStore");
  const engine = await import("./sqlite-store.ts");
  return engine.createSqliteStore(options);
}

/**
 * Open a {@link Store} in a Postgres database that any number of processes share. Needs the package `pg`.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` when the address or the data key is not the database's, or `pg` isn't installed,
 *   `STORE_SCHEMA_NEWER` after a downgrade, `STORE_UNAVAILABLE` when the database can't be reached.
 */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  refuseOnCloudflare("createPostgresStore");
  const engine = await import("./postgres-store.ts");
  return engine.createPostgresStore(options);
}

export type DatabaseConfig =
  /** `path` is a file, or `:memory:` for a store that ends with the process. */
  { readonly kind: "sqlite"; readonly path: string } | { readonly kind: "postgres"; readonly url: Secret };

/** Connections of an app, which works on many orders at once. */
const APP_POOL_SIZE = 10;

/** The database settings from the environment. */
export interface StoreConfig {
  readonly database: DatabaseConfig;
  /** 32 bytes. With SQLite it may be undefined: then the key is created and stored beside the file. */
  readonly dataKey: Secret<Buffer> | undefined;
}

/**
 * Open the configured store. `exclusive` is for the app, which owns its SQLite file and recovers what an earlier process left
 * there. A Postgres database has no owner: the processes that share it notice when one is gone.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the wrong variable, `STORE_*` if the database can't be used.
 */
export async function openConfiguredStore(
  { database, dataKey }: StoreConfig,
  options: { readonly exclusive: boolean; readonly logger?: Logger; readonly now?: () => number },
): Promise<Store> {
  const given = dataKey?.reveal();
  if (database.kind === "postgres") {
    const { logger, now } = options;
    return createPostgresStore({
      url: database.url.reveal(),
      dataKey: given,
      poolSize: APP_POOL_SIZE,
      logger,
      now,
    });
  }
  const { loadDataKey } = await import("./data-key.ts");
  const { path } = database;
  return createSqliteStore({ path, dataKey: loadDataKey({ given, databasePath: path }), ...options });
}

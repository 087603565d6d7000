import type { Secret } from "../base/secret.ts";
import type { Logger } from "../base/logger.ts";
import { loadDataKey } from "./sealing/data-key.ts";
import { createPostgresStore } from "./engines/postgres/postgres-store.ts";
import { createSqliteStore } from "./engines/sqlite/sqlite-store.ts";
import type { Store } from "./store.ts";

/** Where everything is kept. */
export type DatabaseConfig =
  /** `path` is a file, or `:memory:` for a store that ends with the process. */
  { readonly kind: "sqlite"; readonly path: string } | { readonly kind: "postgres"; readonly url: Secret };

/** What the environment says about the database. */
export interface StoreConfig {
  readonly database: DatabaseConfig;
  /** 32 bytes. Undefined, which it is only with SQLite: made and kept beside the file. */
  readonly dataKey: Secret<Buffer> | undefined;
}

/**
 * Open the store that the configuration names. `exclusive` is for the app, which owns its SQLite file and recovers what
 * an earlier process left there. A Postgres database has no owner: the processes that share it notice when one is gone.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the variable at fault, `STORE_*` when it cannot be used.
 */
export async function openConfiguredStore(
  { database, dataKey }: StoreConfig,
  options: { readonly exclusive: boolean; readonly logger?: Logger; readonly now?: () => number },
): Promise<Store> {
  if (database.kind === "postgres") {
    return createPostgresStore({
      url: database.url.reveal(),
      dataKey: dataKey?.reveal(),
      logger: options.logger,
      now: options.now,
    });
  }
  const { path } = database;
  const key = loadDataKey({ given: dataKey?.reveal(), databasePath: path });
  return createSqliteStore({ path, dataKey: key, ...options });
}

import type { Config } from "../config.ts";
import { HoldfastError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { loadDataKey } from "./data-key.ts";
import { createSqliteStore } from "./sqlite.ts";
import type { Store } from "./store.ts";

/**
 * Open the store that the configuration names. `exclusive` is for the app, which recovers what an earlier process left.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the variable at fault, `STORE_*` when it cannot be used.
 */
export async function openConfiguredStore(
  { database, dataKey }: Pick<Config, "database" | "dataKey">,
  options: { readonly exclusive: boolean; readonly logger?: Logger },
): Promise<Store> {
  if (database.kind !== "sqlite") {
    throw new HoldfastError("CONFIG_INVALID", "DATABASE_URL: expected sqlite:PATH", { retryable: false });
  }
  const { path } = database;
  const key = loadDataKey({ given: dataKey?.reveal(), databasePath: path });
  return createSqliteStore({ path, dataKey: key, ...options });
}

import { SILENT_LOGGER } from "../../../base/logger.ts";
import type { Engine } from "../engine.ts";
import { createKeyring } from "../../sealing/keyring.ts";
import { createKyselyStore } from "../../kysely-store.ts";
import { prepareDatabase } from "../../schema/prepare.ts";
import { createSqliteEngine } from "./sqlite-engine.ts";
import { acquireProcessLock, MEMORY_PATH, preparePrivateFile, type ProcessLock } from "./sqlite-files.ts";
import type { SqliteStoreOptions } from "./sqlite-options.ts";
import type { Store } from "../../store.ts";

/**
 * Open a {@link Store} in a SQLite file. Every write is on disk before it resolves.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` when the data key is not the database's or another process owns it,
 *   `STORE_SCHEMA_NEWER` after a downgrade, `STORE_UNAVAILABLE` when the file cannot be opened.
 */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { path, exclusive = false, now = Date.now, logger = SILENT_LOGGER } = options;
  const keyring = "keyring" in options ? options.keyring : createKeyring(options.dataKey);
  const isFile = path !== MEMORY_PATH;
  if (isFile) preparePrivateFile(path);
  const lock = exclusive && isFile ? acquireProcessLock(path) : undefined;
  let engine: Engine | undefined;
  try {
    engine = withLock(createSqliteEngine({ path, logger }), lock);
    await prepareDatabase(engine, { keyring, name: path, nowMs: now() });
    const store = createKyselyStore({ engine, keyring, logger, now });
    if (exclusive) await store.releaseAllLeases();
    return store;
  } catch (error) {
    if (engine === undefined) lock?.release();
    else await engine.close();
    throw error;
  }
}

/** The lock goes last, when nothing can be written any more. */
function withLock(engine: Engine, lock: ProcessLock | undefined): Engine {
  if (lock === undefined) return engine;
  let closing: Promise<void> | undefined;
  return {
    ...engine,
    close: () => (closing ??= engine.close().finally(() => lock.release())),
  };
}

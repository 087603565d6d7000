import { toConfigError } from "../../base/errors.ts";
import { type Logger, SILENT_LOGGER } from "../../base/logger.ts";
import { checkOptions, type OptionRules } from "../../base/options.ts";
import { type Keyring, createKeyring } from "../sealing/keyring.ts";
import type { Engine } from "../engines/engine.ts";
import { createKyselyStore } from "../kysely-store.ts";
import { prepareDatabase } from "./migrate.ts";
import { createSqliteEngine } from "../engines/sqlite/sqlite-engine.ts";
import {
  acquireProcessLock,
  MEMORY_PATH,
  preparePrivateFile,
  type ProcessLock,
} from "../engines/sqlite/sqlite-files.ts";
import type { Store } from "../store.ts";

/** Options of {@link createSqliteStore}. */
export type SqliteStoreOptions = {
  /** The database file, or `:memory:`. A missing file and folder are created (modes 0600 and 0700). */
  readonly path: string;
  /**
   * Own the database: a second process that wants to own it fails to start, and work that an earlier process left unfinished
   * resumes at once. Others can still read and write.
   *
   * @default false
   */
  readonly exclusive?: boolean | undefined;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: (() => number) | undefined;
  /** Default: silent. */
  readonly logger?: Logger | undefined;
} & ({ readonly keyring: Keyring } | { readonly dataKey: Uint8Array });

const OPTIONS: OptionRules<SqliteStoreOptions> = {
  path: true,
  dataKey: true,
  keyring: true,
  exclusive: true,
  now: "function",
  logger: "logger",
};

/**
 * Open a {@link Store} in a SQLite file. Every write is on disk before it resolves.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` if the data key doesn't fit the database or another process owns it,
 *   `STORE_SCHEMA_NEWER` after a downgrade, `STORE_UNAVAILABLE` if the file can't be opened.
 */
export async function createSqliteStore(given: SqliteStoreOptions): Promise<Store> {
  const options = checkOptions("createSqliteStore", given, OPTIONS);
  const { exclusive = false, now = Date.now, logger = SILENT_LOGGER } = options;
  const path = checkPath(options.path);
  const keyring = "keyring" in options ? options.keyring : createKeyring(options.dataKey);
  const isFile = path !== MEMORY_PATH;
  if (isFile) preparePrivateFile(path);
  const lock = exclusive && isFile ? acquireProcessLock(path) : undefined;
  let engine: Engine | undefined;
  try {
    engine = withLock(createSqliteEngine({ path, logger }), lock);
    await prepareDatabase(engine, { keyring, name: path, nowMs: now() });
    const store = createKyselyStore({ engine, keyring, logger, now });
    if (exclusive) await store.leases.releaseAll();
    return store;
  } catch (error) {
    if (engine === undefined) lock?.release();
    else await engine.close();
    throw error;
  }
}

/** A whole `DATABASE_URL` would make a folder named `sqlite:`, and a home folder one named `~`, away from the disk that was meant. */
function checkPath(path: unknown): string {
  if (typeof path === "string" && path !== "" && !/^(?:~|(?:sqlite|file|postgres\w*):)/i.test(path))
    return path;
  throw toConfigError(
    '`path`: expected a file such as "./data/holdfast.db", without "sqlite:" or "~", or ":memory:"',
  );
}

/** Release the lock last, when nothing more can be written. */
function withLock(engine: Engine, lock: ProcessLock | undefined): Engine {
  if (lock === undefined) return engine;
  let closing: Promise<void> | undefined;
  return {
    ...engine,
    close: () => (closing ??= engine.close().finally(() => lock.release())),
  };
}

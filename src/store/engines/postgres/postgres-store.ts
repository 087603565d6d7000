import { SILENT_LOGGER } from "../../../base/logger.ts";
import { type Keyring, createKeyring } from "../../sealing/keyring.ts";
import { HoldfastError, toConfigError } from "../../../base/errors.ts";
import { createKyselyStore } from "../../kysely-store.ts";
import { loadPg, type Driver } from "./postgres-pool.ts";
import { createPostgresEngine } from "./postgres-engine.ts";
import { toSqlState } from "./postgres-errors.ts";
import type { PostgresStoreOptions } from "./postgres-options.ts";
import { prepareDatabase } from "../../schema/migrate.ts";
import type { Store } from "../../store.ts";

const DEFAULT_POOL_SIZE = 10;

/** SQLSTATEs on opening that only another configuration cures. */
const MISCONFIGURED: ReadonlyMap<string, string> = new Map([
  ["28000", "the database refuses this user"],
  ["28P01", "the database refuses this password"],
  ["3D000", "there is no such database"],
  ["3F000", "there is no schema in which to create tables"],
  ["42501", "this user may not create tables"],
]);

/**
 * Open a {@link Store} in a Postgres database that any number of processes share. Every write is durable, as far as
 * the server's `synchronous_commit` goes, before it resolves. Loads the `pg` package.
 *
 * What a process has leased is taken over by the others within seconds when its connection to the database ends.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` when the address or the data key is not the database's,
 *   `STORE_SCHEMA_NEWER` after a downgrade, `STORE_UNAVAILABLE` when the database cannot be reached.
 */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, poolSize = DEFAULT_POOL_SIZE, now = Date.now, logger = SILENT_LOGGER } = options;
  const keyring = toKeyring(options);
  if (!Number.isInteger(poolSize) || poolSize < 1)
    throw toConfigError("poolSize: expected a positive whole number");
  const driver = await loadPg();
  assertAddress(driver, url);
  const engine = createPostgresEngine({ driver, url, poolSize, now, logger });
  try {
    await prepareDatabase(engine, { keyring, name: "the database", nowMs: now() });
  } catch (error) {
    await engine.close();
    throw toOpeningError(error);
  }
  return createKyselyStore({ engine, keyring, logger, now });
}

function toKeyring(options: PostgresStoreOptions): Keyring {
  if ("keyring" in options) return options.keyring;
  const { dataKey } = options;
  // Several processes share the database, so none of them may make up a key of its own.
  if (dataKey === undefined) throw toConfigError("DATA_KEY: expected with a PostgreSQL database");
  return createKeyring(dataKey);
}

/** @throws {HoldfastError} `CONFIG_INVALID` naming `DATABASE_URL` when no connection can be described by it. */
export function assertAddress(driver: Driver, url: string): void {
  try {
    // Parses the address, and reads the certificates that it names.
    void new driver.Client({ connectionString: url });
  } catch {
    // Without the cause, which may repeat the address and with it the password.
    throw toConfigError(
      "DATABASE_URL: expected postgres://HOST/NAME, and certificate files that can be read",
    );
  }
}

/** What `toPostgresStoreError` made of it is right later on, but at the start it is the configuration. */
export function toOpeningError(error: unknown): unknown {
  const cause = error instanceof HoldfastError ? error.cause : error;
  const problem = MISCONFIGURED.get(toSqlState(cause) ?? "");
  return problem === undefined ? error : toConfigError(`DATABASE_URL: ${problem}`, cause);
}

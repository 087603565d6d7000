import { SILENT_LOGGER } from "../../base/logger.ts";
import { checkOptions, type OptionRules } from "../../base/options.ts";
import { type Keyring, createKeyring } from "../sealing/keyring.ts";
import { HoldfastError, toConfigError } from "../../base/errors.ts";
import { createKyselyStore } from "../kysely-store.ts";
import { loadPg, type Driver } from "../engines/postgres/postgres-pool.ts";
import { createPostgresEngine } from "../engines/postgres/postgres-engine.ts";
import { toSqlState } from "../engines/postgres/postgres-errors.ts";
import type { PostgresStoreOptions } from "./postgres-options.ts";
import { prepareDatabase } from "./migrate.ts";
import type { Store } from "../store.ts";

/** Enough for a storefront's checks, measured. Many instances share the database's limit, often 100. */
const DEFAULT_POOL_SIZE = 3;

const OPTIONS: OptionRules<PostgresStoreOptions> = {
  url: true,
  dataKey: true,
  keyring: true,
  poolSize: true,
  now: "function",
  logger: "logger",
};

/** SQLSTATEs on opening that only a changed configuration fixes. */
const MISCONFIGURED: ReadonlyMap<string, string> = new Map([
  [
    "08P01",
    "a connection pooler refuses the connection's time limits. Connect directly, or let it ignore the startup parameters statement_timeout and idle_in_transaction_session_timeout",
  ],
  ["28000", "the database refuses this user, or a connection without TLS (add ?sslmode=verify-full)"],
  ["28P01", "the database refuses this user or password"],
  ["3D000", "there is no such database"],
  ["3F000", "there is no schema in which to create tables"],
  ["42501", "this user may not create and change tables. Make it the owner of the database"],
]);

/**
 * Open a {@link Store} in a Postgres database that any number of processes can share. A write resolves once it is durable, as
 * far as the server's `synchronous_commit` guarantees. Loads the `pg` package.
 *
 * When a process's connection to the database ends, the others take over its leased work within seconds.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` if the address is wrong or the data key doesn't fit the database,
 *   `STORE_SCHEMA_NEWER` after a downgrade, `STORE_UNAVAILABLE` if the database can't be reached.
 */
export async function createPostgresStore(given: PostgresStoreOptions): Promise<Store> {
  const options = checkOptions("createPostgresStore", given, OPTIONS);
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
  // Several processes share the database, so none of them may create its own key.
  if (dataKey === undefined) throw toConfigError("`dataKey` (DATA_KEY): required with a PostgreSQL database");
  return createKeyring(dataKey);
}

/** @throws {HoldfastError} `CONFIG_INVALID` naming `DATABASE_URL` if it doesn't describe a connection. */
export function assertAddress(driver: Driver, url: string): void {
  try {
    // Without an address, pg connects to this machine.
    if (!/^postgres(?:ql)?:/.test(url)) throw new Error("not a PostgreSQL address");
    // Parses the address and reads the certificates it names.
    void new driver.Client({ connectionString: url });
  } catch {
    // Without the cause, which may contain the address with its password.
    throw toConfigError(
      "`url` (DATABASE_URL): expected postgres://USER:PASSWORD@HOST/NAME, percent-encoded, and certificate files that can be read",
    );
  }
}

/** `toPostgresStoreError` is right about a running store, but on opening these errors come from the configuration. */
export function toOpeningError(error: unknown): unknown {
  const cause = error instanceof HoldfastError ? error.cause : error;
  const isPasswordMissing = cause instanceof Error && /password must be a/i.test(cause.message);
  const problem = isPasswordMissing
    ? "the database asks for a password"
    : MISCONFIGURED.get(toSqlState(cause) ?? "");
  return problem === undefined ? error : toConfigError(`\`url\` (DATABASE_URL): ${problem}`, cause);
}

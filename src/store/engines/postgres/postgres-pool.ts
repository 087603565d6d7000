import type { PostgresPool, PostgresPoolClient } from "kysely";
import type * as pg from "pg";
import type { Logger } from "../../../base/logger.ts";
import { isSessionOver, toConnectionError } from "./postgres-errors.ts";
import { throwMissingPackage } from "../../../base/missing-package.ts";

/** The `pg` package, which is loaded only when there is a Postgres to talk to. */
export type Driver = typeof pg;

/** Options of {@link createPostgresPool}. */
interface PostgresPoolOptions {
  readonly driver: Driver;
  readonly url: string;
  /** Connections at most. */
  readonly size: number;
  /** Whether statements may take minutes. */
  readonly unhurried: boolean;
  readonly logger: Logger;
}

/** For a connection, or for one of the pool to become free. Platforms wait about 5 s for the answer to a webhook. */
const CONNECT_TIMEOUT_MS = 4_000;
/** The server gives up a statement, and a wait for a lock, after this. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** Without an answer after this the server or the way to it is gone. The server itself should be the first to speak. */
const ANSWER_TIMEOUT_MS = 35_000;
/** A process that stands still in a transaction keeps its rows from the others; units wait for nothing but queries. */
const STANDSTILL_TIMEOUT_MS = 15_000;
const IDLE_TIMEOUT_MS = 30_000;

/** Configuration of every connection, also of one that only listens. */
export function toConnectionConfig(driver: Driver, url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: "holdfast",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: {
      getTypeParser: (oid, format) =>
        oid === driver.types.builtins.INT8 ? toSafeNumber : driver.types.getTypeParser(oid, format),
    },
  };
}

/**
 * A pool for Kysely whose connections throw `STORE_UNAVAILABLE` when they are lost, go back to the pool only while
 * they are good, and keep values out of errors.
 */
export function createPostgresPool(options: PostgresPoolOptions): PostgresPool {
  const { driver, url, size, unhurried, logger } = options;
  const pool = new driver.Pool({
    ...toConnectionConfig(driver, url),
    max: size,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STANDSTILL_TIMEOUT_MS,
    ...(unhurried ? {} : { statement_timeout: STATEMENT_TIMEOUT_MS, query_timeout: ANSWER_TIMEOUT_MS }),
  });
  // An error event that nobody hears ends the process. The pool hears those of idle connections; those of one in use
  // reach its query, or, between two queries, the next one.
  // Not the error itself: the pool has put the client on it, with all that it knows.
  pool.on("error", ({ message }) => logger.warn({ reason: message }, "an idle connection was lost"));
  pool.on("connect", (client) => void client.on("error", () => {}));
  let ending: Promise<void> | undefined;

  return {
    options: {},
    async connect() {
      try {
        return toSession(await pool.connect());
      } catch (cause) {
        throw toConnectionError(cause);
      }
    },
    end: () => (ending ??= pool.end()),
  };
}

function toSession(client: pg.PoolClient): PostgresPoolClient {
  let over: Error | undefined;

  async function query(text: string, parameters: readonly unknown[]): Promise<unknown> {
    // After a loss the rollback would only wait for an answer that does not come.
    if (over !== undefined) throw over;
    try {
      return await client.query(text, parameters.map(toParameter));
    } catch (error) {
      if (!isSessionOver(error)) throw withoutValues(error);
      over = toConnectionError(error);
      throw over;
    }
  }

  return {
    query: query as PostgresPoolClient["query"],
    release: (destroy) => client.release(destroy === true || over !== undefined),
  };
}

/** Postgres refuses a text with a NUL, which no id and no name has a use for. */
function toParameter(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("\0", "\uFFFD") : value;
}

/** Postgres quotes the row at fault in the details of an error, and errors are logged. */
function withoutValues(error: unknown): unknown {
  if (error instanceof Error) for (const name of ["detail", "where"]) Reflect.deleteProperty(error, name);
  return error;
}

/** Times and counts are far below 2^53; a number that is not must not be rounded in silence. */
function toSafeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError("the database holds a whole number that JavaScript cannot");
}

/**
 * Load the `pg` package. Bundlers leave it alone: most shops that bundle Holdfast don't have it.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` with the command that installs it.
 */
export const loadPg = (): Promise<Driver> =>
  import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ "pg").catch(
    throwMissingPackage,
  );

/**
 * SQL for the database's clock in milliseconds since the epoch. It is the start of the statement: one moment for all of
 * it, which an index can be searched by.
 */
export const DATABASE_NOW_MS = "(extract(epoch from statement_timestamp()) * 1000)::bigint";

import type { PostgresPool, PostgresPoolClient } from "kysely";
import type * as pg from "pg";
// Captured on import, so that a test with fake timers doesn't stop the store.
import { setTimeout as pause } from "node:timers/promises";
import { readCode, toStoreUnavailable } from "../../../base/errors.ts";
import type { Logger } from "../../../base/logger.ts";
import { isFull, isSessionOver, toConnectionError } from "./postgres-errors.ts";
import { throwMissingPackage } from "../../../base/missing-package.ts";

/** The `pg` package, which is loaded only if Postgres is used. */
export type Driver = typeof pg;

export interface PostgresParts {
  readonly driver: Driver;
  readonly url: string;
  readonly logger: Logger;
}

interface PostgresPoolOptions extends PostgresParts {
  /** The most connections. */
  readonly size: number;
  /** Whether statements may take minutes. */
  readonly unhurried: boolean;
}

/** How long to wait for a connection. Platforms wait about 5 s for the response to a webhook. */
const CONNECT_TIMEOUT_MS = 4_000;
/** How long to wait for others to close connections when the server has none left. As long as for a lock. */
const FULL_TIMEOUT_MS = 30_000;
const FULL_RETRY_MS = 100;
const FULL_TOLD_EVERY_MS = 60_000;
/** The server cancels a statement or a wait for a lock after this time. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** After this time, the server or the network is gone. Longer than the server's limit, whose error arrives first. */
const ANSWER_TIMEOUT_MS = 35_000;
/** A process that freezes in a transaction blocks its rows. Units wait only for queries, so they are never idle for long. */
const STANDSTILL_TIMEOUT_MS = 15_000;
const IDLE_TIMEOUT_MS = 30_000;

/** The configuration of every connection, including the ones that listen. */
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
 * A pool for Kysely. Its connections throw `STORE_UNAVAILABLE` when they are lost, return to the pool only while they work,
 * and keep values out of errors.
 */
export function createPostgresPool(options: PostgresPoolOptions) {
  let pool = openPool(options);
  let ending: Promise<void> | undefined;
  /** When it was last logged that the server has no connection left. */
  let toldAtMs = Number.NEGATIVE_INFINITY;

  /** Wait while the server has no connection left: a caller with less time stops waiting by itself. */
  async function connect(): Promise<pg.PoolClient> {
    const startMs = performance.now();
    for (;;) {
      try {
        return await pool.connect();
      } catch (cause) {
        const isLate = performance.now() - startMs >= FULL_TIMEOUT_MS;
        if (!isFull(cause) || isLate || ending !== undefined) throw cause;
        if (performance.now() - toldAtMs >= FULL_TOLD_EVERY_MS) {
          toldAtMs = performance.now();
          options.logger.warn({ reason: readCode(cause) }, FULL);
        }
      }
      await pause(FULL_RETRY_MS * (0.5 + Math.random()));
    }
  }

  return {
    options: {},
    async connect() {
      try {
        return toSession(await connect());
      } catch (cause) {
        throw toConnectionError(cause);
      }
    },
    /** Drop all connections, whose other side may be gone without an error. What is under way on them fails. */
    renew(): void {
      const former = pool;
      pool = openPool(options);
      for (const client of former.clients) client.connection.stream.destroy();
      former.end().catch(() => undefined);
    },
    end: () => (ending ??= pool.end()),
  } satisfies PostgresPool & { renew(): void };
}

const FULL =
  "the database accepts no more connections, so queries wait for one: lower `poolSize`, run fewer processes, or raise the database's limit";

/** A pool that knows its connections. */
function openPool({ driver, url, size, unhurried, logger }: PostgresPoolOptions) {
  const clients = new Set<pg.PoolClient>();
  const pool = new driver.Pool({
    ...toConnectionConfig(driver, url),
    Client: createCalmClient(createClosingClient(driver)),
    max: size,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STANDSTILL_TIMEOUT_MS,
    ...(unhurried ? {} : { statement_timeout: STATEMENT_TIMEOUT_MS, query_timeout: ANSWER_TIMEOUT_MS }),
  });
  // An unhandled error event would end the process. The pool handles those of idle connections. An error of a connection in
  // use reaches its query, or the next one. Don't log the error itself: the pool attaches the client to it, with its
  // settings.
  pool.on("error", ({ message }) => logger.warn({ reason: message }, "an idle connection was lost"));
  pool.on("connect", (client) => {
    client.on("error", () => {});
    clients.add(client);
  });
  pool.on("remove", (client) => void clients.delete(client));
  return Object.assign(pool, { clients });
}

type ConnectCallback = (error: Error | null, client: pg.Client) => void;

/** `pg` leaves a connection open when signing in fails. It keeps the process alive until the server closes it. */
function createClosingClient({ Client }: Driver): typeof pg.Client {
  return class extends Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: ConnectCallback): void;
    override connect(callback?: ConnectCallback): Promise<pg.Client> | undefined {
      if (callback === undefined) return super.connect();
      super.connect((error: Error | null) => {
        if (error !== null) void this.end();
        callback(error, this);
      });
      return undefined;
    }
  };
}

/**
 * `pg` reads the certificates that the address names when it makes a client, and throws if one can't be read, for example while
 * it is replaced. A pool makes clients in events, where nobody catches that. Make a client that can't connect instead.
 */
export function createCalmClient(Closing: typeof pg.Client): typeof pg.Client {
  return new Proxy(Closing, {
    construct(target, parameters: ConstructorParameters<typeof pg.Client>) {
      try {
        return new target(...parameters);
      } catch (cause) {
        const error = toStoreUnavailable("no connection to the database: a certificate can't be read", cause);
        const connect = (callback?: ConnectCallback): Promise<pg.Client> | undefined => {
          if (callback === undefined) return Promise.reject(error);
          process.nextTick(callback, error);
          return undefined;
        };
        return Object.assign(new target({ ssl: false }), { connect });
      }
    },
  });
}

function toSession(client: pg.PoolClient): PostgresPoolClient {
  let over: Error | undefined;

  async function query(text: string, parameters: readonly unknown[]): Promise<unknown> {
    // After a loss, a rollback would wait for a response that never arrives.
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

/** Postgres refuses a text with a NUL. No ID or name needs one. */
function toParameter(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("\0", "\uFFFD") : value;
}

/** Postgres quotes the row in the details of an error, and errors are logged. */
function withoutValues(error: unknown): unknown {
  if (error instanceof Error) for (const name of ["detail", "where"]) Reflect.deleteProperty(error, name);
  return error;
}

/** Times and counts are far below 2^53. A larger number must not be rounded silently. */
function toSafeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError("the database holds a whole number that JavaScript cannot");
}

/**
 * Load the `pg` package. The comments tell bundlers to skip it, because most shops that bundle Holdfast don't have it.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` with the command that installs it.
 */
export const loadPg = (): Promise<Driver> =>
  import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ "pg").catch(
    throwMissingPackage,
  );

/**
 * SQL for the database's clock, in milliseconds since the epoch. It is the statement's start time: the same for the whole
 * statement, so that it can be used with an index.
 */
export const DATABASE_NOW_MS = "(extract(epoch from statement_timestamp()) * 1000)::bigint";

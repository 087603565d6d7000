import { AsyncLocalStorage } from "node:async_hooks";
// Bound on import: a test that fakes timers must not stop the store.
import { setTimeout as pause } from "node:timers/promises";
import { Kysely, PostgresDialect, sql } from "kysely";
import { HoldfastError } from "../../../base/errors.ts";
import type { Logger } from "../../../base/logger.ts";
import type { Engine } from "../engine.ts";
import { createSlots } from "../../../base/queues.ts";
import { selectDueRows } from "./postgres-claims.ts";
import { DATABASE_NOW_MS } from "./postgres-clock.ts";
import { isConflict, toPostgresStoreError } from "./postgres-errors.ts";
import { createPostgresPool, type Driver } from "./postgres-pool.ts";
import { createRegisteredProcess } from "./postgres-process.ts";
import { createWorkChannel, WORK_CHANNEL } from "./postgres-work-channel.ts";
import type { Database, Schema } from "../../schema/schema.ts";
import { createSerialQueue } from "../../../base/queues.ts";

/** Options of {@link createPostgresEngine}. */
export interface PostgresEngineOptions {
  readonly driver: Driver;
  readonly url: string;
  /** Connections for the everyday work at most. */
  readonly poolSize: number;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: (() => number) | undefined;
  readonly logger: Logger;
}

/** Migrations and the erasure of tenants, which may take minutes, do not wait for each other, nor others for them. */
const UNHURRIED_POOL_SIZE = 2;
/** Owner of what is done for no tenant in particular: receipts, claims, health checks. */
const NOBODY = "";
/** A unit that others keep getting in the way of is given up after this many tries. */
const MAX_TRIES = 5;
const RETRY_SPREAD_MS = 20;

/**
 * Open Postgres: a pool for the everyday work, one without time limits, a connection that listens once somebody asks
 * to be woken, and one that shows the other processes that this one lives, once it leases something. Connections are made when they are needed, so this never fails.
 */
export function createPostgresEngine(options: PostgresEngineOptions): Engine {
  const { poolSize, now = Date.now, logger } = options;
  const everyday = createConnections({ ...options, size: poolSize, unhurried: false });
  const unhurried = createConnections({ ...options, size: UNHURRIED_POOL_SIZE, unhurried: true });
  const takeTurns = createSerialQueue();
  // As many as there are connections, so that nobody queues behind whoever came before, as the pool would have it.
  const slots = createSlots(poolSize);
  const tenants = new AsyncLocalStorage<string>();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => slots.run(tenants.getStore() ?? NOBODY, work);
  const channel = createWorkChannel({
    ...options,
    notify: () => sql`select pg_notify(${WORK_CHANNEL}, '')`.execute(everyday.db),
    logger,
  });
  const registered = createRegisteredProcess({ ...options, now });
  const underWay = new Set<Promise<void>>();
  let closing: Promise<void> | undefined;

  async function run<T>(work: () => Promise<T>): Promise<T> {
    if (closing !== undefined) {
      throw new HoldfastError("STORE_UNAVAILABLE", "the store is closed", { retryable: true });
    }
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    underWay.add(over);
    try {
      return await work();
    } catch (error) {
      throw toPostgresStoreError(error);
    } finally {
      underWay.delete(over);
      end();
    }
  }

  async function close(): Promise<void> {
    await Promise.all(underWay);
    await Promise.all([channel.close(), registered.close()]);
    await Promise.all([everyday.end(), unhurried.end()]);
  }

  return {
    dialect: "postgres",
    isShared: true,
    read: (query) => run(() => inTurn(() => query(everyday.db))),
    write: (unit, { alone, unhurried: takesLong = false } = {}) =>
      run(() => {
        const begin = <T>(work: (db: Database) => Promise<T>): Promise<T> =>
          takesLong ? inTransaction(unhurried.db, work) : inTurn(() => inTransaction(everyday.db, work));
        if (alone === undefined) return begin(unit);
        // Those of this process wait here, without a connection that others could use.
        return takeTurns(alone, () => begin((transaction) => runAlone(transaction, alone, unit)));
      }),
    onBehalfOf: (tenant, work) => tenants.run(tenant, work),
    selectDue: selectDueRows,
    leaseClock: () => sql.raw(DATABASE_NOW_MS),
    processId: () => registered.id(),
    onLeasesLost: (listener) => registered.onLeasesLost(listener),
    announceWork() {
      if (closing === undefined) channel.announce();
    },
    onWork: (listener) => channel.onWork(listener),
    // There is nothing to do: VACUUM takes what was deleted out of the tables, and runs by itself.
    scrub: () => Promise.resolve(),
    close: () => (closing ??= close()),
  };
}

function createConnections(options: Parameters<typeof createPostgresPool>[0]) {
  const pool = createPostgresPool(options);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    async end(): Promise<void> {
      await db.destroy();
      // Kysely ends the pool only if it has run a query.
      await pool.end();
    },
  };
}

/**
 * READ COMMITTED, whatever the database's default: each statement sees what was committed before it, which is what a
 * unit needs after it has waited for a lock.
 */
async function inTransaction<T>(db: Database, unit: (db: Database) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().setIsolationLevel("read committed").execute(unit);
    } catch (error) {
      if (tries === MAX_TRIES || !isConflict(error)) throw error;
      await pause(Math.random() * RETRY_SPREAD_MS * tries);
    }
  }
}

/** The lock goes with the transaction, however that ends. Two names with one hash only wait for nothing. */
async function runAlone<T>(db: Database, name: string, unit: (db: Database) => Promise<T>): Promise<T> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`holdfast:${name}`}, 0))`.execute(db);
  return unit(db);
}

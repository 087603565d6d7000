import { AsyncLocalStorage } from "node:async_hooks";
// Captured on import, so that a test with fake timers doesn't stop the store.
import { setTimeout as pause } from "node:timers/promises";
import { Kysely, PostgresDialect, sql, type RawBuilder } from "kysely";
import { toStoreUnavailable } from "../../../base/errors.ts";
import type { DueKey, DueQuery, Engine } from "../engine.ts";
import { isReached, type WorkLine } from "../work-lines.ts";
import { createBackground, createSerialQueue, createSlots } from "../../../base/waiting.ts";
import { DATABASE_NOW_MS, createPostgresPool, type PostgresParts } from "./postgres-pool.ts";
import { isConflict, toPostgresStoreError } from "./postgres-errors.ts";
import { createRegisteredProcess } from "./postgres-process.ts";
import { createChannel, WORK_CHANNEL } from "./postgres-channel.ts";
import type { Database, Schema } from "../../schema/schema.ts";

interface PostgresEngineOptions extends PostgresParts {
  /** The most connections for ordinary work. */
  readonly poolSize: number;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: (() => number) | undefined;
}

/** Migrations and erasures of tenants may take minutes. They don't wait for each other, and nothing else waits for them. */
const UNHURRIED_POOL_SIZE = 2;
/** The owner of work that isn't for one tenant: receipts, claims, health checks. */
const NOBODY = "";
/** After this many conflicts with other units, a unit fails. */
const MAX_TRIES = 5;
const RETRY_SPREAD_MS = 20;
/** A burst of orders wakes the other processes at most fifty times a second, and people's pages five times. */
const WORK_SPACING_MS = 20;
const CHANGE_SPACING_MS = 200;

/**
 * Open Postgres: a pool for ordinary work, one without time limits, connections that listen for work and for changes, and one that
 * shows other processes that this one is alive while it holds leases. Connections are made on first use, so this never fails.
 */
export function createPostgresEngine(options: PostgresEngineOptions): Engine {
  const { poolSize, now = Date.now } = options;
  const everyday = createConnections({ ...options, size: poolSize, unhurried: false });
  const unhurried = createConnections({ ...options, size: UNHURRIED_POOL_SIZE, unhurried: true });
  const takeTurns = createSerialQueue();
  // As many as there are connections, so that tenants take turns. The pool itself serves in order of arrival.
  const slots = createSlots(poolSize);
  const tenants = new AsyncLocalStorage<string>();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => slots.run(tenants.getStore() ?? NOBODY, work);
  const work = openChannel(options, everyday.db, WORK_CHANNEL, WORK_SPACING_MS);
  const changes = openChannel(options, everyday.db, "holdfast_changes", CHANGE_SPACING_MS);
  const registered = createRegisteredProcess({ ...options, now });
  const underWay = createBackground();
  const stopRenewing = registered.onLeasesLost(() => everyday.renew());
  let closing: Promise<void> | undefined;

  async function run<T>(work: () => Promise<T>): Promise<T> {
    if (closing !== undefined) throw toStoreUnavailable("the store is closed");
    try {
      return await underWay.add(work());
    } catch (error) {
      throw toPostgresStoreError(error);
    }
  }

  async function close(): Promise<void> {
    await underWay.settle();
    stopRenewing();
    await Promise.all([work.close(), changes.close(), registered.close()]);
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
        // Units of this process wait here, without occupying a connection.
        return takeTurns(alone, () => begin((transaction) => runAlone(transaction, alone, unit)));
      }),
    onBehalfOf: (tenant, work) => tenants.run(tenant, work),
    selectDue: selectDueRows,
    leaseClock: () => sql.raw(DATABASE_NOW_MS),
    processId: () => registered.id(),
    ownsLeasesOf: (processId) => registered.ownsLeasesOf(processId),
    onLeasesLost: (listener) => registered.onLeasesLost(listener),
    announceWork() {
      if (closing === undefined) work.announce("");
    },
    onWork: (listener) => work.listen(() => listener()),
    announceChange(tenant) {
      if (closing === undefined) changes.announce(tenant);
    },
    onChange: (listener) => changes.listen(listener),
    // Nothing to do: autovacuum removes deleted rows.
    scrub: () => Promise.resolve(),
    close: () => (closing ??= close()),
  };
}

function openChannel(parts: PostgresParts, db: Database, channel: string, spacingMs: number) {
  const notify = (payloads: readonly string[]) =>
    sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`.execute(db);
  return createChannel({ ...parts, channel, spacingMs, notify });
}

function createConnections(options: Parameters<typeof createPostgresPool>[0]) {
  const pool = createPostgresPool(options);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    renew: () => pool.renew(),
    async end(): Promise<void> {
      await db.destroy();
      // Kysely closes the pool only if it has run a query.
      await pool.end();
    },
  };
}

/**
 * READ COMMITTED, whatever the database's default: each statement sees what was committed before it, which a unit needs after
 * it has waited for a lock.
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

/** The lock ends with the transaction. Two names with the same hash only wait for each other needlessly. */
async function runAlone<T>(db: Database, name: string, unit: (db: Database) => Promise<T>): Promise<T> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`holdfast:${name}`}, 0))`.execute(db);
  return unit(db);
}

/** Reading this many times the limit of the oldest due rows finds whose turn it is, or that there is a flood. */
const WINDOW_FACTOR = 8;
/** How many further rounds look at other tenants, if all rows of the first ones are locked. */
const MAX_ROUNDS = 4;

/** Due times use the caller's clock, leases the database's. The index serves the first comparison. */
function toDueCondition(nowMs: number): RawBuilder<unknown> {
  const leaseNow = sql.raw(DATABASE_NOW_MS);
  return sql`(ready_at <= greatest(${nowMs}, ${leaseNow}) and due_at <= ${nowMs}
    and (lease_until is null or lease_until <= ${leaseNow}))`;
}

/** The result of one round: a line per tenant and row, without an ID for a tenant whose rows are locked. */
interface RoundRow {
  readonly tenant: string;
  readonly id: string | null;
}

/**
 * Keys of due rows, locked until the unit ends, fair between tenants. Locked rows are skipped, so claims don't wait for each
 * other, and a frozen process blocks only its own rows.
 */
async function selectDueRows(db: Database, due: DueQuery): Promise<readonly DueKey[]> {
  // A tenant that has its share already gets no turn.
  const passedOver = [...due.shares.left].flatMap(([tenant, left]) => (left > 0 ? [] : [tenant]));
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const rows = await lockDueRows(db, due, passedOver);
    const found = rows.flatMap(({ tenant, id }) => (id === null ? [] : [{ tenant, id }]));
    if (found.length > 0 || rows.length === 0) return found;
    passedOver.push(...rows.map((row) => row.tenant));
  }
  return [];
}

/**
 * One round. First compute, without locks, how many rows each tenant gets if turns are fair. Then lock up to that many of the
 * tenant's oldest rows. In the result, each tenant's first row comes before any tenant's second, then the oldest.
 */
async function lockDueRows(
  db: Database,
  { line, nowMs, limit, shares }: DueQuery,
  excluded: readonly string[],
): Promise<readonly RoundRow[]> {
  const leftOf = JSON.stringify(Object.fromEntries(shares.left));
  const from = sql.table(line.table);
  const [id, at] = [sql.ref(line.id), sql.ref(line.at)];
  const isDue = sql`${isReached(line, nowMs)} and ${toDueCondition(nowMs)}`;
  // The update takes NO KEY UPDATE anyway. It doesn't conflict with foreign key references.
  const { rows } = await sql<RoundRow>`
    with recursive ${selectHeads(line, isDue, limit, excluded)},
    turns as (
      select heads.tenant, work.at,
             row_number() over (partition by heads.tenant order by work.at) as turn
      from heads cross join lateral (
        select ${at} as at from ${from} where tenant = heads.tenant and ${isDue} order by ${at}
        limit ${limit} + 1 - (select count(*) from heads)) as work),
    quotas as materialized (
      select tenant, count(*) as rows
      from (select tenant from turns
            where turn <= coalesce((${leftOf}::jsonb ->> tenant)::int, ${shares.each}) order by turn, at, tenant limit ${limit}) as fair group by tenant)
    select quotas.tenant, mine.id from quotas
    left join lateral (
      select ${id} as id, ${at} as at from ${from} where tenant = quotas.tenant and ${isDue} order by ${at}
      limit quotas.rows for no key update skip locked) as mine on true
    order by row_number() over (partition by quotas.tenant order by mine.at, mine.id),
      mine.at, quotas.tenant`.execute(db);
  return rows;
}

/**
 * `heads`: the `limit` tenants with the oldest due rows, because each gets a turn before any gets a second. The oldest due
 * rows usually name them. If a few tenants fill those rows, find each tenant's oldest row with a loose index scan, which
 * Postgres needs a recursive query for.
 */
function selectHeads(
  line: WorkLine,
  isDue: RawBuilder<unknown>,
  limit: number,
  excluded: readonly string[],
): RawBuilder<unknown> {
  const window = limit * WINDOW_FACTOR;
  const [from, at] = [sql.table(line.table), sql.ref(line.at)];
  const isOther = sql`tenant <> all(${excluded}::text[])`;
  // Order by tenant and time, although any row of a tenant will do, because only the index on work has this order.
  return sql`
    oldest as materialized (select tenant, ${at} as at from ${from} where ${isDue} order by ${at} limit ${window}),
    named as materialized (select tenant, min(at) as at from oldest where ${isOther} group by tenant),
    flood as materialized (
      select (select count(*) from oldest) >= ${window} and (select count(*) from named) < ${limit} as yes),
    busy(tenant) as (
      (select tenant from ${from} where ${line.rows} and (select yes from flood)
       order by tenant, ${at} limit 1)
      union all
      select (select later.tenant from ${from} as later
              where ${line.rows} and later.tenant > busy.tenant
              order by later.tenant, later.${at} limit 1)
      from busy where busy.tenant is not null),
    candidates as (
      select tenant, at from named where not (select yes from flood)
      union all
      select tenant, (select head.${at} from ${from} as head
                      where head.tenant = busy.tenant and ${isDue} order by head.${at} limit 1)
      from busy where ${isOther}),
    heads as materialized (
      select tenant, at from candidates where at is not null
      order by at, tenant limit ${limit})`;
}

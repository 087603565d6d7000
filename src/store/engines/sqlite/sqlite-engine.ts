import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { Kysely, sql, SqliteDialect, type SqliteStatement, type RawBuilder } from "kysely";
import { LRUCache } from "lru-cache";
import type { Logger } from "../../../base/logger.ts";
import type { DueKey, DueQuery, Engine } from "../engine.ts";
import { isReached, type WorkLine } from "../work-lines.ts";
import { createGroupCommit } from "../group-commit.ts";
import { createCheckpointer } from "./sqlite-checkpointer.ts";
import type { Schema, Database } from "../../schema/schema.ts";
import { selectOne } from "../../statements.ts";
import { toSqliteStoreError } from "./sqlite-errors.ts";
import { createLogSync, type LogSync, type LogSyncOptions } from "./sqlite-log-sync.ts";
import { MEMORY_PATH, toRealPath } from "./sqlite-files.ts";

interface SqliteEngineOptions {
  /** An existing, private file, or `:memory:`. */
  readonly path: string;
  readonly logger: Logger;
  /** Waits until a file is on disk. Default: `fdatasync`. */
  readonly datasync?: ((file: number) => Promise<void>) | undefined;
}

/** How long a connection waits for another process's lock, in milliseconds. The event loop waits too. */
const BUSY_TIMEOUT_MS = 5_000;

const WRITER_PRAGMAS = [
  // With WAL, readers aren't blocked by a writer.
  "PRAGMA journal_mode = WAL",
  // COMMIT doesn't wait for the disk: the log is synced outside the event loop before any caller gets a response.
  "PRAGMA synchronous = NORMAL",
  "PRAGMA foreign_keys = ON",
  // Erased bytes are overwritten with zeros instead of staying in free pages.
  "PRAGMA secure_delete = ON",
  // A log that restarts overwrites its file. Truncating it first blocked a commit and the event loop for 35 to 65 ms every 16
  // MiB.
  "PRAGMA journal_size_limit = -1",
];

/**
 * Open SQLite: one connection that writes, through a {@link createGroupCommit group commit}, and one that reads and sees only
 * committed data. A database in memory has one connection, so its reads take turns in the batches.
 *
 * @throws {HoldfastError} `STORE_UNAVAILABLE` if the file can't be opened or isn't a database.
 */
export function createSqliteEngine({ path: given, logger, datasync }: SqliteEngineOptions): Engine {
  // If the path is a link, SQLite keeps its log beside the target.
  const path = toRealPath(given);
  const connection = openConnection(path);
  const onDoubt = (isDoubtful: boolean) => checkpointer?.pause(isDoubtful);
  const log = path === MEMORY_PATH ? undefined : createLog({ path, connection, datasync, onDoubt });
  const writer = new Kysely<Schema>({ dialect: createNodeSqliteDialect(connection) });
  const commits = createGroupCommit({
    connection,
    toStoreError: toSqliteStoreError,
    sync: log === undefined ? undefined : () => log.sync(),
    onCommit: () => checkpointer?.committed(),
  });
  const reader = path === MEMORY_PATH ? undefined : createReader(path);
  const { between } = commits;
  const checkpointer =
    path === MEMORY_PATH ? undefined : createCheckpointer({ path, connection, between, logger });
  let closing: Promise<void> | undefined;

  async function read<T>(query: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
    if (reader === undefined) return commits.run(() => query(writer));
    try {
      const rows = await query(reader.db);
      // A crash of the machine must not undo data that somebody has acted on.
      await commits.durable();
      return rows;
    } catch (error) {
      throw toSqliteStoreError(error);
    }
  }

  async function close(): Promise<void> {
    const stopped = commits.stop();
    await checkpointer?.close();
    await stopped;
    log?.close();
    await reader?.db.destroy();
    // Close the connections here, because Kysely only does so if it has run a query.
    if (reader?.connection.isOpen === true) reader.connection.close();
    await writer.destroy();
    if (connection.isOpen) connection.close();
  }

  return {
    dialect: "sqlite",
    isShared: false,
    read,
    // There is only one writer at a time, within this process and among processes, so every unit runs alone.
    write: (unit, options) => commits.run(() => unit(writer), options),
    // Every batch includes all waiting work, so tenants don't need turns.
    onBehalfOf: (_tenant, work) => work(),
    selectDue: selectDueRows,
    // One process owns the file. Its clock applies, and its leases end when the next one starts.
    leaseClock: (nowMs) => sql`${nowMs}`,
    processId: () => Promise.resolve(null),
    ownsLeasesOf: () => true,
    onLeasesLost: () => () => {},
    // The app owns its file, and wakes itself.
    announceWork() {},
    onWork: () => () => {},
    ...createChanges(),
    // The log still contains pages from before the erasure.
    scrub: async () => checkpointer?.truncate(),
    close: () => (closing ??= close()),
  };
}

/** Within this process, which owns the file. */
function createChanges(): Pick<Engine, "announceChange" | "onChange"> {
  const listeners = new Set<(tenant: string) => void>();
  return {
    announceChange(tenant) {
      for (const listener of listeners) listener(tenant);
    },
    onChange(listener) {
      // Wrapped, so that the same function can be added twice and removed once.
      const own = (tenant: string) => listener(tenant);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}

function createLog(options: LogSyncOptions): LogSync {
  try {
    return createLogSync(options);
  } catch (error) {
    options.connection.close();
    throw error;
  }
}

function openConnection(path: string): DatabaseSync {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    for (const pragma of WRITER_PRAGMAS) connection.exec(pragma);
    return connection;
  } catch (error) {
    connection?.close();
    throw toSqliteStoreError(error, path);
  }
}

function createReader(path: string): { readonly connection: DatabaseSync; readonly db: Kysely<Schema> } {
  const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly: true });
  return { connection, db: new Kysely<Schema>({ dialect: createNodeSqliteDialect(connection) }) };
}

/** How many prepared statements are cached per connection. The store has about a hundred, some once per number of rows. */
const STATEMENTS_KEPT = 256;

/** Kysely's SQLite dialect over a connection of `node:sqlite`. Kysely closes the connection when it is destroyed. */
export function createNodeSqliteDialect(connection: DatabaseSync): SqliteDialect {
  const statements = new LRUCache<string, SqliteStatement>({ max: STATEMENTS_KEPT });

  function prepare(text: string): SqliteStatement {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const prepared = connection.prepare(text);
    const statement: SqliteStatement = {
      reader: prepared.columns().length > 0,
      all: (parameters) => prepared.all(...parameters.map(toBindable)),
      run: (parameters) => prepared.run(...parameters.map(toBindable)),
      iterate: (parameters) => prepared.iterate(...parameters.map(toBindable)),
    };
    statements.set(text, statement);
    return statement;
  }

  return new SqliteDialect({ database: { prepare, close: () => connection.close() } });
}

/** `node:sqlite` silently stores a Date as NULL, so accept only types that it stores faithfully. */
function toBindable(value: unknown): SQLInputValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint") {
    return value;
  }
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`cannot store a value of type ${typeof value}`);
}

/**
 * Up to this many times the limit, tenants with work are found from the due rows. A larger number is a backlog. Then tenants
 * are found by skipping from one to the next in the index, so that no claim reads the whole backlog.
 */
const BACKLOG_FACTOR = 8;

/**
 * Keys of due rows, fair between tenants. However long the backlog, reads at most a few index entries per tenant with
 * unfinished work, and `limit` per tenant that gets a turn.
 */
async function selectDueRows(db: Database, due: DueQuery): Promise<readonly DueKey[]> {
  const { line } = due;
  const from = sql.table(line.table);
  const isDue = toDueCondition(due);
  const window = due.limit * BACKLOG_FACTOR;
  const counting = sql<{ count: number }>`
    select count(*) as count from (select 1 from ${from} where ${isDue} limit ${window})`;
  const { count } = await selectOne(db, counting);
  if (count === 0) return [];
  const ofDueRows = sql`select distinct tenant from ${from} where ${isDue}`;
  const { rows } = await dueKeys(due, count < window ? ofDueRows : tenantsByIndex(line)).execute(db);
  return rows;
}

function toDueCondition({ line, nowMs }: DueQuery): RawBuilder<unknown> {
  // The unary plus keeps the planner from searching by this column.
  const readyAt = line.at === "ready_at" ? sql`ready_at` : sql`+ready_at`;
  return sql`${isReached(line, nowMs)} and ${readyAt} <= ${nowMs}`;
}

/** A loose index scan. SQLite has none built in, so a recursive query asks for the next tenant after the last one. */
function tenantsByIndex({ table, rows }: WorkLine): RawBuilder<unknown> {
  const from = sql.table(table);
  return sql`
    select min(tenant) from ${from} where ${rows}
    union all
    select (select min(later.tenant) from ${from} as later
            where ${rows} and later.tenant > busy.tenant)
    from busy where busy.tenant is not null`;
}

function dueKeys(due: DueQuery, tenants: RawBuilder<unknown>) {
  const { line, limit, shares } = due;
  const leftOf = JSON.stringify(Object.fromEntries(shares.left));
  const from = sql.table(line.table);
  const [id, at] = [sql.ref(line.id), sql.ref(line.at)];
  const isDue = toDueCondition(due);
  // The first `limit` tenants by oldest row are enough, because each gets a turn before any gets a second. So no tenant gets
  // more than what is left after the others' first turns.
  return sql<DueKey>`
    with recursive busy(tenant) as (${tenants}),
    shares as materialized (select key as tenant, value as rows from json_each(${leftOf})),
    heads as materialized (
      select busy.tenant, (select min(head.${at}) from ${from} as head
                           where head.tenant = busy.tenant and ${isDue}) as at
      from busy where busy.tenant is not null
        and not exists (select 1 from shares where shares.tenant = busy.tenant and shares.rows <= 0)
      order by at nulls last limit ${limit}),
    turns as (
      select work.tenant, work.${id} as id, work.${at} as at,
             row_number() over (partition by work.tenant order by work.${at}, work.${id}) as turn
      from heads cross join ${from} as work
      where heads.at is not null and work.tenant = heads.tenant and work.${id} in (
        select first.${id} from ${from} as first
        where first.tenant = heads.tenant and ${isDue}
        order by first.${at} limit (select ${limit} + 1 - count(*) from heads where at is not null)))
    select tenant, id from turns
    where turn <= coalesce((select rows from shares where shares.tenant = turns.tenant), ${shares.each})
    order by turn, at, tenant limit ${limit}`;
}

import { DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import type { Logger } from "../../../base/logger.ts";
import type { Engine } from "../engine.ts";
import { createGroupCommit } from "../group-commit.ts";
import { createCheckpointer } from "./sqlite-checkpointer.ts";
import type { Schema } from "../../schema/schema.ts";
import { selectDueRows } from "./sqlite-claims.ts";
import { createNodeSqliteDialect } from "./sqlite-dialect.ts";
import { toSqliteStoreError } from "./sqlite-errors.ts";
import { MEMORY_PATH } from "./sqlite-files.ts";

/** Options of {@link createSqliteEngine}. */
export interface SqliteEngineOptions {
  /** An existing, private file, or `:memory:`. */
  readonly path: string;
  readonly logger: Logger;
}

/** How long a connection waits for another process's lock, in milliseconds. The event loop waits with it. */
const BUSY_TIMEOUT_MS = 5_000;

const WRITER_PRAGMAS = [
  // WAL lets readers go on while somebody writes; FULL syncs it on every commit, which is what "acknowledged" means.
  "PRAGMA journal_mode = WAL",
  "PRAGMA synchronous = FULL",
  "PRAGMA foreign_keys = ON",
  // Erased bytes are overwritten with zeros instead of staying in free pages.
  "PRAGMA secure_delete = ON",
  // After a burst the WAL file shrinks to 16 MiB again.
  "PRAGMA journal_size_limit = 16777216",
];

/**
 * Open SQLite: one connection that writes, through a {@link createGroupCommit group commit}, and one that reads and
 * sees committed data only. A database in memory has one connection, so there reads take their turn in the batches.
 *
 * @throws {HoldfastError} `STORE_UNAVAILABLE` when the file cannot be opened or is no database.
 */
export function createSqliteEngine({ path, logger }: SqliteEngineOptions): Engine {
  const connection = openConnection(path);
  const writer = new Kysely<Schema>({ dialect: createNodeSqliteDialect(connection) });
  const commits = createGroupCommit({
    connection,
    toStoreError: toSqliteStoreError,
    onCommit: () => checkpointer?.committed(),
  });
  const reader = path === MEMORY_PATH ? undefined : createReader(path);
  const checkpointer =
    path === MEMORY_PATH
      ? undefined
      : createCheckpointer({ path, connection, between: (job) => commits.between(job), logger });
  let closing: Promise<void> | undefined;

  async function read<T>(query: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
    if (reader === undefined) return commits.run(() => query(writer));
    try {
      return await query(reader.db);
    } catch (error) {
      throw toSqliteStoreError(error);
    }
  }

  async function close(): Promise<void> {
    const stopped = commits.stop();
    await checkpointer?.close();
    await stopped;
    await reader?.db.destroy();
    // The connections are closed here and not by Kysely, which does so only if it has run a query.
    if (reader?.connection.isOpen === true) reader.connection.close();
    await writer.destroy();
    if (connection.isOpen) connection.close();
  }

  return {
    dialect: "sqlite",
    isShared: false,
    read,
    // There is one writer at a time, in this process and among processes: every unit is alone.
    write: (unit, options) => commits.run(() => unit(writer), options),
    // Every batch takes in all that waits, whoever it is for.
    onBehalfOf: (_tenant, work) => work(),
    selectDue: selectDueRows,
    // One process owns the file: its clock rules, and its leases are void when the next one starts.
    leaseClock: (nowMs) => sql`${nowMs}`,
    processId: () => Promise.resolve(null),
    onLeasesLost: () => () => {},
    // The app owns its file, and wakes itself.
    announceWork() {},
    onWork: () => () => {},
    // The log still holds pages as they were before the erasure.
    scrub: async () => checkpointer?.truncate(),
    close: () => (closing ??= close()),
  };
}

function openConnection(path: string): DatabaseSync {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    for (const pragma of WRITER_PRAGMAS) connection.exec(pragma);
    return connection;
  } catch (error) {
    connection?.close();
    throw toSqliteStoreError(error);
  }
}

function createReader(path: string): { readonly connection: DatabaseSync; readonly db: Kysely<Schema> } {
  const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly: true });
  return { connection, db: new Kysely<Schema>({ dialect: createNodeSqliteDialect(connection) }) };
}

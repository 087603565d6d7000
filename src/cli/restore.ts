import { existsSync, linkSync, renameSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { isHoldfastError, toConfigError } from "../base/errors.ts";
import { copyDatabase, readContents, type DatabaseContents } from "../store/opening/sqlite-copy.ts";
import { isSqliteBusy } from "../store/engines/sqlite/sqlite-errors.ts";
import { acquireProcessLock } from "../store/engines/sqlite/sqlite-files.ts";
import { findDataKey, toKeyPath } from "../store/opening/data-key.ts";
import {
  describePostgres,
  toFilePath,
  toShellWord,
  type BackupContext,
  type BackupOptions,
} from "./backup.ts";

/**
 * `holdfast restore FILE`: replace a SQLite database with a backup, and keep the old one beside it. For Postgres it
 * says how to, and resolves to `false`.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` while the database is in use, for a backup of another data key, and without
 * `force` for a database that has what the backup lacks; what {@link copyDatabase} throws.
 */
export async function restore(
  { file, force }: BackupOptions,
  { config, terminal, now }: BackupContext & { readonly now: () => number },
): Promise<boolean> {
  const { database } = config;
  if (database.kind === "postgres") {
    terminal.problem(`Nothing was restored: ${describePostgres(database.url.reveal())}. Stop every process, then:

  pg_restore --clean --if-exists --no-owner --single-transaction --dbname="$DATABASE_URL" ${toShellWord(file)}

Start the app with the DATA_KEY that the backup was made with.`);
    return false;
  }
  const path = toFilePath(database, file);
  if (!existsSync(file)) throw toConfigError(`restore: there is no ${file}`);

  const dataKey = findDataKey({ given: config.dataKey?.reveal(), databasePath: path });
  const aside = `${path}.before-${new Date(now()).toISOString().replaceAll(/\D/g, "").slice(0, 14)}`;
  const lock = acquireProcessLock(path);
  try {
    const contents = await copyDatabase({
      from: file,
      to: path,
      dataKey,
      async place(draft, backup) {
        if (backup.key === "wrong") throw toConfigError(`DATA_KEY: expected the key of ${file}`);
        if (!force) await assertOlder(path, backup, dataKey);
        setAside(path, aside, force);
        renameSync(draft, path);
      },
    });
    terminal.line(
      `Restored ${contents.orders} orders to ${path} (schema ${contents.schema}, last change: ${toLastChangeText(contents)}).`,
    );
    if (existsSync(aside)) terminal.line(`The database that was there is now ${aside}.`);
    if (contents.key === "missing") {
      terminal.line(
        `It needs the same data key as the backup: set DATA_KEY, or put the key file at ${toKeyPath(path)}.`,
      );
    }
    return true;
  } finally {
    lock.release();
  }
}

/** Orders that only the database has would disappear, and be paid for again. */
async function assertOlder(path: string, backup: DatabaseContents, dataKey: Buffer | undefined) {
  const current = existsSync(path) ? await readUnlessDamaged(path, dataKey) : undefined;
  if (current === undefined) return;
  if (current === "damaged")
    throw toConfigError(`restore: ${path} can't be read; pass --force to replace it`);
  const isNewer = (current.lastChangeMs ?? 0) > (backup.lastChangeMs ?? 0) || current.schema > backup.schema;
  if (!isNewer) return;
  throw toConfigError(
    `restore: ${path} is newer than the backup (${current.orders} orders, last change ${toLastChangeText(current)}, schema ` +
      `${current.schema}; the backup has ${backup.orders}, last change ${toLastChangeText(backup)}, schema ${backup.schema}); ` +
      `pass --force to restore it anyway`,
  );
}

async function readUnlessDamaged(path: string, dataKey: Buffer | undefined) {
  try {
    return await readContents(path, dataKey);
  } catch (error) {
    if (isHoldfastError(error)) return "damaged";
    throw error;
  }
}

function toLastChangeText({ lastChangeMs }: DatabaseContents): string {
  return lastChangeMs === null ? "none" : new Date(lastChangeMs).toISOString();
}

/**
 * Give the old database a second name, with its log merged into it, so that a crash never leaves the first name without
 * a database.
 */
function setAside(path: string, aside: string, force: boolean): void {
  const isThere = existsSync(path);
  if (isThere) foldLog(path, force);
  for (const suffix of ["-wal", "-shm", "-journal"]) {
    // Exists only for a damaged or deleted database. The new database must not use this log.
    if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${aside}${suffix}`);
  }
  if (isThere) linkSync(path, aside);
}

/** Fails while any process has the database open: the app's lock doesn't cover other commands. */
function foldLog(path: string, force: boolean): void {
  const connection = new DatabaseSync(path);
  try {
    connection.exec("PRAGMA journal_mode = DELETE");
  } catch (error) {
    if (isSqliteBusy(error)) throw toConfigError(`restore: ${path} is in use by another process`);
    if (!force) throw error;
  } finally {
    connection.close();
  }
}

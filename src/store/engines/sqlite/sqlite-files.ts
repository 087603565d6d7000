import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  statSync,
  type Stats,
} from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isHoldfastError, readCode, toConfigError, toStoreUnavailable } from "../../../base/errors.ts";
import { isSqliteBusy } from "./sqlite-errors.ts";

export const MEMORY_PATH = ":memory:";

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * The file at a path; undefined when there is nothing.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for a folder or a device.
 */
export function findFile(path: string): Stats | undefined {
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing?.isFile() !== false) return existing;
  throw toConfigError(`\`path\` (DATABASE_URL): expected a file, and ${path} isn't one`);
}

/**
 * Make sure the file and its folder exist and that only their owner can read them. SQLite gives its WAL files the
 * mode of the database file.
 *
 * @throws {HoldfastError} `STORE_UNAVAILABLE` when the folder or the file cannot be made; what {@link findFile} throws.
 */
export function preparePrivateFile(path: string): void {
  try {
    findFile(path);
    makePrivateFolder(dirname(path));
    createIfMissing(path);
    chmodSync(path, FILE_MODE);
  } catch (cause) {
    if (isHoldfastError(cause)) throw cause;
    const code = readCode(cause);
    const isDenied = code === "EACCES" || code === "EPERM";
    const advice = isDenied ? ": it and its folder have to belong to the user that runs Holdfast" : "";
    const message = `can't create ${path}, or limit it to its owner (${code})${advice}`;
    throw toStoreUnavailable(message, cause);
  }
}

/**
 * Make a folder, and those above it, that only their owner can read. Not with Node's `recursive`, which never returns where
 * no folder can be made, as in `/proc`.
 */
export function makePrivateFolder(path: string): void {
  const parent = dirname(path);
  if (parent === path || existsSync(path)) return;
  makePrivateFolder(parent);
  try {
    mkdirSync(path, { mode: DIRECTORY_MODE });
  } catch (error) {
    // Another process was faster.
    if (readCode(error) !== "EEXIST") throw error;
  }
}

function createIfMissing(path: string): void {
  try {
    closeSync(openSync(path, "wx", FILE_MODE));
  } catch (error) {
    // Don't open an existing file: closing it would drop this process's POSIX locks on it (sqlite.org/howtocorrupt.html,
    // section 2.2).
    if (readCode(error) !== "EEXIST") throw error;
  }
}

const opened = new Map<string, number>();

/**
 * A descriptor of a database, to sync it. It is reused and never closed: closing it would drop this process's POSIX locks on
 * the database, including SQLite's (sqlite.org/howtocorrupt.html, section 2.2).
 */
export function openForSync(path: string): number {
  const known = opened.get(toFileKey(statSync(path)));
  if (known !== undefined) return known;
  const file = openSync(path, "r+");
  opened.set(toFileKey(fstatSync(file)), file);
  return file;
}

function toFileKey({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev}:${ino}`;
}

/** Make the names in a folder durable. Otherwise a power failure may lose a new name, and its file with it. */
export function syncDirectory(path: string): void {
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** The absolute file behind a path. Links can lead several paths to one database. */
export function toRealPath(path: string): string {
  return path !== MEMORY_PATH && existsSync(path) ? realpathSync(path) : path;
}

/** A lock that the operating system releases when the process ends for any reason. */
export interface ProcessLock {
  release(): void;
}

/**
 * Lock a database for this process. The lock is in a separate file, so that the database stays readable.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` if another process, or another store of this one, has it.
 */
export function acquireProcessLock(path: string): ProcessLock {
  const lockPath = `${toRealPath(path)}.lock`;
  preparePrivateFile(lockPath);
  const connection = new DatabaseSync(lockPath, { timeout: 0 });
  try {
    // Nothing is ever written, so no journal file is needed.
    connection.exec("PRAGMA journal_mode = MEMORY");
    connection.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    connection.close();
    if (!isSqliteBusy(cause)) throw cause;
    const advice = "stop it, or use Postgres for several processes";
    throw toConfigError(`\`path\` (DATABASE_URL): ${path} is in use by another process: ${advice}`, cause);
  }
  return { release: () => connection.close() };
}

import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { explainSystemError, HoldfastError, readCode, toConfigError } from "../../base/errors.ts";
import { DATA_KEY_BYTES } from "../sealing/keyring.ts";
import { findFile, makePrivateFolder, MEMORY_PATH, syncDirectory } from "../engines/sqlite/sqlite-files.ts";

export interface DataKeyOptions {
  /** The key from the configuration. It takes precedence over the file. */
  readonly given?: Buffer | undefined;
  /** Path of the SQLite file, or `:memory:`. */
  readonly databasePath: string;
}

/**
 * The data key of a SQLite database: the given one, or the one in `PATH.key`, which is created for a new database. A database
 * in memory gets a random key.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` if the key file is missing beside an existing database, has no key or can't be
 * created.
 */
export function loadDataKey({ given, databasePath }: DataKeyOptions): Buffer {
  if (given !== undefined) return given;
  if (databasePath === MEMORY_PATH) return randomBytes(DATA_KEY_BYTES);
  const keyPath = toKeyPath(databasePath);
  return access(keyPath, "read or created", () => readKey(keyPath) ?? createKey(keyPath, databasePath));
}

/** The path of a SQLite file's data key if none is given. */
export function toKeyPath(databasePath: string): string {
  return `${databasePath}.key`;
}

/**
 * The data key that {@link loadDataKey} would find, without creating one; undefined if there is none.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` if the key file has no key or can't be read.
 */
export function findDataKey({ given, databasePath }: DataKeyOptions): Buffer | undefined {
  if (given !== undefined) return given;
  const keyPath = toKeyPath(databasePath);
  return access(keyPath, "read", () => readKey(keyPath));
}

/** Use the key file; `doing` says in an error what couldn't be done with it. */
function access<Key>(keyPath: string, doing: string, use: () => Key): Key {
  try {
    return use();
  } catch (cause) {
    if (cause instanceof HoldfastError) throw cause;
    const reason = explainSystemError(cause);
    throw toConfigError(`DATA_KEY: not set, and ${keyPath} can't be ${doing}: ${reason}`, cause);
  }
}

function createKey(keyPath: string, databasePath: string): Buffer {
  if ((findFile(databasePath)?.size ?? 0) > 0) {
    // A new key couldn't open existing data, and its file would hide that the old one is missing.
    const missing = `${keyPath}, the key of ${databasePath}, is missing`;
    throw toConfigError(`DATA_KEY: not set, and ${missing}: put the file back, or set DATA_KEY to its text`);
  }
  createKeyFile(keyPath);
  return readKey(keyPath) ?? fail(keyPath);
}

function readKey(path: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (readCode(error) === "ENOENT") return undefined;
    throw error;
  }
  const key = Buffer.from(text, "base64");
  return key.length === DATA_KEY_BYTES ? key : fail(path);
}

/** Completely or not at all: written and synced under another name, then linked, which fails if that is taken. */
function createKeyFile(path: string): void {
  makePrivateFolder(dirname(path));
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const key = randomBytes(DATA_KEY_BYTES).toString("base64");
  try {
    writeFileSync(draft, `${key}\n`, { flag: "wx", mode: 0o600, flush: true });
    linkSync(draft, path);
  } catch (error) {
    // Another process was faster, so use its key.
    if (readCode(error) !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncDirectory(dirname(path));
}

function fail(path: string): never {
  throw toConfigError(`DATA_KEY: expected ${DATA_KEY_BYTES} bytes in base64 in ${path}`);
}

import { HoldfastError, readCode } from "../../../base/errors.ts";

/** Primary result codes of SQLite (sqlite.org/rescode.html) that mean the database can't be used right now. */
const UNAVAILABLE: ReadonlyMap<number, string> = new Map([
  [5, "the database is busy"],
  [6, "the database is locked"],
  [7, "out of memory"],
  [8, "the database is read-only"],
  [10, "disk I/O failed"],
  [13, "the disk is full"],
  [14, "the database file cannot be opened"],
  [15, "the database's lock protocol failed"],
]);
/** Codes that a retry can't fix. */
const BROKEN: ReadonlyMap<number, string> = new Map([
  [11, "the database file is damaged"],
  [26, "the file is not a database"],
]);

/** The primary result code of an error of `node:sqlite`, or undefined for any other error. */
function toSqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number")
    return undefined;
  // The low byte is the primary code; the rest are details.
  return error.errcode & 0xff;
}

/** Whether another connection or process is in the way. */
export function isSqliteBusy(error: unknown): boolean {
  const code = toSqliteCode(error);
  return code === 5 || code === 6;
}

/**
 * `STORE_UNAVAILABLE` for a database that can't be used; any other error unchanged.
 *
 * @param path - Named in the message: nothing else says which file could not be opened.
 */
export function toSqliteStoreError(error: unknown, path?: string): unknown {
  const code = toSqliteCode(error);
  const broken = code === undefined ? undefined : BROKEN.get(code);
  const unavailable = code === undefined ? toClosedMessage(error) : UNAVAILABLE.get(code);
  const reason = broken ?? unavailable;
  if (reason === undefined) return error;
  const message = path === undefined ? reason : `${path}: ${reason}`;
  return new HoldfastError("STORE_UNAVAILABLE", message, { retryable: broken === undefined, cause: error });
}

function toClosedMessage(error: unknown): string | undefined {
  const isState = readCode(error) === "ERR_INVALID_STATE";
  // Kysely's own error for a closed connection has no code.
  const isDestroyed = error instanceof Error && error.message === "driver has already been destroyed";
  return isState || isDestroyed ? "the store is closed" : undefined;
}

import { HoldfastError } from "../../../base/errors.ts";

/** SQLSTATEs and their classes (postgresql.org/docs/current/errcodes-appendix.html) that another try may cure. */
const UNAVAILABLE: ReadonlyMap<string, string> = new Map([
  ["08", "the connection to the database failed"],
  ["25006", "the database is read-only"],
  ["25P03", "a transaction stood still for too long"],
  ["28", "the database refuses this user"],
  ["40", "the transaction kept getting in others' way"],
  ["53", "the database is out of memory, disk or connections"],
  ["55P03", "a lock could not be had"],
  ["57", "the database is starting or stopping, or has ended the session"],
  ["57014", "a statement took too long"],
  ["58", "the database's disk or operating system failed"],
]);
/** SQLSTATEs that no retry cures. */
const BROKEN: ReadonlyMap<string, string> = new Map([
  ["XX001", "a table of the database is damaged"],
  ["XX002", "an index of the database is damaged"],
]);
/**
 * Two units got in each other's way: a failed serialization, a deadlock, or, since all rows that refer to others are
 * written together with them, an order that was erased with its tenant between two statements.
 */
const CONFLICTS: ReadonlySet<string> = new Set(["40001", "40P01", "23503"]);
/** The session ended with the error. */
const ENDS_SESSION = /^(?:08|57P|25P03$)/;

/** The SQLSTATE of an error that the server reported; undefined for any other error. */
export function toSqlState(error: unknown): string | undefined {
  // Node's own codes are not meant: EPIPE looks like a SQLSTATE. Only the server tells a severity.
  if (!(error instanceof Error) || !("severity" in error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Whether the same unit of work may succeed if it is run again at once. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(toSqlState(error) ?? "");
}

/** Whether the connection that this error came over is of no more use. */
export function isSessionOver(error: unknown): boolean {
  // What this process could not write or read is no fault of the connection.
  if (error instanceof TypeError || error instanceof RangeError) return false;
  const state = toSqlState(error);
  return state === undefined || ENDS_SESSION.test(state);
}

/** `STORE_UNAVAILABLE` for a connection that could not be made or was lost. */
export function toConnectionError(cause: unknown): HoldfastError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
  const message = `no connection to the database${code === undefined ? "" : ` (${code})`}`;
  return new HoldfastError("STORE_UNAVAILABLE", message, { retryable: true, cause });
}

/** `STORE_UNAVAILABLE` for a database that cannot do its work; any other error as it is. */
export function toPostgresStoreError(error: unknown): unknown {
  const state = toSqlState(error);
  if (state === undefined) return error;
  const broken = BROKEN.get(state);
  const message = broken ?? UNAVAILABLE.get(state) ?? UNAVAILABLE.get(state.slice(0, 2));
  if (message === undefined) return error;
  return new HoldfastError("STORE_UNAVAILABLE", message, { retryable: broken === undefined, cause: error });
}

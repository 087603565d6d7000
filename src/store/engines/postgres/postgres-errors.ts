import { HoldfastError, readCode, toStoreUnavailable } from "../../../base/errors.ts";

/** SQLSTATEs and classes (postgresql.org/docs/current/errcodes-appendix.html) that a retry may fix. */
const UNAVAILABLE: ReadonlyMap<string, string> = new Map([
  ["25006", "the database is read-only"],
  ["25P03", "a transaction stood still for too long"],
  ["28", "the database refuses this user"],
  ["40", "the transaction kept getting in others' way"],
  ["53", "the database is out of memory or disk"],
  ["53300", "the database or its user has too many connections"],
  ["55P03", "a lock could not be had"],
  ["57", "the database is starting or stopping, or has ended the session"],
  ["57014", "a statement took too long"],
  ["58", "the database's disk or operating system failed"],
]);
/** SQLSTATEs that a retry can't fix. */
const BROKEN: ReadonlyMap<string, string> = new Map([
  ["XX001", "a table of the database is damaged"],
  ["XX002", "an index of the database is damaged"],
]);
/**
 * Conflicts between two units: a failed serialization, a deadlock, or a missing referenced row, which means that an order was
 * erased with its tenant between two statements.
 */
const CONFLICTS: ReadonlySet<string> = new Set(["40001", "40P01", "23503"]);
/**
 * Errors after which a session isn't used again. A read-only one usually reached a server that has lost its role to another:
 * only a new connection finds the server that took over.
 */
const ENDS_SESSION = /^(?:08|57P|25P03$|25006$)/;

/** The SQLSTATE of a server's error; undefined for any other error. */
export function toSqlState(error: unknown): string | undefined {
  // Exclude Node's own codes, because EPIPE looks like a SQLSTATE. Only the server sends a severity.
  if (!(error instanceof Error) || !("severity" in error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** What poolers say instead of 53300: PgBouncer, Supavisor, and servers behind others. */
const POOLER_IS_FULL =
  /no more connections allowed|max(?:_client_conn| clients reached| client connections)|too many (?:clients|connections)/i;

/** Whether the database, its user or a pooler has no connection left: others have to close theirs. */
export function isFull(error: unknown): boolean {
  const state = toSqlState(error);
  return (
    state === "53300" || (state !== undefined && error instanceof Error && POOLER_IS_FULL.test(error.message))
  );
}

/** Whether the same unit of work may succeed if it runs again at once. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(toSqlState(error) ?? "");
}

export function isSessionOver(error: unknown): boolean {
  // A value that this process can't write or read isn't the connection's fault.
  if (error instanceof TypeError || error instanceof RangeError) return false;
  const state = toSqlState(error);
  return state === undefined || ENDS_SESSION.test(state);
}

/** `STORE_UNAVAILABLE` for a connection that couldn't be made, was lost or can't be used. */
export function toConnectionError(cause: unknown): HoldfastError {
  const known = toPostgresStoreError(cause);
  if (known instanceof HoldfastError) return known;
  // Errors without a code are the driver's own, such as "The server does not support SSL connections".
  const reason = readCode(cause) ?? (cause instanceof Error ? cause.message : "unknown");
  const message = `no connection to the database (${reason}): check its address, and that it runs`;
  return toStoreUnavailable(message, cause);
}

/** `STORE_UNAVAILABLE` for a database that can't work; any other error unchanged. */
export function toPostgresStoreError(error: unknown): unknown {
  const state = toSqlState(error);
  if (state === undefined) return error;
  const broken = BROKEN.get(state);
  const message = broken ?? UNAVAILABLE.get(state) ?? UNAVAILABLE.get(state.slice(0, 2));
  if (message === undefined) return error;
  return new HoldfastError("STORE_UNAVAILABLE", message, { retryable: broken === undefined, cause: error });
}

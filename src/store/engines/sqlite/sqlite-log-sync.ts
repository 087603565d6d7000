import { closeSync, existsSync, fdatasync, fdatasyncSync, openSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { toStoreUnavailable, type HoldfastError } from "../../../base/errors.ts";

export interface LogSyncOptions {
  readonly path: string;
  /** The writing connection, with `synchronous=NORMAL`: it syncs when the log restarts and at checkpoints, not at commits. */
  readonly connection: DatabaseSync;
  /** Default: `fdatasync`, on a thread of libuv's pool. */
  readonly datasync?: ((file: number) => Promise<void>) | undefined;
  /** Called when a sync has failed, and when the whole log is in the database again. */
  readonly onDoubt?: ((isDoubtful: boolean) => void) | undefined;
}

/** Waits for the disk outside the event loop, which COMMIT with `synchronous=FULL` would block. */
export type LogSync = ReturnType<typeof createLogSync>;

/**
 * Sync the write-ahead log of an open database. The log has no locks, so another descriptor of it may be closed.
 *
 * After a failed sync, the kernel may treat unwritten pages as written (PostgreSQL's "fsyncgate"), so no sync succeeds again
 * until the whole log was copied into the database.
 */
export function createLogSync({
  path,
  connection,
  datasync = promisify(fdatasync),
  onDoubt,
}: LogSyncOptions) {
  const logPath = `${path}-wal`;
  const databaseId = findId(path);
  let logId: number | undefined;
  /** Each call uses its own descriptor, because the kernel reports an error once per descriptor and every call must see it. */
  const free: number[] = [];
  let isDoubtful = false;

  // A killed process may have left commits that aren't on disk yet but will be read now.
  syncFound();

  function syncFound(): void {
    if (!existsSync(logPath)) return;
    try {
      free.push(openSync(logPath, "r+"));
      for (const file of free) fdatasyncSync(file);
    } catch (cause) {
      closeFree();
      throw toUnavailable(cause);
    }
  }

  function setDoubtful(is: boolean): void {
    if (is === isDoubtful) return;
    isDoubtful = is;
    onDoubt?.(is);
  }

  async function syncLog(): Promise<void> {
    const file = free.pop() ?? openSync(logPath, "r+");
    try {
      await datasync(file);
    } finally {
      free.push(file);
    }
  }

  /** What is written to a file that has lost its name, or that another one has replaced, is gone after a restart. */
  function assertInPlace(): void {
    logId ??= findId(logPath);
    if (findId(path) === databaseId && logId !== undefined && findId(logPath) === logId) return;
    const advice = "put it back, or restart Holdfast";
    throw toStoreUnavailable(`the database file was moved, replaced or deleted: ${advice}`);
  }

  function closeFree(): void {
    for (const file of free.splice(0)) closeSync(file);
  }

  return {
    /**
     * Resolves once all commits are on disk, provided that all earlier calls resolved too. Rejects if that isn't known. May
     * be called again before it ends.
     */
    async sync(): Promise<void> {
      try {
        if (isDoubtful) {
          // Don't wait for readers: the next batch tries again.
          if (truncateLog(connection, 0)) throw new Error("the log is being read");
          setDoubtful(false);
        } else await syncLog();
      } catch (cause) {
        setDoubtful(true);
        throw toUnavailable(cause);
      }
      assertInPlace();
    },
    close: closeFree,
  };
}

/**
 * Copy the whole log into the database and empty it. Waits for readers for this many milliseconds, and with it the thread.
 * Returns whether a reader was in the way.
 */
export function truncateLog(connection: DatabaseSync, readersTimeoutMs: number): boolean {
  const timeout = Number(connection.prepare("PRAGMA busy_timeout").get()?.["timeout"]);
  connection.exec(`PRAGMA busy_timeout = ${readersTimeoutMs}`);
  try {
    return connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] !== 0;
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}

/** The number of the file behind a name; undefined if it can't be found. */
function findId(path: string): number | undefined {
  try {
    return statSync(path).ino;
  } catch {
    return undefined;
  }
}

function toUnavailable(cause: unknown): HoldfastError {
  return toStoreUnavailable("the disk did not take what was written", cause);
}

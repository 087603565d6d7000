// Runs in its own thread: see sqlite-checkpointer.ts.
import { fdatasyncSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { parentPort, threadId, workerData } from "node:worker_threads";
import { isSqliteBusy } from "./sqlite-errors.ts";

/**
 * A task for the thread. `move` copies committed pages from the log into the database and syncs it. `moveRest` runs while no
 * commit begins and leaves the sync to SQLite, which syncs once the whole log is copied. `truncate` empties the log.
 */
export type CheckpointRequest = "move" | "moveRest" | "truncate" | "close";

/** How far the log was copied into the database. */
export interface CheckpointResult {
  /** Another connection was in the way, so the task isn't complete. */
  readonly busy: boolean;
  /** Pages in the log. */
  readonly logPages: number;
  /** How many of them are in the database. */
  readonly movedPages: number;
  readonly threadId: number;
}

export type CheckpointAnswer = CheckpointResult | { readonly failed: string };

export interface CheckpointThreadData {
  readonly path: string;
  /** A descriptor of the database, owned by the process. */
  readonly file: number;
  /** How long a truncation waits for readers of other processes, in milliseconds. This process's writers wait too. */
  readonly busyTimeoutMs: number;
}

const { path, file, busyTimeoutMs } = workerData as CheckpointThreadData;
const connection = new DatabaseSync(path, { timeout: busyTimeoutMs });
// A checkpoint syncs the log before it copies pages, and the database after.
connection.exec("PRAGMA synchronous = FULL");

parentPort?.on("message", (request: CheckpointRequest) => {
  if (request === "close") {
    connection.close();
    parentPort?.close();
    return;
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(answer(request));
});

function answer(request: Exclude<CheckpointRequest, "close">): CheckpointAnswer {
  try {
    const mode = request === "truncate" ? "TRUNCATE" : "PASSIVE";
    const row = connection.prepare(`PRAGMA wal_checkpoint(${mode})`).get();
    // SQLite syncs the database only if nothing was committed meanwhile. Under load, that would be while commits wait for the
    // rest, and all pages copied so far would be written then.
    if (request === "move") fdatasyncSync(file);
    const [logPages, movedPages] = [Number(row?.["log"]), Number(row?.["checkpointed"])];
    return { busy: row?.["busy"] !== 0, logPages, movedPages, threadId };
  } catch (error) {
    if (isSqliteBusy(error)) return { busy: true, logPages: 0, movedPages: 0, threadId };
    return { failed: error instanceof Error ? error.message : "unknown" };
  }
}

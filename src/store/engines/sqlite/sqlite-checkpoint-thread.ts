// Runs in a thread of its own: see sqlite-checkpointer.ts.
import { fdatasyncSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { parentPort, threadId, workerData } from "node:worker_threads";
import { isSqliteBusy } from "./sqlite-errors.ts";

/**
 * What the thread is asked to do. `move` moves what was committed and syncs the database; `moveRest`, while no commit
 * begins, leaves the sync to SQLite, which does it when the whole log was moved; `truncate` empties the log.
 */
export type CheckpointRequest = "move" | "moveRest" | "truncate" | "close";

/** How far the log was moved into the database. */
export interface CheckpointResult {
  /** Somebody was in the way, and not all that was asked for is done. */
  readonly busy: boolean;
  /** Pages in the log. */
  readonly logPages: number;
  /** Those of them that are in the database, too. */
  readonly movedPages: number;
  readonly threadId: number;
}

/** What the thread answers. */
export type CheckpointAnswer = CheckpointResult | { readonly failed: string };

/** What the thread is started with. */
export interface CheckpointThreadData {
  readonly path: string;
  /** A descriptor of the database, which belongs to the process. */
  readonly file: number;
  /** How long a truncation waits for readers of other processes, in milliseconds. Writers of this one wait with it. */
  readonly busyTimeoutMs: number;
}

const { path, file, busyTimeoutMs } = workerData as CheckpointThreadData;
const connection = new DatabaseSync(path, { timeout: busyTimeoutMs });
// A checkpoint syncs the log before it moves pages, and the database after.
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
    // SQLite syncs the database only when nothing was committed meanwhile. Under load that would be the moment when
    // commits wait for the rest, and all that was moved before would be written in it.
    if (request === "move") fdatasyncSync(file);
    const [logPages, movedPages] = [Number(row?.["log"]), Number(row?.["checkpointed"])];
    return { busy: row?.["busy"] !== 0, logPages, movedPages, threadId };
  } catch (error) {
    if (isSqliteBusy(error)) return { busy: true, logPages: 0, movedPages: 0, threadId };
    return { failed: error instanceof Error ? error.message : "unknown" };
  }
}

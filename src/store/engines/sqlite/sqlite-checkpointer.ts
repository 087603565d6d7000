import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import type { Logger } from "../../../base/logger.ts";
import { createSerialQueue } from "../../../base/waiting.ts";
import type {
  CheckpointResult,
  CheckpointAnswer,
  CheckpointRequest,
  CheckpointThreadData,
} from "./sqlite-checkpoint-thread.ts";
import { openForSync } from "./sqlite-files.ts";
import { truncateLog } from "./sqlite-log-sync.ts";

interface CheckpointerOptions extends CheckpointClientOptions {
  /** The writing connection. */
  readonly connection: DatabaseSync;
  /** Runs work while no transaction is open and none can begin. */
  readonly between: <T>(work: () => T | Promise<T>) => Promise<T>;
  readonly logger: Logger;
  readonly onCheckpoint?: ((result: CheckpointResult) => void) | undefined;
}

/**
 * Checkpoint when the log has this many pages, 2 MiB. Commits sync to the same disk and wait for a checkpoint's writes, so
 * shorter checkpoints mean shorter waits.
 */
const DUE_PAGES = 500;
/** The size at which SQLite checkpoints by itself: its default. */
const OWN_PAGES = 1_000;
const PAGE_BYTES = 4_096;
/** The first checkpoint runs after this many commits. From then on, their average size is known. */
const FIRST_COMMITS = 100;
const MOST_COMMITS = 1_000;
/** If a busy log grows past this size, about 16 MiB, commits wait while it restarts. */
const LONG_LOG_PAGES = 4_000;
/** So few pages that copying them takes only a moment. */
const FEW_PAGES = 100;
/** Each round copies what was committed during the one before, which is less each time. */
const MOST_ROUNDS = 4;
const TRUNCATE_AGAIN_MS = 1_000;

/**
 * Copies committed pages from the write-ahead log into the database, in its own thread. On the thread that serves requests, a
 * checkpoint would block everything for as long as the disk takes.
 */
export type Checkpointer = ReturnType<typeof createCheckpointer>;

/** Create a {@link Checkpointer}. If the thread can't run, as in a bundle, SQLite checkpoints by itself. */
export function createCheckpointer(options: CheckpointerOptions) {
  const { path, connection, between, logger } = options;
  const mover = createMover(options);
  const due = createDueCount(path);
  let work: Promise<void> | undefined;
  let again: NodeJS.Timeout | undefined;
  /** Whether the log still has to be truncated. */
  let isUncut = false;
  let closed = false;

  connection.exec("PRAGMA wal_autocheckpoint = 0");

  async function checkpoint(): Promise<void> {
    const commits = due.take();
    const result = await mover.move();
    if (!result.busy) due.learn(commits, result.logPages);
    // Pages committed during the last round aren't counted in it, and keep the log from restarting.
    if (result.logPages > LONG_LOG_PAGES) await mover.moveAll();
  }

  async function truncate(): Promise<void> {
    if (closed) return;
    clearTimeout(again);
    const wasUncut = isUncut;
    isUncut = true;
    try {
      await mover.move();
      isUncut = (await between(() => mover.ask("truncate"))).busy;
      due.take();
      if (isUncut && !wasUncut)
        logger.warn({}, "the write-ahead log has readers, so it is truncated when they finish");
    } finally {
      // Erased data must leave the log even if the thread crashed.
      if (isUncut && !closed) again = setTimeout(() => void run(truncate), TRUNCATE_AGAIN_MS).unref();
    }
  }

  /** Runs checkpoints one after the other. */
  function run(step: () => Promise<void>): Promise<void> {
    const running = (work ?? Promise.resolve()).then(step).catch((error: unknown) => {
      if (!closed) logger.warn({ err: error }, "a checkpoint failed; retrying after the next commits");
    });
    work = running;
    void running.then(() => {
      if (work === running) work = undefined;
    });
    return running;
  }

  return {
    /** Call after each commit. */
    committed(): void {
      due.count();
      if (closed || !mover.isUsable()) return;
      if (work === undefined) {
        if (due.isReached()) void run(checkpoint);
      } else if (due.isOverrun()) {
        // Commits arrive faster than the thread can copy them.
        mover.moveAll().catch(() => undefined);
      }
    },
    pause: (is: boolean): void => mover.pause(is),
    /** Empty the log and truncate its file, now or as soon as it has no readers. */
    truncate: () => run(truncate),
    async close(): Promise<void> {
      closed = true;
      clearTimeout(again);
      await work;
      await mover.close();
    },
  };
}

const NOTHING_COPIED: CheckpointResult = { busy: true, logPages: 0, movedPages: 0, threadId: 0 };

type MoveRequest = Exclude<CheckpointRequest, "close">;

/** Copies pages of the log in the thread, or lets SQLite do it if there is no thread. */
function createMover(options: CheckpointerOptions) {
  const { connection, between, logger } = options;
  const thread = createCheckpointClient(options);
  /** The thread runs one task at a time. */
  const inTurn = createSerialQueue();
  let isHeld = false;
  let isPaused = false;
  /** SQLite's own checkpoints replace the thread. */
  let isOnOwn = false;

  const setOwn = (): void =>
    connection.exec(`PRAGMA wal_autocheckpoint = ${isOnOwn && !isPaused ? OWN_PAGES : 0}`);

  const ask = (request: MoveRequest) => inTurn("", () => askNow(request));

  async function askNow(request: MoveRequest): Promise<CheckpointResult> {
    if (isPaused) return NOTHING_COPIED;
    if (!thread.isUsable()) return checkpointHere(connection, request);
    try {
      const result = await thread.ask(request);
      options.onCheckpoint?.(result);
      return result;
    } catch (error) {
      if (thread.isUsable()) throw error;
      logger.warn(
        { err: error },
        "SQLite checkpoints on the main thread, because the checkpoint thread can't run",
      );
      isOnOwn = true;
      setOwn();
      return checkpointHere(connection, request);
    }
  }

  /** Copy everything while commits continue. */
  async function move(): Promise<CheckpointResult> {
    let result = await ask("move");
    for (let round = 1; round < MOST_ROUNDS && result.logPages - result.movedPages > FEW_PAGES; round += 1)
      result = await ask("move");
    return result;
  }

  /** The log restarts only when its last page is in the database, and under load there is always one more page. */
  async function moveAll(): Promise<void> {
    if (isHeld) return;
    isHeld = true;
    try {
      await between(() => ask("moveRest"));
    } finally {
      isHeld = false;
    }
  }

  return {
    ask,
    move,
    moveAll,
    /**
     * Copy nothing while a sync of the log has failed. A checkpoint copies a part of the log, and after a power failure, SQLite
     * would replay what is left of the log over it: pages of different commits in one database.
     */
    pause(is: boolean): void {
      isPaused = is;
      if (isOnOwn) setOwn();
    },
    isUsable: () => thread.isUsable(),
    close: () => thread.close(),
  };
}

/** If there is no thread, SQLite does the rest. */
function checkpointHere(connection: DatabaseSync, request: MoveRequest): CheckpointResult {
  const busy = request === "truncate" && truncateLog(connection, READERS_TIMEOUT_MS);
  return { busy, logPages: 0, movedPages: 0, threadId: 0 };
}

/**
 * Decides when the log is long enough for a checkpoint. SQLite doesn't report its length. It is estimated from the number of
 * commits, with the average size from each checkpoint, and from the file, which grows only when the log is longer than ever
 * before.
 */
function createDueCount(path: string) {
  let commits = 0;
  let dueAt = FIRST_COMMITS;
  let logPages = 0;
  let fileBytes = 0;
  const size = (): number => {
    try {
      return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    } catch {
      // Then the number of commits decides when a checkpoint is due. An error here would stop all commits.
      return fileBytes;
    }
  };

  return {
    count: () => void (commits += 1),
    isReached: () => commits >= dueAt || size() - fileBytes >= DUE_PAGES * PAGE_BYTES,
    isOverrun: () =>
      commits * DUE_PAGES >= dueAt * LONG_LOG_PAGES || size() - fileBytes >= LONG_LOG_PAGES * PAGE_BYTES,
    take() {
      const taken = commits;
      commits = 0;
      fileBytes = size();
      return taken;
    },
    learn(taken: number, pages: number) {
      const written = Math.max(1, pages >= logPages ? pages - logPages : pages);
      logPages = pages;
      dueAt = Math.min(MOST_COMMITS, Math.max(1, Math.round((taken * DUE_PAGES) / written)));
    },
  };
}

interface CheckpointClientOptions {
  readonly path: string;
  /** The thread's module. Default: the one beside this module. */
  readonly thread?: URL | undefined;
}

/** How long a truncation waits for readers of other processes, in milliseconds. This process's commits wait too. */
const READERS_TIMEOUT_MS = 100;

/** Sends tasks to the checkpoint thread. Starts it on first use, and again if it ended by itself. */
function createCheckpointClient({ path, thread: given }: CheckpointClientOptions) {
  let worker: Worker | undefined;
  let isUsable = true;
  let hasWorked = false;

  function start(): Worker {
    const file = openForSync(path);
    const workerData: CheckpointThreadData = { path, file, busyTimeoutMs: READERS_TIMEOUT_MS };
    const started = new Worker(given ?? toModule(), { workerData, name: "sqlite-checkpoints" });
    started.unref();
    const end = (): void => {
      if (worker === started) worker = undefined;
      // If a thread never completed a task, starting it again wouldn't help.
      isUsable &&= hasWorked;
    };
    started.on("error", end);
    started.on("exit", end);
    return started;
  }

  /** Without permission for threads, or in a bundle that doesn't know its own address, this fails at once. */
  function tryStart(): Worker {
    try {
      return start();
    } catch (error) {
      isUsable &&= hasWorked;
      throw error;
    }
  }

  return {
    /** False once it is known that the thread can't run here. */
    isUsable: () => isUsable,

    /** Run one task in the thread. Rejects if the thread failed or ended. One at a time. */
    async ask(request: CheckpointRequest): Promise<CheckpointResult> {
      const asked = (worker ??= tryStart());
      const { promise, resolve, reject } = Promise.withResolvers<CheckpointAnswer>();
      const onExit = (code: number): void => reject(new Error(`the thread ended with code ${code}`));
      asked.once("message", resolve).once("error", reject).once("exit", onExit);
      // Keep the process alive while a caller waits for the thread.
      asked.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      asked.postMessage(request);
      try {
        const answer = await promise;
        if ("failed" in answer) throw new Error(answer.failed);
        return answer;
      } finally {
        asked.off("message", resolve).off("error", reject).off("exit", onExit);
        asked.unref();
        hasWorked ||= worker === asked;
      }
    },

    async close(): Promise<void> {
      const last = worker;
      if (last === undefined) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      last.once("exit", () => resolve()).ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      last.postMessage("close" satisfies CheckpointRequest);
      await promise;
    },
  };
}

/** Beside this module, in the sources and compiled; missing in a bundle. Written so that bundlers don't pick it up. */
function toModule(): URL {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new URL(`./sqlite-checkpoint-thread.${extension}`, import.meta.url);
}

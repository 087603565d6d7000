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

/** Parts of {@link createCheckpointer}. */
interface CheckpointerOptions extends CheckpointClientOptions {
  /** The connection that writes. */
  readonly connection: DatabaseSync;
  /** Runs work while no transaction is open and none begins. */
  readonly between: <T>(work: () => T | Promise<T>) => Promise<T>;
  readonly logger: Logger;
  /** Hears of each checkpoint. */
  readonly onCheckpoint?: ((result: CheckpointResult) => void) | undefined;
}

/**
 * Pages of a log that is due, 2 MiB. Commits sync to the same disk, and wait for what a checkpoint writes: the shorter
 * it is, the shorter they wait.
 */
const DUE_PAGES = 500;
/** Where SQLite checkpoints by itself: its default. */
const OWN_PAGES = 1_000;
const PAGE_BYTES = 4_096;
/** The first checkpoint comes after so many commits; from then on their size is known. */
const FIRST_COMMITS = 100;
const MOST_COMMITS = 1_000;
/** Past this a log that is never idle is begun again while commits wait, some 16 MiB. */
const LONG_LOG_PAGES = 4_000;
/** So few pages are moved in a moment. */
const FEW_PAGES = 100;
/** Each round moves what was committed during the one before, which is less each time. */
const MOST_ROUNDS = 4;
const TRUNCATE_AGAIN_MS = 1_000;

/**
 * Moves what was committed from the write-ahead log into the database, in a thread of its own: on the thread that serves
 * requests a checkpoint holds up everything for as long as the disk takes.
 */
export type Checkpointer = ReturnType<typeof createCheckpointer>;

/** Create a {@link Checkpointer}. SQLite checkpoints by itself again where the thread cannot run, as in a bundle. */
export function createCheckpointer(options: CheckpointerOptions) {
  const { path, connection, between, logger } = options;
  const mover = createMover(options);
  const due = createDueCount(path);
  let work: Promise<void> | undefined;
  let again: NodeJS.Timeout | undefined;
  /** The log was to be cut, and is not yet. */
  let isUncut = false;
  let closed = false;

  connection.exec("PRAGMA wal_autocheckpoint = 0");

  async function checkpoint(): Promise<void> {
    const commits = due.take();
    const result = await mover.move();
    if (!result.busy) due.learn(commits, result.logPages);
    // What was committed during the last round isn't counted in it, and keeps the log from beginning again.
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
        logger.warn({}, "the write-ahead log is being read: it is cut once nobody reads it");
    } finally {
      // What was erased must leave the log, also when the thread died of it.
      if (isUncut && !closed) again = setTimeout(() => void run(truncate), TRUNCATE_AGAIN_MS).unref();
    }
  }

  /** One after the other. */
  function run(step: () => Promise<void>): Promise<void> {
    const running = (work ?? Promise.resolve()).then(step).catch((error: unknown) => {
      if (!closed)
        logger.warn({ err: error }, "a checkpoint failed: it is tried again after the next commits");
    });
    work = running;
    void running.then(() => {
      if (work === running) work = undefined;
    });
    return running;
  }

  return {
    /** A transaction was committed. */
    committed(): void {
      due.count();
      if (closed || !mover.isUsable()) return;
      if (work === undefined) {
        if (due.isReached()) void run(checkpoint);
      } else if (due.isOverrun()) {
        // The disk takes commits faster than the thread gets to move them.
        mover.moveAll().catch(() => undefined);
      }
    },
    /** Empty the log and cut its file, now or as soon as nobody reads it any more. */
    truncate: () => run(truncate),
    async close(): Promise<void> {
      closed = true;
      clearTimeout(again);
      await work;
      await mover.close();
    },
  };
}

type MoveRequest = Exclude<CheckpointRequest, "close">;

/** Moves pages of the log in the thread, or leaves them to SQLite where there is none. */
function createMover(options: CheckpointerOptions) {
  const { connection, between, logger } = options;
  const thread = createCheckpointClient(options);
  /** The thread does one thing at a time. */
  const inTurn = createSerialQueue();
  let isHeld = false;

  const ask = (request: MoveRequest) => inTurn("", () => askNow(request));

  async function askNow(request: MoveRequest): Promise<CheckpointResult> {
    if (!thread.isUsable()) return checkpointHere(connection, request);
    try {
      const result = await thread.ask(request);
      options.onCheckpoint?.(result);
      return result;
    } catch (error) {
      if (thread.isUsable()) throw error;
      logger.warn({ err: error }, "SQLite checkpoints on the main thread: a thread of its own cannot run");
      connection.exec(`PRAGMA wal_autocheckpoint = ${OWN_PAGES}`);
      return checkpointHere(connection, request);
    }
  }

  /** Move everything while commits go on. */
  async function move(): Promise<CheckpointResult> {
    let result = await ask("move");
    for (let round = 1; round < MOST_ROUNDS && result.logPages - result.movedPages > FEW_PAGES; round += 1)
      result = await ask("move");
    return result;
  }

  /** Only a log that is in the database to its last page begins again, and under load there is always one more. */
  async function moveAll(): Promise<void> {
    if (isHeld) return;
    isHeld = true;
    try {
      await between(() => ask("moveRest"));
    } finally {
      isHeld = false;
    }
  }

  return { ask, move, moveAll, isUsable: () => thread.isUsable(), close: () => thread.close() };
}

/** Where there is no thread: SQLite itself does the rest. */
function checkpointHere(connection: DatabaseSync, request: MoveRequest): CheckpointResult {
  const nothing = { logPages: 0, movedPages: 0, threadId: 0 };
  if (request !== "truncate") return { busy: false, ...nothing };
  const { timeout } = connection.prepare("PRAGMA busy_timeout").get() as { timeout: number };
  connection.exec(`PRAGMA busy_timeout = ${READERS_TIMEOUT_MS}`);
  try {
    const row = connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
    return { busy: row?.["busy"] !== 0, ...nothing };
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}

/**
 * Knows when the log is long enough for a checkpoint. SQLite does not tell how long it is, so that is judged by the number of
 * commits, whose size each checkpoint shows, and by the file, which only grows with a log that is longer than any before.
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
      // Then the number of commits says when a checkpoint is due. An error here would end all commits.
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

/** Options of {@link createCheckpointClient}. */
interface CheckpointClientOptions {
  readonly path: string;
  /** The thread's module. Default: the one beside this module. */
  readonly thread?: URL | undefined;
}

/** How long a truncation waits for readers of other processes, in milliseconds. Commits of this one wait with it. */
const READERS_TIMEOUT_MS = 100;

/** Asks the thread that checkpoints, which is started when it is first needed, and again when it ended by itself. */
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
      // One that never did anything would not do it the next time.
      isUsable &&= hasWorked;
    };
    started.on("error", end);
    started.on("exit", end);
    return started;
  }

  return {
    /** False once it is known that the thread cannot run here. */
    isUsable: () => isUsable,

    /** Rejects when the thread could not do it, or ended. One question at a time. */
    async ask(request: CheckpointRequest): Promise<CheckpointResult> {
      const asked = (worker ??= start());
      const { promise, resolve, reject } = Promise.withResolvers<CheckpointAnswer>();
      const onExit = (code: number): void => reject(new Error(`the thread ended with code ${code}`));
      asked.once("message", resolve).once("error", reject).once("exit", onExit);
      // While it works, whoever waits for it must not be the last who keeps the process running.
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

/** Beside this module, from the sources and compiled; in a bundle it is not there. Not written as bundlers look for it. */
function toModule(): URL {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new URL(`./sqlite-checkpoint-thread.${extension}`, import.meta.url);
}

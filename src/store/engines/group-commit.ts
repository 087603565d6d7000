import type { DatabaseSync } from "node:sqlite";
import { HoldfastError, toStoreUnavailable } from "../../base/errors.ts";
import type { UnitOptions } from "./engine.ts";
import { createUnitRest, nextTurn, THREAD_CLOCK, type ThreadClock, type UnitRest } from "./pacing.ts";
import { createSyncs } from "./syncs.ts";
import { createTurnBudget } from "../../base/waiting.ts";

/** Lets many units of work share one commit, and thus one wait for the disk. */
export type GroupCommit = ReturnType<typeof createGroupCommit>;

/** `isTransaction`: whether a transaction is open. Databases close it by themselves on some errors. */
type TransactionConnection = Pick<DatabaseSync, "exec" | "isTransaction">;

export interface GroupCommitOptions {
  readonly connection: TransactionConnection;
  readonly toStoreError: (error: unknown) => unknown;
  /**
   * Resolves once the commits so far are on disk. If that is slow, it is called again before the last call ends. Default:
   * COMMIT itself waits for the disk, which blocks the event loop.
   */
  readonly sync?: (() => Promise<void>) | undefined;
  readonly onCommit?: (() => void) | undefined;
  /** The most units in one commit. The event loop waits for the whole batch. Default 256. */
  readonly maxUnits?: number | undefined;
  /** Default: the one of this thread. */
  readonly clock?: ThreadClock | undefined;
}

type Kind = "urgent" | "unit" | "job";

interface Entry {
  readonly kind: Kind;
  readonly work: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_UNITS = 256;
/**
 * How long one turn of the event loop spends on units that aren't urgent and on their callers' next steps. Requests that
 * arrive meanwhile wait for it.
 */
const SLICE_MS = 2;

/** Create a {@link GroupCommit} over a connection that only it writes with. */
export function createGroupCommit(options: GroupCommitOptions) {
  const { connection, toStoreError, maxUnits = MAX_UNITS, clock = THREAD_CLOCK } = options;
  const { now } = clock;
  const queue: Entry[] = [];
  const urgent: Entry[] = [];
  const reporter = createReporter(options, now);
  const rest = createUnitRest(clock);
  const syncs = createSyncs(options.sync, now);
  let leading: Promise<void> | undefined;
  let stopped = false;

  function enqueue<T>(kind: Kind, work: () => unknown): Promise<T> {
    if (stopped) return Promise.reject(toStoreUnavailable("the store is closed"));
    return new Promise<T>((resolve, reject) => {
      (kind === "urgent" ? urgent : queue).push({ kind, work, resolve, reject });
      if (kind === "urgent") rest.onRequest();
      leading ??= lead();
    });
  }

  async function lead(): Promise<void> {
    while (queue.length + urgent.length > 0) {
      // Meanwhile, requests are read and form the next batch.
      await syncs.room();
      // Wait a turn of the event loop, so that everything that arrived together gets into one batch and other work can run.
      await nextTurn();
      if (urgent.length === 0 && rest.isDue()) await rest.wait();
      else if (queue[0]?.kind === "job")
        await reporter.known().then(() => runJob(queue.shift(), toStoreError));
      else await runBatch();
    }
    leading = undefined;
  }

  async function runBatch(): Promise<void> {
    const taken: Entry[] = [];
    const next = createSelection({ urgent, queue, rest, maxUnits, now });
    try {
      const done = await commit(next, taken, options);
      reporter.report(done, syncs.start());
    } catch (cause) {
      rollBack(connection);
      // If the transaction didn't even begin, no unit was removed from the queue. Remove them, or they would be tried
      // forever.
      rejectAll(taken.length > 0 ? taken : takeAll(urgent, queue), cause, toStoreError);
    }
  }

  return {
    /**
     * Run a unit in one of the next batches. Settles only once the batch is on disk. A unit that throws undoes only itself.
     * `urgent` units go first, because a request waits for them. While they keep arriving, the others pause after each slice.
     */
    run: <T>(work: () => Promise<T>, { urgent = false }: Pick<UnitOptions, "urgent"> = {}) =>
      enqueue<T>(urgent ? "urgent" : "unit", work),
    /** Run a job while no transaction is open. None begins until it ends. */
    between: <T>(job: () => T | Promise<T>) => enqueue<T>("job", job),
    /**
     * Resolves once everything that can be read now is on disk: at once, unless a batch is being written. Committed data can be
     * read before it is synced, so after a failed sync this rejects until a batch reaches the disk.
     */
    // After a failed sync, a batch has to reach the disk first, even an empty one.
    durable: (): Promise<void> =>
      syncs.last() ?? (syncs.hasFailed() ? enqueue("urgent", () => undefined) : Promise.resolve()),
    /** Refuse further work. Resolves when all accepted work has settled. */
    async stop(): Promise<void> {
      stopped = true;
      rest.stop();
      await leading;
      await reporter.settle();
    },
  };
}

interface Done {
  readonly entry: Entry;
  readonly report: () => void;
}

/** Reports the results of a batch to the callers over several turns, because their next steps don't fit into one. */
function createReporter({ toStoreError, onCommit }: GroupCommitOptions, now: () => number) {
  const reportLater = createTurnBudget({ sliceMs: SLICE_MS, now });
  const unreported = new Set<Promise<unknown>>();
  let last: Promise<void> = Promise.resolve();

  async function reportWhenSynced(done: readonly Done[], synced: Promise<void>): Promise<void> {
    try {
      await synced;
    } catch (cause) {
      const entries = done.map(({ entry }) => entry);
      rejectAll(entries, cause, toStoreError);
      return;
    }
    for (const each of done) report(each, done.length);
    onCommit?.();
  }

  function report({ entry, report: reportToCaller }: Done, units: number): void {
    if (entry.kind === "urgent" || units === 1) {
      reportToCaller();
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    unreported.add(promise);
    reportLater(() => {
      reportToCaller();
      unreported.delete(promise);
      resolve();
    });
  }

  return {
    report(done: readonly Done[], synced: Promise<void>): void {
      last = reportWhenSynced(done, synced);
    },
    /** Resolves once the results of all batches so far are known. */
    known: () => last,
    /** Resolves once every caller has its result. */
    async settle(): Promise<void> {
      await last;
      await Promise.all(unreported);
    },
  };
}

/**
 * The entries of one batch, up to the next job: urgent ones, then, unless units pause, as many others as fit into the slice,
 * at least one.
 */
function createSelection(from: {
  readonly urgent: Entry[];
  readonly queue: Entry[];
  readonly rest: UnitRest;
  readonly maxUnits: number;
  readonly now: () => number;
}): () => Entry | undefined {
  const { urgent, queue, rest, maxUnits, now } = from;
  const isResting = rest.isDue();
  let taken = 0;
  let startMs: number | undefined;
  const end = (): undefined => {
    if (startMs !== undefined) rest.onUnits(now() - startMs);
  };
  return () => {
    if (taken >= maxUnits) return end();
    taken += 1;
    if (urgent.length > 0) return urgent.shift();
    if (isResting || queue[0]?.kind !== "unit") return end();
    startMs ??= now();
    return now() - startMs < SLICE_MS ? queue.shift() : end();
  };
}

/** All waiting entries, up to the next job. */
function takeAll(urgent: Entry[], queue: Entry[]): readonly Entry[] {
  const nextJob = queue.findIndex((entry) => entry.kind === "job");
  return [...urgent.splice(0), ...queue.splice(0, nextJob === -1 ? queue.length : nextJob)];
}

/** Run units in one transaction until there is no next one. Units that began are added to `taken`. */
async function commit(next: () => Entry | undefined, taken: Entry[], options: GroupCommitOptions) {
  const { connection } = options;
  const done: Done[] = [];
  connection.exec("BEGIN IMMEDIATE");
  for (let entry = next(); entry !== undefined; entry = next()) {
    taken.push(entry);
    done.push({ entry, report: await runUnit(entry, options) });
  }
  connection.exec("COMMIT");
  return done;
}

/** Resolves to a function that tells the caller once the batch is durable. Throws if the transaction is lost. */
async function runUnit(entry: Entry, { connection, toStoreError }: GroupCommitOptions): Promise<() => void> {
  connection.exec("SAVEPOINT unit");
  try {
    const value = await entry.work();
    connection.exec("RELEASE unit");
    return () => entry.resolve(value as never);
  } catch (error) {
    // A full disk or an I/O error may end the transaction, and with it the other units' writes in this batch.
    if (!connection.isTransaction) throw error;
    connection.exec("ROLLBACK TO unit");
    connection.exec("RELEASE unit");
    return () => entry.reject(toStoreError(error));
  }
}

function rollBack(connection: TransactionConnection): void {
  try {
    if (connection.isTransaction) connection.exec("ROLLBACK");
  } catch {
    // The connection is gone, and its transaction with it. The batch is rejected anyway.
  }
}

async function runJob(entry: Entry | undefined, toStoreError: (error: unknown) => unknown): Promise<void> {
  try {
    entry?.resolve((await entry.work()) as never);
  } catch (error) {
    entry?.reject(toStoreError(error));
  }
}

function rejectAll(entries: readonly Entry[], cause: unknown, toStoreError: (error: unknown) => unknown) {
  const error = toUnavailable(cause, toStoreError);
  for (const entry of entries) entry.reject(error);
}

function toUnavailable(cause: unknown, toStoreError: (error: unknown) => unknown): unknown {
  const error = toStoreError(cause);
  if (error instanceof HoldfastError) return error;
  return toStoreUnavailable("a transaction couldn't be committed", cause);
}

// Bound on import: a test that fakes timers must not stop the store.
import { setImmediate } from "node:timers";
import { HoldfastError } from "../errors.ts";

/** The part of a connection that {@link createGroupCommit} needs. */
interface TransactionConnection {
  exec(statement: string): void;
  /** Whether a transaction is open. Databases close it by themselves on some errors. */
  readonly isTransaction: boolean;
}

/** Options of {@link createGroupCommit}. */
export interface GroupCommitOptions {
  readonly connection: TransactionConnection;
  /** What callers get to see of an error of the database. */
  readonly toStoreError: (error: unknown) => unknown;
  /** Units of one commit at most: the event loop waits for the whole batch. Default 256. */
  readonly maxUnits?: number | undefined;
}

/** Lets many units of work share one commit, and so one wait for the disk. */
export interface GroupCommit {
  /** Run a unit in the next batch. Settles only after the batch's COMMIT; a unit that throws undoes only itself. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Run a job on the connection while no transaction is open. */
  between<T>(job: () => T): Promise<T>;
  /** Refuse further work and resolve when all that was accepted has settled. */
  stop(): Promise<void>;
}

interface Entry {
  readonly kind: "unit" | "job";
  readonly work: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_UNITS = 256;

/** Create a {@link GroupCommit} over one connection that nobody else writes with. */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { toStoreError, maxUnits = MAX_UNITS } = options;
  const queue: Entry[] = [];
  let leading: Promise<void> | undefined;
  let stopped = false;

  function enqueue<T>(kind: Entry["kind"], work: () => unknown): Promise<T> {
    if (stopped) {
      return Promise.reject(
        new HoldfastError("STORE_UNAVAILABLE", "the store is closed", { retryable: true }),
      );
    }
    return new Promise<T>((resolve, reject) => {
      queue.push({ kind, work, resolve, reject });
      leading ??= lead();
    });
  }

  async function lead(): Promise<void> {
    while (queue.length > 0) {
      // A turn of the event loop lets everything that arrived together into one batch, and others breathe.
      await nextTurn();
      const batch = takeBatch(queue, maxUnits);
      if (batch[0]?.kind === "job") runJob(batch[0], toStoreError);
      else await runBatch(batch, options);
    }
    leading = undefined;
  }

  return {
    run: (work) => enqueue("unit", work),
    between: (job) => enqueue("job", job),
    async stop() {
      stopped = true;
      await leading;
    },
  };
}

async function runBatch(
  batch: readonly Entry[],
  { connection, toStoreError }: GroupCommitOptions,
): Promise<void> {
  const settle: (() => void)[] = [];
  try {
    connection.exec("BEGIN IMMEDIATE");
    for (const entry of batch) settle.push(await runUnit(entry, { connection, toStoreError }));
    connection.exec("COMMIT");
  } catch (cause) {
    rollBack(connection);
    const error = toUnavailable(cause, toStoreError);
    for (const entry of batch) entry.reject(error);
    return;
  }
  for (const tell of settle) tell();
}

/** Resolves to how to tell the caller, once the batch is durable. Throws when the whole transaction is lost. */
async function runUnit(entry: Entry, { connection, toStoreError }: GroupCommitOptions): Promise<() => void> {
  connection.exec("SAVEPOINT unit");
  try {
    const value = await entry.work();
    connection.exec("RELEASE unit");
    return () => entry.resolve(value as never);
  } catch (error) {
    // A full disk or an I/O error may end the transaction, and with it what others wrote in this batch.
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
    // The connection is gone, and its transaction with it; the batch is rejected all the same.
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** The first job alone, or the units before the next job. */
function takeBatch(queue: Entry[], maxUnits: number): Entry[] {
  if (queue[0]?.kind === "job") return queue.splice(0, 1);
  const nextJob = queue.findIndex((entry) => entry.kind === "job");
  return queue.splice(0, Math.min(nextJob === -1 ? queue.length : nextJob, maxUnits));
}

function runJob(entry: Entry, toStoreError: (error: unknown) => unknown): void {
  try {
    entry.resolve(entry.work() as never);
  } catch (error) {
    entry.reject(toStoreError(error));
  }
}

function toUnavailable(cause: unknown, toStoreError: (error: unknown) => unknown): unknown {
  const error = toStoreError(cause);
  if (error instanceof HoldfastError) return error;
  return new HoldfastError("STORE_UNAVAILABLE", "a transaction could not be committed", {
    retryable: true,
    cause,
  });
}

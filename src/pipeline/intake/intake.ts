import { HoldfastError, toStoreUnavailable } from "../../base/errors.ts";
import type { NewDelivery, Store } from "../../store/store.ts";

export type Intake = ReturnType<typeof createIntake>;

export interface IntakeOptions {
  readonly store: { readonly deliveries: Pick<Store["deliveries"], "save"> };
  /** Called after a commit that brought new work. */
  readonly onAccepted: () => void;
}

/** Deliveries in one commit, which takes about five milliseconds on SQLite. Later deliveries wait for it. */
const MAX_BATCH = 64;
/** Deliveries (of up to 5 MB) that may wait for a commit. Beyond this they are refused, and the platform retries. */
const MAX_WAITING = 5_000;

type Outcome = "accepted" | "duplicate";

type Waiting = PromiseWithResolvers<Outcome> & { readonly delivery: NewDelivery };

/**
 * Create an {@link Intake} that writes in batches: while one batch is written, the next one collects. This doubles what
 * Postgres can take, where each write is a transaction on one of few connections. In SQLite, a batch is one urgent unit of the
 * store's group commit.
 */
export function createIntake({ store, onAccepted }: IntakeOptions) {
  const waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  let stopped = false;

  async function writeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const fresh = await store.deliveries.save(batch.map(({ delivery }) => delivery));
      batch.forEach(({ resolve }, index) => resolve(fresh[index] === true ? "accepted" : "duplicate"));
      if (fresh.includes(true)) onAccepted();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function writeAll(): Promise<void> {
    // After one turn of the event loop, everything that has arrived on the sockets shares the commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await writeBatch(waiting.splice(0, MAX_BATCH));
    writing = undefined;
  }

  return {
    /**
     * Store a delivery. Resolves only once it is durable on disk. Deliveries that arrive together share one commit.
     *
     * @throws {HoldfastError} `STORE_UNAVAILABLE` when it could not be made durable, `SHUTTING_DOWN` while stopping.
     */
    accept(delivery: NewDelivery): Promise<Outcome> {
      if (stopped) return Promise.reject(toStopping());
      if (waiting.length >= MAX_WAITING) {
        return Promise.reject(toStoreUnavailable("too many deliveries are waiting to be stored"));
      }
      const entry = { delivery, ...Promise.withResolvers<Outcome>() };
      waiting.push(entry);
      writing ??= writeAll();
      return entry.promise;
    },
    /** Refuse new deliveries and wait until the accepted ones are durable. */
    async stop(): Promise<void> {
      stopped = true;
      await writing;
    },
  };
}

function toStopping(): HoldfastError {
  return new HoldfastError("SHUTTING_DOWN", "the app is stopping", { retryable: true });
}

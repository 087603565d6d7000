import { HoldfastError } from "../../base/errors.ts";
import type { DeliveryStore, NewDelivery } from "../../store/store.ts";

/** Durable receipt of deliveries. */
export interface Intake {
  /**
   * Keep a delivery. Resolves only once it is durable on disk; deliveries that arrive together share one commit.
   *
   * @throws {HoldfastError} `STORE_UNAVAILABLE` when it could not be made durable, `SHUTTING_DOWN` while stopping.
   */
  accept(delivery: NewDelivery): Promise<"accepted" | "duplicate">;
  /** Refuse new deliveries and wait until those taken are durable. */
  stop(): Promise<void>;
}

/** Parts of {@link createIntake}. */
export interface IntakeOptions {
  readonly store: DeliveryStore;
  /** Called after a commit that brought new work. */
  readonly onAccepted: () => void;
}

/** One commit's worth, some five milliseconds on SQLite: whoever comes next waits for it. */
const MAX_BATCH = 64;
/** Deliveries (of up to 5 MB) that may wait for a commit; the platform retries what is refused. */
const MAX_WAITING = 5_000;

interface Waiting {
  readonly delivery: NewDelivery;
  readonly resolve: (outcome: "accepted" | "duplicate") => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Create an {@link Intake} that writes in batches: while one is being written the next one gathers. Postgres, where each
 * write is a transaction on one of few connections, takes twice as many deliveries so; in SQLite, a batch is one urgent
 * unit of the store's group commit.
 */
export function createIntake({ store, onAccepted }: IntakeOptions): Intake {
  const waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  let stopped = false;

  async function writeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const fresh = await store.saveDeliveries(batch.map(({ delivery }) => delivery));
      batch.forEach(({ resolve }, index) => resolve(fresh[index] === true ? "accepted" : "duplicate"));
      if (fresh.includes(true)) onAccepted();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function writeAll(): Promise<void> {
    // One turn of the event loop: everything that has arrived on the sockets meanwhile shares the commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await writeBatch(waiting.splice(0, MAX_BATCH));
    writing = undefined;
  }

  return {
    accept(delivery) {
      if (stopped) return Promise.reject(toRefusal("SHUTTING_DOWN", "the app is stopping"));
      if (waiting.length >= MAX_WAITING) {
        return Promise.reject(toRefusal("STORE_UNAVAILABLE", "too many deliveries are waiting to be stored"));
      }
      const { promise, resolve, reject } = Promise.withResolvers<"accepted" | "duplicate">();
      waiting.push({ delivery, resolve, reject });
      writing ??= writeAll();
      return promise;
    },
    async stop() {
      stopped = true;
      await writing;
    },
  };
}

function toRefusal(code: "SHUTTING_DOWN" | "STORE_UNAVAILABLE", message: string): HoldfastError {
  return new HoldfastError(code, message, { retryable: true });
}

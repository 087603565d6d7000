import { HoldfastError } from "./errors.ts";

/** Runs a limited number of tasks at once. Owners with waiting tasks take turns. */
export interface Slots {
  /**
   * Run `work` as soon as a slot is free. Tasks of one owner start in order. The slot becomes free when the work ends, or
   * earlier with `leave`. Rejects with the signal's reason when that fires while the task waits.
   */
  run<T>(owner: string, work: (leave: () => void) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/**
 * Create {@link Slots}. A free slot goes to the owner who has waited longest for a turn, so an owner with one task waits
 * for one task of each other owner, however many tasks those have.
 */
export function createSlots(max: number): Slots {
  if (!Number.isInteger(max) || max < 1) {
    throw new HoldfastError("CONFIG_INVALID", `"maxInFlight" must be a positive whole number, got ${max}`, {
      retryable: false,
    });
  }
  /** By owner, in the order of their turns. */
  const waiting = new Map<string, Set<() => void>>();
  let free = max;

  async function takeSlot(owner: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = waiting.get(owner) ?? new Set();
    const onAbort = () => {
      // A slot that was handed over just now is taken: its work sees the signal.
      if (!queue.delete(resolve)) return;
      if (queue.size === 0 && waiting.get(owner) === queue) waiting.delete(owner);
      reject(signal?.reason);
    };
    waiting.set(owner, queue.add(resolve));
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  function handOver(): void {
    const [turn] = waiting;
    if (turn === undefined) {
      free += 1;
      return;
    }
    const [owner, queue] = turn;
    const [next] = queue;
    waiting.delete(owner);
    if (next === undefined) return;
    queue.delete(next);
    // To the end of the line.
    if (queue.size > 0) waiting.set(owner, queue);
    next();
  }

  return {
    async run(owner, work, signal) {
      await takeSlot(owner, signal);
      let left = false;
      const leave = (): void => {
        if (!left) handOver();
        left = true;
      };
      try {
        return await work(leave);
      } finally {
        leave();
      }
    },
  };
}

/** Runs tasks of the same name one after the other, in order. Other names do not wait. */
export type SerialQueue = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Create {@link SerialQueue} for this process. */
export function createSerialQueue(): SerialQueue {
  const last = new Map<string, Promise<void>>();

  return async (name, work) => {
    const before = last.get(name);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    last.set(name, over);
    await before;
    try {
      return await work();
    } finally {
      if (last.get(name) === over) last.delete(name);
      end();
    }
  };
}

/** The results of `work` for every entry, in their order; at most `concurrency` are under way at once. */
export async function mapSome<T, R>(
  entries: readonly T[],
  concurrency: number,
  work: (entry: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = entries.entries();
  const lane = async (): Promise<void> => {
    for (const [index, entry] of queue) results[index] = await work(entry, index);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, entries.length) }, lane));
  return results;
}

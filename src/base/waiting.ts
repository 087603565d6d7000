import { HoldfastError } from "./errors.ts";
import { MAX_TIMER_MS } from "./deadline.ts";

/**
 * Wait for work that goes on without its caller: resolves to `undefined` when `deadlineMs` passes first, and
 * rejects when the caller's signal fires. The work itself is never ended by either.
 */
export async function withinDeadline<T>(
  work: Promise<T>,
  deadlineMs: number | undefined,
  signal?: AbortSignal,
): Promise<T | undefined> {
  if (deadlineMs === undefined && signal === undefined) return work;
  signal?.throwIfAborted();
  const { promise: stop, resolve, reject } = Promise.withResolvers<undefined>();
  const onAbort = () => reject(signal?.reason);
  const timer =
    deadlineMs === undefined
      ? undefined
      : setTimeout(() => resolve(undefined), Math.min(deadlineMs, MAX_TIMER_MS));
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, stop]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Sleep that ends with a rejection when `signal` fires. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () => reject(signal?.reason);
  signal?.throwIfAborted();
  const timer = setTimeout(resolve, ms);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Lets at most a fixed number of pieces of work run at once; owners who wait take turns. */
export interface Slots {
  /**
   * Run `work` once there is a place for it; of one owner's work the first comes first. The place is free when the work
   * ends, or earlier by `leave`. Rejects with the signal's reason when that fires while it waits.
   */
  run<T>(owner: string, work: (leave: () => void) => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function createSlots(max: number): Slots {
  if (!Number.isInteger(max) || max < 1) {
    throw new HoldfastError("CONFIG_INVALID", `"maxInFlight" must be a positive whole number, got ${max}`, {
      retryable: false,
    });
  }
  /** By owner, in the order of their turns. */
  const waiting = new Map<string, Set<() => void>>();
  let free = max;

  async function takePlace(owner: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = waiting.get(owner) ?? new Set();
    const onAbort = () => {
      // Not when a place was handed over in this very moment: it is taken, and its work sees the signal.
      if (!queue.delete(resolve)) return;
      if (queue.size === 0 && waiting.get(owner) === queue) waiting.delete(owner);
      reject(signal.reason);
    };
    waiting.set(owner, queue.add(resolve));
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
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
    // To the end of the line: somebody with one question waits for one turn of each other owner.
    if (queue.size > 0) waiting.set(owner, queue);
    next();
  }

  return {
    async run(owner, work, signal) {
      await takePlace(owner, signal);
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

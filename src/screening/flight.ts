import { HoldfastError } from "../errors.ts";

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
  const timer = deadlineMs === undefined ? undefined : setTimeout(() => resolve(undefined), deadlineMs);
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

/** Lets at most a fixed number of pieces of work run at once, first come first served. */
export interface Slots {
  /** Run `work` once there is a place for it. The place is free when the work ends, or earlier by `leave`. */
  run<T>(work: (leave: () => void) => Promise<T>): Promise<T>;
}

/** Create {@link Slots}. */
export function createSlots(max: number): Slots {
  if (!Number.isInteger(max) || max < 1) {
    throw new HoldfastError("CONFIG_INVALID", `"maxInFlight" must be a positive whole number, got ${max}`, {
      retryable: false,
    });
  }
  const waiting: (() => void)[] = [];
  let free = max;

  return {
    async run(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let left = false;
      const leave = (): void => {
        if (left) return;
        left = true;
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      };
      try {
        return await work(leave);
      } finally {
        leave();
      }
    },
  };
}

// Bound on import: a test that fakes timers must not stop the store.
import { setImmediate } from "node:timers";
import { quoteNumber, toConfigError } from "./errors.ts";

/** Longest delay of a Node timer, in milliseconds (24.8 days). A longer one would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/**
 * Refuse a deadline that no timer could keep.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` unless it is absent or a positive number of milliseconds, at most 2^31 - 1.
 */
export function assertDeadline(deadlineMs: number | undefined): void {
  if (deadlineMs === undefined) return;
  if (Number.isFinite(deadlineMs) && deadlineMs > 0 && deadlineMs <= MAX_TIMER_MS) return;
  const expected = `a positive number of milliseconds, at most ${MAX_TIMER_MS}`;
  throw toConfigError(`"deadlineMs" must be ${expected}, got ${quoteNumber(deadlineMs)}`);
}

/**
 * Wait for work that continues without its caller: resolves to `undefined` when `deadlineMs` passes first, and rejects
 * when the caller's signal fires. Neither ends the work itself.
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
  // After the process stalled, timers run before sockets are read, and the result may be waiting there.
  const giveUp = () => setImmediate(() => resolve(undefined));
  const timer = deadlineMs === undefined ? undefined : setTimeout(giveUp, Math.min(deadlineMs, MAX_TIMER_MS));
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, stop]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Wait for `ms` milliseconds. Rejects with the signal's reason when that fires first. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await withinDeadline(new Promise<never>(() => {}), ms, signal);
}

/** Let the process end before the timer fires. Where a timer is a number, as on Cloudflare, it keeps nothing alive. */
export function unref(timer: NodeJS.Timeout): NodeJS.Timeout {
  (timer as Partial<NodeJS.Timeout>).unref?.();
  return timer;
}

/** Wait for `ms` milliseconds, or until the signal fires. Doesn't keep the process alive. */
export async function pauseUnref(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = unref(setTimeout(resolve, ms));
  const end = () => resolve();
  signal.addEventListener("abort", end, { once: true });
  if (!signal.aborted) await promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", end);
}

/** Runs a limited number of tasks at once. Owners with waiting tasks take turns. */
export type Slots = ReturnType<typeof createSlots>;

/**
 * Create {@link Slots}. A free slot goes to the owner who has waited longest for a turn, so an owner with one task waits
 * for one task of each other owner, however many tasks those have.
 */
export function createSlots(max: number) {
  /** By owner, in the order of their turns. */
  const waiting = new Map<string, Set<() => void>>();
  let free = max;

  async function takeSlot(owner: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = waiting.get(owner) ?? new Set();
    waiting.set(owner, queue.add(resolve));
    try {
      await withinDeadline(promise, undefined, signal);
    } catch (reason) {
      // If the task has just got a slot, it starts, and its work sees the signal.
      if (!queue.delete(resolve)) return;
      if (queue.size === 0 && waiting.get(owner) === queue) waiting.delete(owner);
      throw reason;
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
    /**
     * Run `work` as soon as a slot is free. Tasks of one owner start in order. The slot becomes free when the work ends, or
     * earlier with `leave`. Rejects with the signal's reason when that fires while the task waits.
     */
    async run<T>(owner: string, work: (leave: () => void) => Promise<T>, signal?: AbortSignal): Promise<T> {
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

/** Runs tasks of the same name one after the other in this process, in order. Tasks of other names don't wait. */
export function createSerialQueue() {
  const last = new Map<string, Promise<void>>();

  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
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

/** Work under way, for whoever has to wait until it has ended. */
export type Background = ReturnType<typeof createBackground>;

/** Create {@link Background}. */
export function createBackground() {
  const underWay = new Set<Promise<unknown>>();
  return {
    /** Follow work until it ends, and return it. If nobody waits for it and it rejects, the process goes on. */
    add<T>(work: Promise<T>): Promise<T> {
      const done = work.catch(() => undefined).finally(() => underWay.delete(done));
      underWay.add(done);
      return work;
    },
    /** Wait for all work so far, and for what it adds. */
    async settle(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** The results of `work` for every entry, in their order. At most `concurrency` run at once. */
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

const MOST_A_TURN = 32;

/**
 * Create a function that calls back in a later turn of the event loop, in the order of the calls, as many per turn as fit
 * into the turn's time. At least one callback runs in each turn, however long it takes.
 *
 * @param options.sliceMs - After a turn's callbacks have taken this long, the rest waits for the next turn, so that requests
 *   come first.
 * @param options.now - A monotonic clock, in milliseconds.
 */
export function createTurnBudget({ sliceMs, now }: { readonly sliceMs: number; readonly now: () => number }) {
  const waiting: (() => void)[] = [];
  /** Immediates of this turn that have not run yet. */
  let armed = 0;
  let startMs: number | undefined;

  /** Work that a callback starts runs before the next immediate, so it counts too. */
  function step(): void {
    armed -= 1;
    startMs ??= now();
    if (now() - startMs < sliceMs) waiting.shift()?.();
    if (armed > 0) return;
    startMs = undefined;
    arm();
  }

  function arm(): void {
    armed = Math.min(waiting.length, MOST_A_TURN);
    for (let index = 0; index < armed; index += 1) setImmediate(step);
  }

  return (go: () => void): void => {
    waiting.push(go);
    if (armed === 0) arm();
  };
}

import { performance } from "node:perf_hooks";
// Bound on import: a test that fakes timers must not stop the store.
import { setImmediate, clearTimeout, setTimeout } from "node:timers";
import { createSlots } from "../../base/waiting.ts";

/**
 * Gives way between two slices of long work: resolves in a later turn of the event loop, for one caller a turn, so that
 * requests are served between any two slices however many scans run at once. Owners who wait take turns. Rejects with the
 * signal's reason once that fires.
 */
export type Pacer = (owner: string, signal?: AbortSignal) => Promise<void>;

/**
 * Create a {@link Pacer} for work on the thread that serves requests.
 *
 * @param turns - Turns of the event loop for each caller. Node accepts one connection a turn, so more of them let requests come
 * in beside work that takes longer than a slice. Default 1.
 */
export function createPacer(turns = 1): Pacer {
  const slots = createSlots(1);
  const giveWay = async (): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
  };
  return async (owner, signal = new AbortController().signal) => {
    await slots.run(owner, giveWay, signal);
    signal.throwIfAborted();
  };
}

/** Resolves in the next turn of the event loop, after the requests that have arrived. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Requests keep coming while the last one is no older than this, in milliseconds. */
const COMING_MS = 50;
/**
 * Share of the time since a slice of units began in which the thread must have been idle before the next slice. Near 0,
 * units take all that requests leave, and each request queues behind them: measured at half of the highest load, the p99
 * of an acknowledgement was 66 to 79 ms with a thread that was never idle, and 39 ms at 0.15.
 */
const IDLE_SHARE = 0.15;
/** A thread that is never idle gives units one slice in so many milliseconds, so that work never stands still. */
const LONGEST_REST_MS = 100;

/** Clocks of a thread, in milliseconds. */
export interface ThreadClock {
  /** A clock that only goes on. */
  readonly now: () => number;
  /** How long the event loop has waited for something to do. */
  readonly idleMs: () => number;
}

const readUtilization = performance.eventLoopUtilization.bind(performance);

/** The clocks of this thread. A test that fakes clocks fakes neither. */
export const THREAD_CLOCK: ThreadClock = {
  now: performance.now.bind(performance),
  idleMs: () => readUtilization().idle,
};

/** Leaves the thread to requests while they keep coming: units of work that nobody waits for rest after each slice. */
export type UnitRest = ReturnType<typeof createUnitRest>;

/** Create a {@link UnitRest}. */
export function createUnitRest({ now, idleMs }: ThreadClock) {
  let requestAtMs = -Infinity;
  let slice: { readonly startMs: number; readonly idleMs: number } | undefined;
  let stopped = false;
  let endWait: (() => void) | undefined;

  /** How much longer the thread has to be idle before the next slice, in milliseconds. */
  function toMissingMs(): number {
    if (slice === undefined || stopped || now() - requestAtMs > COMING_MS) return 0;
    const passedMs = now() - slice.startMs;
    return passedMs >= LONGEST_REST_MS ? 0 : IDLE_SHARE * passedMs - (idleMs() - slice.idleMs);
  }

  return {
    /** A request's unit has come. It ends `wait`, because it does not rest. */
    onRequest(): void {
      requestAtMs = now();
      endWait?.();
    },
    /** A slice of units took so many milliseconds. */
    onUnits(tookMs: number): void {
      slice = { startMs: now() - tookMs, idleMs: idleMs() };
    },
    /** Whether units have to rest now. */
    isDue: () => toMissingMs() > 0,
    /** Resolves when it is worth asking `isDue` again, or a request has come. */
    async wait(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, Math.max(1, toMissingMs()));
      endWait = resolve;
      await promise;
      endWait = undefined;
      clearTimeout(timer);
    },
    /** No more rests: somebody waits for the last units. */
    stop(): void {
      stopped = true;
      endWait?.();
    },
  };
}

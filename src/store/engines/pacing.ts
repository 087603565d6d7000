import { performance } from "node:perf_hooks";
// Captured on import, so that a test with fake timers doesn't stop the store.
import { setImmediate, clearTimeout, setTimeout } from "node:timers";
import { createSlots } from "../../base/waiting.ts";

/**
 * Lets requests run between two slices of long work: resolves in a later turn of the event loop, one caller per turn, however
 * many scans run at once. Waiting owners take turns. Rejects with the signal's reason if that fires.
 */
export type Pacer = (owner: string, signal?: AbortSignal) => Promise<void>;

/**
 * Create a {@link Pacer} for work on the thread that serves requests.
 *
 * @param turns - Turns of the event loop per caller. Node accepts one connection per turn, so more turns let requests in
 * beside work that takes longer than a slice. Default 1.
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

/** Requests count as arriving continuously while the last one is no older than this, in milliseconds. */
const COMING_MS = 50;
/**
 * The share of the time since the last slice began for which the thread must have been idle before the next slice. Near 0,
 * units use all the time that requests leave, and requests queue behind them: at half of the highest load, the p99 of an
 * acknowledgement was 66 to 79 ms with a thread that was never idle, and 39 ms at 0.15.
 */
const IDLE_SHARE = 0.15;
/** If the thread is never idle, units get one slice in this many milliseconds, so that work never stops. */
const LONGEST_REST_MS = 100;

/** Clocks of a thread, in milliseconds. */
export interface ThreadClock {
  /** A monotonic clock. */
  readonly now: () => number;
  /** How long the event loop has been idle. */
  readonly idleMs: () => number;
}

const readUtilization = performance.eventLoopUtilization.bind(performance);

/** The clocks of this thread. A test with fake timers doesn't fake them. */
export const THREAD_CLOCK: ThreadClock = {
  now: performance.now.bind(performance),
  idleMs: () => readUtilization().idle,
};

/** Leaves the thread to requests while they keep arriving: units that aren't urgent pause after each slice. */
export type UnitRest = ReturnType<typeof createUnitRest>;

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
    /** Record how many milliseconds a slice of units took. */
    onUnits(tookMs: number): void {
      slice = { startMs: now() - tookMs, idleMs: idleMs() };
    },
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
    /** End all pauses, because the store is closing and waits for the last units. */
    stop(): void {
      stopped = true;
      endWait?.();
    },
  };
}

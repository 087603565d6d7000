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
 * Units rest this many times as long as they took. What their callers do next takes about as long again, so that work has a
 * third of the thread beside requests, which then seldom wait for more than one slice of it.
 */
const TIMES = 4;
const LONGEST_MS = 20;

/** Leaves the thread to requests while they keep coming: units of work that nobody waits for rest after each slice. */
export interface UnitRest {
  /** A request's unit has come. It ends {@link wait}, for it does not rest. */
  onRequest(): void;
  /** Units took so many milliseconds. */
  onUnits(tookMs: number): void;
  /** Whether units have to rest now. */
  isDue(): boolean;
  /** Resolves once they need not any more, or a request has come. */
  wait(): Promise<void>;
  /** No more rests: somebody waits for the last units. */
  stop(): void;
}

/** Create a {@link UnitRest}. `now`: milliseconds of a clock that only goes on. */
export function createUnitRest(now: () => number): UnitRest {
  let requestAtMs = -Infinity;
  let restUntilMs = -Infinity;
  let stopped = false;
  let endWait: (() => void) | undefined;

  return {
    onRequest() {
      requestAtMs = now();
      endWait?.();
    },
    onUnits(tookMs) {
      if (now() - requestAtMs <= COMING_MS) restUntilMs = now() + Math.min(TIMES * tookMs, LONGEST_MS);
    },
    isDue: () => !stopped && now() < restUntilMs,
    async wait() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(
        () => {
          restUntilMs = -Infinity;
          resolve();
        },
        Math.max(0, restUntilMs - now()),
      );
      endWait = resolve;
      await promise;
      endWait = undefined;
      clearTimeout(timer);
    },
    stop() {
      stopped = true;
      endWait?.();
    },
  };
}

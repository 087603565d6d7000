// Bound on import: a test that fakes timers must not stop the store.
import { setImmediate } from "node:timers";
import { createSlots } from "../../base/queues.ts";

/**
 * Gives way between two slices of long work: resolves in a later turn of the event loop, for one caller a turn, so that
 * requests are served between any two slices however many scans run at once. Owners who wait take turns. Rejects with the
 * signal's reason once that fires.
 */
export type Pacer = (owner: string, signal?: AbortSignal) => Promise<void>;

/** Create a {@link Pacer} for work on the thread that serves requests. */
export function createPacer(): Pacer {
  const slots = createSlots(1);
  return async (owner, signal = new AbortController().signal) => {
    await slots.run(owner, nextTurn, signal);
    signal.throwIfAborted();
  };
}

/** Resolves in the next turn of the event loop, after the requests that have arrived. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

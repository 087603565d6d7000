import { LRUCache } from "lru-cache";
import { withinDeadline } from "../../base/waiting.ts";

export interface SharedAnswersOptions {
  /** How long an answer is reused, in milliseconds. 0: only for callers that wait for it. */
  readonly forMs: number;
  readonly now: () => number;
}

interface Run<T> {
  readonly answer: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
}

/** Answers kept at once; the least recently requested is dropped first. */
const ANSWERS_KEPT = 1_000;

/**
 * Ask once for all callers with the same request at about the same time, so that many requests don't become as many queries,
 * and stop when nobody waits. Failures are shared like answers.
 *
 * `ask` runs only for the first caller; its signal fires when all waiting callers have disconnected. `caller` fires when
 * this caller disconnects; it is then rejected with the signal's reason.
 */
export function createSharedAnswers<T>({ forMs, now }: SharedAnswersOptions) {
  const kept = new LRUCache<string, { readonly answer: Promise<T>; readonly atMs: number }>({
    max: ANSWERS_KEPT,
  });
  const runs = new Map<string, Run<T>>();

  function start(key: string, ask: (signal: AbortSignal) => Promise<T>): Run<T> {
    const stop = new AbortController();
    const run = { answer: ask(stop.signal), stop, waiting: 0 };
    const end = (): void => {
      if (runs.get(key) !== run) return;
      runs.delete(key);
      if (forMs > 0) kept.set(key, { answer: run.answer, atMs: now() });
    };
    runs.set(key, run);
    run.answer.then(end, end);
    return run;
  }

  return async (key: string, ask: (signal: AbortSignal) => Promise<T>, caller?: AbortSignal): Promise<T> => {
    caller?.throwIfAborted();
    const known = kept.get(key);
    // If the clock is set back, ask again instead of reusing the answer for longer.
    if (known !== undefined && Math.abs(now() - known.atMs) < forMs) return known.answer;
    const run = runs.get(key) ?? start(key, ask);
    run.waiting += 1;
    try {
      // Without a deadline it resolves to the answer alone.
      return (await withinDeadline(run.answer, undefined, caller)) as T;
    } finally {
      run.waiting -= 1;
      if (run.waiting === 0 && runs.get(key) === run) {
        runs.delete(key);
        run.stop.abort(new Error("the request was canceled"));
      }
    }
  };
}

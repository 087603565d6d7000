import { isCloudflare } from "../base/cloudflare.ts";
import { unref } from "../base/waiting.ts";

/** By then, a check's request has usually left, and the process only waits for the answer. In milliseconds. */
const REQUEST_LEFT_MS = 25;

/**
 * Does work ahead of the first check that needs it, when it delays nobody: before the first check, or while it waits for its answer.
 * On Cloudflare nothing may run outside of a request, so nothing is done ahead.
 *
 * @param prepare - Runs once. Must not reject. The signal ends it.
 * @param load - The part of it that a check without an answer needs. May run several times, and must not reject.
 */
export function createWarmUp(prepare: (signal: AbortSignal) => Promise<void>, load: () => Promise<unknown>) {
  const stopping = new AbortController();
  let isDone = isCloudflare();
  const run = (): void => {
    if (isDone) return;
    isDone = true;
    void prepare(stopping.signal);
  };
  const begin = isDone ? undefined : unref(setTimeout(run, 0));

  return {
    async during<T>(check: () => Promise<T>): Promise<T> {
      if (isDone) return check();
      clearTimeout(begin);
      const loading = unref(setTimeout(() => void load(), REQUEST_LEFT_MS));
      try {
        return await check();
      } finally {
        clearTimeout(loading);
        unref(setTimeout(run, 0));
      }
    },
    /** Do nothing ahead any more. */
    stop(): void {
      isDone = true;
      clearTimeout(begin);
      stopping.abort();
    },
  };
}

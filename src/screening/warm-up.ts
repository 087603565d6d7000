import { isCloudflare } from "../base/cloudflare.ts";
import { MAX_TIMER_MS, unref } from "../base/waiting.ts";

/**
 * Does work ahead of the first check that needs it, when it delays nobody: before the first check or after it, or while a check has
 * waited for half of its time. On Cloudflare nothing may run outside of a request, so nothing is done ahead.
 *
 * @param prepare - Runs once. Must not reject.
 * @param load - The part of it that a check without an answer needs. May run several times, and must not reject.
 */
export function createWarmUp(prepare: () => Promise<void>, load: () => Promise<unknown>) {
  let isDone = isCloudflare();
  const run = (): void => {
    if (isDone) return;
    isDone = true;
    void prepare();
  };
  const begin = isDone ? undefined : unref(setTimeout(run, 0));

  return {
    /** Run a check that may take `waitMs` milliseconds. */
    async during<T>(waitMs: number, check: () => Promise<T>): Promise<T> {
      if (isDone) return check();
      clearTimeout(begin);
      const half = unref(setTimeout(() => void load(), Math.min(waitMs / 2, MAX_TIMER_MS)));
      try {
        return await check();
      } finally {
        clearTimeout(half);
        unref(setTimeout(run, 0));
      }
    },
    /** Do nothing ahead any more. */
    stop(): void {
      isDone = true;
      clearTimeout(begin);
    },
  };
}

import { setTimeout as sleep } from "node:timers/promises";

/** Long enough for two cores that twenty other processes use, and below the limit of a test (120 s). */
const PATIENCE_MS = 90_000;
const POLL_MS = 5;

/** What {@link until} may be given. */
export interface UntilOptions {
  /** What is waited for, in the error. Default: the source of the condition. */
  readonly what?: string;
  /** Done before each further look, for example to wake a pipeline. */
  readonly between?: () => unknown;
}

/**
 * Wait until `condition` holds, and return what it returned: it doesn't hold while it returns `false` or throws, so
 * an `expect` inside waits too.
 *
 * @throws the condition's last error, or an error that says what was waited for, when it doesn't hold in time
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { what = condition.toString(), between }: UntilOptions = {},
): Promise<Exclude<T, false>> {
  const giveUpMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      const result = await condition();
      if (result !== false) return result as Exclude<T, false>;
      if (performance.now() > giveUpMs) throw new Error(`waited ${PATIENCE_MS / 1_000} s in vain: ${what}`);
    } catch (error) {
      if (performance.now() > giveUpMs) throw error;
    }
    await between?.();
    await sleep(POLL_MS);
  }
}

import { setTimeout as sleep } from "node:timers/promises";

/** Long enough for two cores that twenty other processes use, and below the limit of a test (120 s). */
const PATIENCE_MS = 90_000;
/** Pauses between looks grow with the time waited, so that long waits leave the cores to the work itself. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [2, 25];

/** Options of {@link until}. */
export interface UntilOptions {
  /** What is waited for, in the error. Default: the source of the condition. */
  readonly what?: string;
  /** Runs before each further look, for example to wake a pipeline. */
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
  const startMs = performance.now();
  for (;;) {
    const waitedMs = performance.now() - startMs;
    try {
      const result = await condition();
      if (result !== false) return result as Exclude<T, false>;
      if (waitedMs > PATIENCE_MS) throw new Error(`waited ${PATIENCE_MS / 1_000} s for: ${what}`);
    } catch (error) {
      if (waitedMs > PATIENCE_MS) throw error;
    }
    await between?.();
    await sleep(Math.min(Math.max(SHORTEST_PAUSE_MS, waitedMs / 40), LONGEST_PAUSE_MS));
  }
}

import { HoldfastError } from "../base/errors.ts";

/**
 * Wait for `start()`'s promise, or resolve to undefined as soon as `signal` aborts; nothing is started when it has
 * aborted already. The work itself goes on, and no listener stays behind.
 */
export function waitUnlessAborted<T>(
  start: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  if (signal === undefined) return start();
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(undefined);
    signal.addEventListener("abort", onAbort, { once: true });
    start()
      .finally(() => signal.removeEventListener("abort", onAbort))
      .then(resolve, reject);
  });
}

/** Counts work under way, so that closing can wait for it. */
export interface WorkTracker {
  /**
   * Run `work`, counted.
   *
   * @throws {HoldfastError} `SHUTTING_DOWN` once `close` was called; nothing is started then.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Refuse new work, wait for what is under way, then `release`, once however often it is called. */
  close(release: () => Promise<void>): Promise<void>;
}

/** Create a {@link WorkTracker}. */
export function createWorkTracker(): WorkTracker {
  let running = 0;
  let closing: Promise<void> | undefined;
  let onIdle: (() => void) | undefined;

  async function finish(release: () => Promise<void>): Promise<void> {
    if (running > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    await release();
  }

  return {
    async run(work) {
      if (closing !== undefined) {
        throw new HoldfastError("SHUTTING_DOWN", "the verification client is closed", {
          retryable: true,
          metered: "no",
        });
      }
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0) onIdle?.();
      }
    },
    close: (release) => (closing ??= finish(release)),
  };
}

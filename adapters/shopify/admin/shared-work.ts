import { unavailable } from "./platform-errors.ts";

/** Lets callers who want the same thing at the same time share one piece of work. */
export interface SharedWork {
  /**
   * Join the work under `key`, or start it. A caller that gives up leaves; the work goes on for the others.
   *
   * @throws {HoldfastError} `PLATFORM_UNAVAILABLE` when `signal` aborts first; otherwise what `work` throws.
   */
  join<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
}

/** Create {@link SharedWork} with nothing under way. */
export function createSharedWork(): SharedWork {
  const underWay = new Map<string, Promise<unknown>>();
  return {
    join<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
      const running = underWay.get(key) as Promise<T> | undefined;
      const shared = running ?? work().finally(() => underWay.delete(key));
      if (running === undefined) underWay.set(key, shared);
      return signal === undefined ? shared : untilAborted(shared, signal);
    },
  };
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(unavailable("The caller stopped waiting"));
    const leave = () => signal.removeEventListener("abort", giveUp);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    work.then(resolve, reject).then(leave, leave);
  });
}

export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, in whole seconds since the epoch, rounded up. */
  readonly resetAtSeconds: number;
}

/** A limit of requests in a window of time. */
export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
}

/** Counts requests per key in fixed windows. */
export type RateWindow = ReturnType<typeof createRateWindow>;

/** `usual`: the limit for keys without their own. */
export function createRateWindow(usual: RateLimit, now: () => number) {
  const windows = new Map<string, { startMs: number; used: number }>();

  function toState({ limit, windowMs }: RateLimit, startMs: number, used: number): RateState {
    return {
      limit,
      remaining: Math.max(0, limit - used),
      resetAtSeconds: Math.ceil((startMs + windowMs) / 1000),
    };
  }

  return {
    /** Count one request of a key; `allowed` is false when its window was full. */
    take(key: string, rateLimit = usual) {
      const nowMs = now();
      const running = windows.get(key);
      const window =
        running !== undefined && nowMs < running.startMs + rateLimit.windowMs
          ? running
          : { startMs: nowMs, used: 0 };
      windows.set(key, window);
      const allowed = window.used < rateLimit.limit;
      if (allowed) window.used += 1;
      return { allowed, state: toState(rateLimit, window.startMs, window.used) };
    },
    /** The state of a caller without a key: nothing was counted. */
    untouched: () => toState(usual, now(), 0),
  };
}

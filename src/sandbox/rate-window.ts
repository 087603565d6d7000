/** Where a key stands in its window. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds since the epoch, rounded up: at this second the window is over. */
  readonly resetAtSeconds: number;
}

/** A limit of requests in a window of time. */
export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
}

/** Counts requests per key in fixed windows. */
export interface RateWindow {
  /** Count one request of a key with this limit, by default the service's; `allowed` is false when the window was full. */
  take(key: string, rateLimit?: RateLimit): { readonly allowed: boolean; readonly state: RateState };
  /** Where a caller without a key stands: nothing was counted. */
  untouched(): RateState;
}

/** Create a {@link RateWindow} with the limit of keys that have none of their own. */
export function createRateWindow(usual: RateLimit, now: () => number): RateWindow {
  const windows = new Map<string, { startMs: number; used: number }>();

  function toState({ limit, windowMs }: RateLimit, startMs: number, used: number): RateState {
    return {
      limit,
      remaining: Math.max(0, limit - used),
      resetAtSeconds: Math.ceil((startMs + windowMs) / 1000),
    };
  }

  return {
    take(key, rateLimit = usual) {
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
    untouched() {
      return toState(usual, now(), 0);
    },
  };
}

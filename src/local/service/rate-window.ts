/** Where a key stands in its window. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds since the epoch, rounded up: at this second the window is over. */
  readonly resetAtSeconds: number;
}

/** Counts requests per key in fixed windows. */
export interface RateWindow {
  /** Count one request; `allowed` is false when the window was full already. */
  take(key: string): { readonly allowed: boolean; readonly state: RateState };
  /** Where a caller without a key stands: nothing was counted. */
  untouched(): RateState;
}

/** Create a {@link RateWindow}: `limit` requests per key and `windowMs`. */
export function createRateWindow(options: {
  readonly limit: number;
  readonly windowMs: number;
  readonly now: () => number;
}): RateWindow {
  const { limit, windowMs, now } = options;
  const windows = new Map<string, { startMs: number; used: number }>();

  function toState(startMs: number, used: number): RateState {
    return {
      limit,
      remaining: Math.max(0, limit - used),
      resetAtSeconds: Math.ceil((startMs + windowMs) / 1000),
    };
  }

  return {
    take(key) {
      const nowMs = now();
      const running = windows.get(key);
      const window =
        running !== undefined && nowMs < running.startMs + windowMs ? running : { startMs: nowMs, used: 0 };
      windows.set(key, window);
      const allowed = window.used < limit;
      if (allowed) window.used += 1;
      return { allowed, state: toState(window.startMs, window.used) };
    },
    untouched() {
      return toState(now(), 0);
    },
  };
}

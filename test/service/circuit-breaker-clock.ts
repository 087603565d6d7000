import { expect } from "vitest";
import { HoldfastError, type ErrorCode } from "../../src/base/errors.ts";
import {
  createCircuitBreaker,
  type Caller,
  type CircuitBreakerOptions,
} from "../../src/service/circuit-breaker.ts";
import type { RateLimit } from "../../src/service/rate-limit.ts";
import { createLogRecorder } from "../support/log-recorder.ts";

/** Where the clock of {@link setUpBreaker} stands at first. */
export const START_MS = 1_800_000_000_000;
/** What a breaker says to go ahead. */
export const ALLOWED = { allowed: true };

/** What a breaker says while calls are held back. */
export function blocked(code: ErrorCode, retryAtMs: number) {
  return { allowed: false, code, retryAtMs };
}

/** The error of a call. */
export function errorOf(code: ErrorCode, retryAtMs?: number): HoldfastError {
  return new HoldfastError(code, "made for a test", { retryable: true, retryAtMs });
}

/** A circuit breaker on a clock that stands still until a test moves it. Each call is for a new order state unless one is named. */
export function setUpBreaker(options: Partial<CircuitBreakerOptions> = {}) {
  let nowMs = START_MS;
  let orderStates = 0;
  const { lines, logger } = createLogRecorder();
  const breaker = createCircuitBreaker({ now: () => nowMs, logger, ...options });

  function callerOf(who: Partial<Caller> = {}): Caller {
    orderStates += 1;
    return { keyId: "k", tenant: "shop", orderState: `state-${orderStates}`, ...who };
  }

  return {
    breaker,
    /** What was logged, oldest first. */
    lines,
    now: () => nowMs,
    pass: (ms: number) => (nowMs += ms),
    check: (who?: Partial<Caller>) => breaker.check(callerOf(who)),
    peek: (who?: Partial<Caller>) => breaker.peek(callerOf(who)),
    /** A call ends that was under way, whatever happened since it was let through. */
    report: (error?: HoldfastError, rateLimit?: RateLimit, who?: Partial<Caller>) =>
      breaker.report(callerOf(who), error, rateLimit),
    /** As many calls fail that were under way. */
    failTimes: (times: number, code: ErrorCode = "VERIFICATION_FAILED", who?: Partial<Caller>) => {
      for (let time = 0; time < times; time += 1) breaker.report(callerOf(who), errorOf(code));
    },
    /** A call is let through; it ends when the returned function is called. */
    begin: (who?: Partial<Caller>) => {
      const caller = callerOf(who);
      expect(breaker.check(caller)).toEqual(ALLOWED);
      return (error?: HoldfastError, rateLimit?: RateLimit) => breaker.report(caller, error, rateLimit);
    },
  };
}

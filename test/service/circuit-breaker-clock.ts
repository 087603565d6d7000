import { expect } from "vitest";
import { HoldfastError, type ErrorCode } from "../../src/base/errors.ts";
import {
  createCircuitBreaker,
  type Caller,
  type CircuitBreakerOptions,
} from "../../src/service/circuit-breaker.ts";
import type { RateLimit } from "../../src/service/rate-limit.ts";
import { createLogRecorder } from "../support/log-recorder.ts";

/** The time at which the clock of {@link setUpBreaker} starts. */
export const START_MS = 1_800_000_000_000;
/** The breaker's answer when a call may go ahead. */
export const ALLOWED = { allowed: true };

/** The breaker's answer while calls are blocked. */
export function blocked(code: ErrorCode, retryAtMs: number) {
  return { allowed: false, code, retryAtMs };
}

/** The error of a call. */
export function errorOf(code: ErrorCode, retryAtMs?: number): HoldfastError {
  return new HoldfastError(code, "made for a test", { retryable: true, retryAtMs });
}

/** A circuit breaker with a clock that only the test moves. Each call is for a new order state unless one is named. */
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
    /** Ends a call that was under way, whatever happened since it was allowed. */
    report: (error?: HoldfastError, rateLimit?: RateLimit, who?: Partial<Caller>) =>
      breaker.report(callerOf(who), error, rateLimit),
    /** Ends that many calls that were under way, each with an error. */
    failTimes: (times: number, code: ErrorCode = "VERIFICATION_FAILED", who?: Partial<Caller>) => {
      for (let time = 0; time < times; time += 1) breaker.report(callerOf(who), errorOf(code));
    },
    /** Starts a call. It ends when the returned function is called. */
    begin: (who?: Partial<Caller>) => {
      const caller = callerOf(who);
      expect(breaker.check(caller)).toEqual(ALLOWED);
      return (error?: HoldfastError, rateLimit?: RateLimit) => breaker.report(caller, error, rateLimit);
    },
  };
}

import { expect } from "vitest";
import { HoldfastError, type ErrorCode } from "../../src/base/errors.ts";
import { createGate, type Asker, type GateOptions } from "../../src/service/gate.ts";
import type { RateLimit } from "../../src/service/verifier.ts";
import { createLogRecorder } from "../support/log-recorder.ts";

/** Where the clock of {@link setUpGate} stands at first. */
export const START_MS = 1_800_000_000_000;
/** What a gate says to go ahead. */
export const OPEN = { open: true };

/** What a gate says while calls are held back. */
export function blocked(code: ErrorCode, retryAtMs: number) {
  return { open: false, code, retryAtMs };
}

/** The error of a call. */
export function errorOf(code: ErrorCode, retryAtMs?: number): HoldfastError {
  return new HoldfastError(code, "made for a test", { retryable: true, retryAtMs });
}

/** A gate on a clock that stands until it is moved. Whoever asks is a question that nobody asked before, if not named. */
export function setUpGate(options: Partial<GateOptions> = {}) {
  let nowMs = START_MS;
  let questions = 0;
  const { lines, logger } = createLogRecorder();
  const gate = createGate({ now: () => nowMs, logger, ...options });

  function asker(who: Partial<Asker> = {}): Asker {
    questions += 1;
    return { keyId: "k", tenant: "shop", question: `question-${questions}`, ...who };
  }

  return {
    gate,
    /** What was logged, oldest first. */
    lines,
    now: () => nowMs,
    pass: (ms: number) => (nowMs += ms),
    check: (who?: Partial<Asker>) => gate.check(asker(who)),
    peek: (who?: Partial<Asker>) => gate.peek(asker(who)),
    /** A call ends that was under way, whatever happened since it was let through. */
    report: (error?: HoldfastError, rateLimit?: RateLimit, who?: Partial<Asker>) =>
      gate.report(asker(who), error, rateLimit),
    /** As many calls fail that were under way. */
    failTimes: (times: number, code: ErrorCode = "VERIFICATION_FAILED", who?: Partial<Asker>) => {
      for (let time = 0; time < times; time += 1) gate.report(asker(who), errorOf(code));
    },
    /** A call is let through; it ends when the returned function is called. */
    begin: (who?: Partial<Asker>) => {
      const caller = asker(who);
      expect(gate.check(caller)).toEqual(OPEN);
      return (error?: HoldfastError, rateLimit?: RateLimit) => gate.report(caller, error, rateLimit);
    },
  };
}

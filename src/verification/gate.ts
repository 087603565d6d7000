import { LRUCache } from "lru-cache";
import { isHoldfastError, type ErrorCode, type HoldfastError } from "../errors.ts";
import { clampRetryAtMs } from "./rate-limit.ts";
import type { RateLimit } from "./verifier.ts";

/** What a {@link Gate} says: go ahead, or why not and when asking again is worth it (milliseconds since the epoch). */
export type GateAnswer =
  | { readonly open: true }
  | { readonly open: false; readonly code: ErrorCode; readonly retryAtMs: number };

/** Keeps calls from being made that would fail: one pause or circuit per key, in this process. */
export interface Gate {
  /**
   * Whether a call may be made now. When a blocked key's time has come, exactly one caller is let through as a trial;
   * whoever is let through must {@link Gate.report}.
   */
  check(key: string): GateAnswer;
  /** What `check` would say, without taking the trial: for display and metrics. */
  peek(key: string): GateAnswer;
  /** How a call ended: `undefined` for an answer, else its error; with the rate limit that came beside an answer. */
  report(key: string, error: HoldfastError | undefined, rateLimit?: RateLimit): void;
  /** Start afresh with a key, e.g. after its secret was replaced. Results of a probe under way no longer count. */
  forget(key: string): void;
}

/** Options of {@link createGate}. */
export interface GateOptions {
  /** Clock, in milliseconds since the epoch. */
  readonly now: () => number;
  /** How long a refused key (401, 403) is left alone before it is tried again, in milliseconds. Default 60000. */
  readonly reopenAfterMs?: number | undefined;
  /**
   * A free call that rejects with the service's error while the key is refused. With it, a refused key is tried again
   * by this call and callers stay blocked meanwhile; without it, one real call is the trial.
   */
  readonly probe?: ((key: string) => Promise<unknown>) | undefined;
  /** Most keys remembered at once; the least recently used is forgotten first. Default 10000. */
  readonly maxKeys?: number | undefined;
}

/** Why a key is blocked, and until when. */
interface Block {
  readonly code: ErrorCode;
  readonly untilMs: number;
  /** A pause ends by itself; anything else ends with a trial that succeeds. */
  readonly pause: boolean;
  /** Set while a trial is under way: when another one may start because nobody reported. */
  readonly trialEndsAtMs?: number;
}

interface State {
  readonly block?: Block | undefined;
  /** Failures in a row, up to the number that blocks. */
  readonly failures: number;
  /** How long the next block for failures lasts, in milliseconds. */
  readonly backoffMs: number;
}

/** One real order every three minutes finds out whether credits were bought. */
const CREDITS_RETRY_MS = 180_000;
const FAILURES_TO_BLOCK = 5;
const FIRST_BACKOFF_MS = 5_000;
const MAX_BACKOFF_MS = 60_000;
/** A trial that is never reported (its process gave up on the order) must not block the key for good. */
const TRIAL_MS = 30_000;
/** How soon it is worth asking again while a trial is under way. */
const TRIAL_RECHECK_MS = 1_000;

const FRESH: State = { failures: 0, backoffMs: FIRST_BACKOFF_MS };
const OPEN: GateAnswer = { open: true };

const FAILURE_CODES: ReadonlySet<ErrorCode> = new Set([
  "VERIFICATION_UNREACHABLE",
  "VERIFICATION_FAILED",
  "VERIFICATION_TIMEOUT",
  "VERIFICATION_INTERRUPTED",
  "VERIFICATION_MALFORMED",
]);
const REFUSED_KEY_CODES: ReadonlySet<ErrorCode> = new Set([
  "VERIFICATION_UNAUTHORIZED",
  "VERIFICATION_FORBIDDEN",
]);

/** Block for failures, twice as long each time. */
function blockForFailures(state: State, code: ErrorCode, nowMs: number): State {
  const block = { code, untilMs: nowMs + state.backoffMs, pause: false };
  return { block, failures: 0, backoffMs: Math.min(state.backoffMs * 2, MAX_BACKOFF_MS) };
}

function blockFor(code: ErrorCode, waitMs: number, nowMs: number): State {
  return { ...FRESH, block: { code, untilMs: nowMs + waitMs, pause: false } };
}

function pauseUntil(state: State, untilMs: number): State {
  const block = { code: "VERIFICATION_RATE_LIMITED", untilMs, pause: true } as const;
  return { ...FRESH, backoffMs: state.backoffMs, block };
}

function afterFailure(state: State, code: ErrorCode, nowMs: number, reopenAfterMs: number): State {
  const { block } = state;
  if (block === undefined) {
    const failures = state.failures + 1;
    return failures < FAILURES_TO_BLOCK ? { ...state, failures } : blockForFailures(state, code, nowMs);
  }
  // Calls that were under way when the key was blocked fail together; only a trial's failure counts.
  if (block.trialEndsAtMs === undefined) return state;
  if (FAILURE_CODES.has(block.code)) return blockForFailures(state, code, nowMs);
  return blockFor(
    block.code,
    block.code === "VERIFICATION_NO_CREDITS" ? CREDITS_RETRY_MS : reopenAfterMs,
    nowMs,
  );
}

/** After an answer: whatever blocked the key is over, except for a pause that the service asked for. */
function afterAnswer(state: State, rateLimit: RateLimit | undefined, nowMs: number): State {
  const { remaining, resetAtMs } = rateLimit ?? {};
  if (remaining === 0 && resetAtMs !== undefined && resetAtMs > nowMs) {
    return pauseUntil(FRESH, clampRetryAtMs(resetAtMs, nowMs));
  }
  return state.block?.pause === true ? { ...FRESH, block: state.block } : FRESH;
}

/** After an order was refused for its content: the service is up and the key is good, though credits are unproven. */
function afterRefusal(state: State): State {
  const { block } = state;
  if (block === undefined) return FRESH;
  const proven = block.trialEndsAtMs !== undefined && block.code !== "VERIFICATION_NO_CREDITS";
  return proven ? FRESH : endTrial(state);
}

/** A trial that proved nothing (its caller gave up, say) makes room for the next. */
function endTrial(state: State): State {
  if (state.block?.trialEndsAtMs === undefined) return state;
  const { trialEndsAtMs: _ended, ...block } = state.block;
  return { ...state, block };
}

function afterError(state: State, error: HoldfastError, nowMs: number, reopenAfterMs: number): State {
  const { code } = error;
  if (FAILURE_CODES.has(code)) return afterFailure(state, code, nowMs, reopenAfterMs);
  if (REFUSED_KEY_CODES.has(code)) return blockFor(code, reopenAfterMs, nowMs);
  if (code === "VERIFICATION_NO_CREDITS") return blockFor(code, CREDITS_RETRY_MS, nowMs);
  if (code === "VERIFICATION_RATE_LIMITED") {
    return pauseUntil(state, clampRetryAtMs(error.retryAtMs ?? nowMs, nowMs));
  }
  return code === "VERIFICATION_REFUSED" ? afterRefusal(state) : endTrial(state);
}

function answerFor(block: Block | undefined, nowMs: number): GateAnswer {
  if (block === undefined) return OPEN;
  if (nowMs < block.untilMs) return { open: false, code: block.code, retryAtMs: block.untilMs };
  if (block.trialEndsAtMs === undefined || nowMs >= block.trialEndsAtMs) return OPEN;
  return {
    open: false,
    code: block.code,
    retryAtMs: Math.min(block.trialEndsAtMs, nowMs + TRIAL_RECHECK_MS),
  };
}

/** Create a {@link Gate}. */
export function createGate(options: GateOptions): Gate {
  const { now, reopenAfterMs = 60_000, probe, maxKeys = 10_000 } = options;
  const states = new LRUCache<string, State>({ max: maxKeys });

  function keep(key: string, state: State): void {
    if (state === FRESH) states.delete(key);
    else states.set(key, state);
  }

  function report(key: string, error: HoldfastError | undefined, rateLimit?: RateLimit): void {
    const state = states.get(key) ?? FRESH;
    const nowMs = now();
    keep(
      key,
      error === undefined
        ? afterAnswer(state, rateLimit, nowMs)
        : afterError(state, error, nowMs, reopenAfterMs),
    );
  }

  /** Try a refused key without an order. The result counts only while the trial it began is still the key's state. */
  async function tryKey(
    key: string,
    trial: Block,
    probeKey: (key: string) => Promise<unknown>,
  ): Promise<void> {
    const isCurrent = () => states.peek(key)?.block === trial;
    try {
      await probeKey(key);
      if (isCurrent()) states.delete(key);
    } catch (error) {
      const code = isHoldfastError(error) && REFUSED_KEY_CODES.has(error.code) ? error.code : trial.code;
      if (isCurrent()) states.set(key, blockFor(code, reopenAfterMs, now()));
    }
  }

  function startTrial(key: string, state: State, block: Block, nowMs: number): GateAnswer {
    const trial = { ...block, trialEndsAtMs: nowMs + TRIAL_MS };
    states.set(key, { ...state, block: trial });
    if (probe === undefined || !REFUSED_KEY_CODES.has(block.code)) return OPEN;
    void tryKey(key, trial, probe);
    return answerFor(trial, nowMs);
  }

  return {
    check(key) {
      const state = states.get(key) ?? FRESH;
      const nowMs = now();
      const answer = answerFor(state.block, nowMs);
      if (!answer.open || state.block === undefined) return answer;
      if (!state.block.pause) return startTrial(key, state, state.block, nowMs);
      states.set(key, { ...state, block: undefined });
      return answer;
    },
    peek: (key) => answerFor(states.peek(key)?.block, now()),
    report,
    forget: (key) => void states.delete(key),
  };
}

import type { AlertName } from "../base/alerts.ts";
import { SET_UP_CODES, type ErrorCode } from "../base/errors.ts";
import { clampRetryAtMs, MAX_PAUSE_MS, type RateLimit } from "./rate-limit.ts";

/** Whether a call may be made now, or why not and when asking again is worth it (milliseconds since the epoch). */
export type CallPermission =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly code: ErrorCode; readonly retryAtMs: number };

/** The call that shows whether a block is over. */
interface Trial {
  /** Undefined for a free probe, which has no order. */
  readonly orderState: string | undefined;
  /** When another trial may start if this one isn't reported. */
  readonly endsAtMs: number;
}

/** Why calls are blocked, and until when. */
export interface Block {
  readonly code: ErrorCode;
  readonly untilMs: number;
  /** A pause ends by itself; anything else ends with a trial that succeeds. */
  readonly pause: boolean;
  /** Set while a trial is under way. */
  readonly trial?: Trial;
  /** The service has few calls left: they go out one by one, until it has more. */
  readonly pace?: { readonly everyMs: number; readonly endsAtMs: number };
}

/** The state that results from the calls so far, for an API key or for one of its tenants. Never changed, only replaced. */
export interface Circuit {
  readonly block?: Block | undefined;
  /** Failures in a row, up to the number that blocks. */
  readonly failures: number;
  /** How long the next block for failures lasts, in milliseconds. */
  readonly backoffMs: number;
  /** The problem since the last proof that calls succeed. */
  readonly alert?: VerificationAlert | undefined;
}

export interface Ended {
  readonly orderState: string;
  readonly nowMs: number;
}

/** Failures in a row that block. */
export const FAILURES_TO_BLOCK = 5;
/** One real order every three minutes shows whether credits were bought. */
export const CREDITS_RETRY_MS = 180_000;
/** The longest block that isn't a pause. */
const LONGEST_BLOCK_MS = CREDITS_RETRY_MS;
/** How long to wait before a refused or misconfigured key is tried again. */
const REOPEN_AFTER_MS = 60_000;
const FIRST_BACKOFF_MS = 5_000;
const MAX_BACKOFF_MS = 60_000;
/** A trial that is never reported (its process gave up on the order) must not block for good. */
const TRIAL_MS = 30_000;
/** The part of a rate limit that is left when calls begin to be spread over the time until it is whole again. */
const FEW_LEFT = 0.1;
/** How soon it is worth asking again while a trial is under way. */
export const TRIAL_RECHECK_MS = 1_000;
/** For this long, an order that the service failed on leaves the trial to others. A quiet shop may have no other order. */
const LEFT_TO_OTHERS_MS = 15_000;

/** Failures that an order's content may cause, so one tenant's orders don't count against another's. */
export const CONTENT_CODES: ReadonlySet<ErrorCode> = new Set([
  "VERIFICATION_FAILED",
  "VERIFICATION_TIMEOUT",
  "VERIFICATION_INTERRUPTED",
  "VERIFICATION_MALFORMED",
]);
export const REFUSED_KEY_CODES: ReadonlySet<ErrorCode> = new Set([
  "VERIFICATION_UNAUTHORIZED",
  "VERIFICATION_FORBIDDEN",
]);
/** A person has to act before another call makes sense. Waiting doesn't help. */
export const PERSON_CODES: ReadonlySet<ErrorCode | undefined> = new Set([
  ...SET_UP_CODES,
  "VERIFICATION_NO_CREDITS",
]);
/** The service's answer about a key. */
export const SHARED_CODES: ReadonlySet<ErrorCode> = new Set([
  ...REFUSED_KEY_CODES,
  "VERIFICATION_NO_CREDITS",
  "VERIFICATION_RATE_LIMITED",
]);
const FAILURE_CODES: ReadonlySet<ErrorCode> = new Set([...CONTENT_CODES, "VERIFICATION_UNREACHABLE"]);

/** No problem now, and none before. */
export const SOUND: Circuit = { failures: 0, backoffMs: FIRST_BACKOFF_MS };
export const ALLOWED: CallPermission = { allowed: true };

/** What a caller gets. An order state that the service failed on last time gets a trial later than others. */
export function answerOf({ block }: Circuit, nowMs: number, hasFailed: boolean): CallPermission {
  if (block === undefined) return ALLOWED;
  const { code, pause, trial } = block;
  const untilMs = orOver(block.untilMs, pause ? MAX_PAUSE_MS : LONGEST_BLOCK_MS, nowMs);
  const allowedAtMs = hasFailed && !pause ? untilMs + LEFT_TO_OTHERS_MS : untilMs;
  if (nowMs < allowedAtMs) return { allowed: false, code, retryAtMs: allowedAtMs };
  const trialEndsAtMs = orOver(trial?.endsAtMs ?? 0, TRIAL_MS, nowMs);
  return nowMs >= trialEndsAtMs ? ALLOWED : duringTrial(code, trialEndsAtMs, nowMs);
}

/** When something ends. 0 if that is later than possible, which means that the clock has been set back. */
function orOver(endsAtMs: number, longestMs: number, nowMs: number): number {
  return endsAtMs > nowMs + longestMs ? 0 : endsAtMs;
}

/** What all other callers get while a trial is running or about to start. */
export function duringTrial(code: ErrorCode, endsAtMs: number, nowMs: number): CallPermission {
  return { allowed: false, code, retryAtMs: Math.min(endsAtMs, nowMs + TRIAL_RECHECK_MS) };
}

/** The state after a call was allowed: a pause is over, and a block has its trial. */
export function afterPermission(circuit: Circuit, orderState: string | undefined, nowMs: number): Circuit {
  const { block } = circuit;
  if (block === undefined) return circuit;
  if (block.pause) return { ...circuit, block: toNextTurn(block, nowMs) };
  return { ...circuit, block: { ...block, trial: { orderState, endsAtMs: nowMs + TRIAL_MS } } };
}

/** The turn after the one that a paced call has taken. */
function toNextTurn({ pace, ...block }: Block, nowMs: number): Block | undefined {
  if (pace === undefined || nowMs >= pace.endsAtMs) return undefined;
  return { ...block, pace, untilMs: nowMs + pace.everyMs };
}

/** Spread the calls that are left. */
function paceUntil(resetAtMs: number, remaining: number, nowMs: number): Circuit {
  const endsAtMs = clampRetryAtMs(resetAtMs, nowMs);
  const everyMs = (endsAtMs - nowMs) / (remaining + 1);
  const code = "VERIFICATION_RATE_LIMITED";
  return { ...SOUND, block: { code, untilMs: nowMs + everyMs, pause: true, pace: { everyMs, endsAtMs } } };
}

/** Block until a person acts. The next trial is later if credits have to be bought. */
export function blockFor(code: ErrorCode, nowMs: number): Circuit {
  const untilMs = nowMs + (code === "VERIFICATION_NO_CREDITS" ? CREDITS_RETRY_MS : REOPEN_AFTER_MS);
  return { ...SOUND, block: { code, untilMs, pause: false }, alert: toBlockAlert(code) };
}

export function blockForFailures(circuit: Circuit, code: ErrorCode, nowMs: number): Circuit {
  return {
    block: { code, untilMs: nowMs + circuit.backoffMs, pause: false },
    failures: 0,
    backoffMs: Math.min(circuit.backoffMs * 2, MAX_BACKOFF_MS),
    alert: toBlockAlert(code),
  };
}

export function pauseUntil({ backoffMs, alert }: Circuit, untilMs: number, nowMs: number): Circuit {
  const code = "VERIFICATION_RATE_LIMITED";
  const block = { code, untilMs: clampRetryAtMs(untilMs, nowMs), pause: true } as const;
  return { ...SOUND, backoffMs, alert, block };
}

/** The state after a failure: blocked if too many failed in a row, or if it was the trial. */
export function afterFailure(circuit: Circuit, code: ErrorCode, { orderState, nowMs }: Ended): Circuit {
  const { block } = circuit;
  if (block === undefined) {
    const failures = circuit.failures + 1;
    return failures < FAILURES_TO_BLOCK ? { ...circuit, failures } : blockForFailures(circuit, code, nowMs);
  }
  // Calls that were running when the block began fail together. Only a trial shows the current state.
  if (!isTrial(block, orderState)) return circuit;
  return FAILURE_CODES.has(block.code) ? blockForFailures(circuit, code, nowMs) : blockFor(block.code, nowMs);
}

/** The state after an answer: no problem, although the service may have asked for a pause. */
export function afterAnswer(
  circuit: Circuit,
  { orderState, nowMs }: Ended,
  rateLimit: RateLimit | undefined,
): Circuit {
  const { block } = circuit;
  // An answer to a call from before the block says nothing about the current state. It would end an incident and begin
  // another.
  if (block !== undefined && !block.pause && !isTrial(block, orderState)) return circuit;
  if (block?.pause === true && block.pace === undefined) return { ...SOUND, block };
  return rateLimit === undefined ? SOUND : withinLimit(rateLimit, nowMs);
}

/** Pauses when no call is left, and paces the last few. */
function withinLimit({ remaining, limit = 0, resetAtMs = 0 }: RateLimit, nowMs: number): Circuit {
  if (remaining === undefined || resetAtMs <= nowMs) return SOUND;
  if (remaining === 0) return pauseUntil(SOUND, resetAtMs, nowMs);
  return remaining <= limit * FEW_LEFT ? paceUntil(resetAtMs, remaining, nowMs) : SOUND;
}

/** After an order was refused for its content: the service is up and the key is good, though credits are unproven. */
export function afterRefusal(circuit: Circuit, ended: Ended): Circuit {
  const { block } = circuit;
  if (block === undefined) return SOUND;
  const proven = isTrial(block, ended.orderState) && block.code !== "VERIFICATION_NO_CREDITS";
  return proven ? SOUND : endTrial(circuit, ended);
}

/**
 * If a trial proved nothing (for example, its caller gave up), the next caller gets one. An unused turn is passed on, too.
 */
export function endTrial(circuit: Circuit, { orderState, nowMs }: Ended): Circuit {
  const { block: paced } = circuit;
  if (paced?.pace !== undefined) {
    return { ...circuit, block: { ...paced, untilMs: Math.min(paced.untilMs, nowMs) } };
  }
  if (circuit.block === undefined || !isTrial(circuit.block, orderState)) return circuit;
  const { trial: _ended, ...block } = circuit.block;
  return { ...circuit, block };
}

function isTrial({ trial }: Block, orderState: string): boolean {
  return trial !== undefined && trial.orderState === orderState;
}

/** Name of an API key's circuit, the same in all processes that use the key. */
export function toCircuitName(keyId: string): string {
  return `key:${keyId}`;
}

/**
 * Names in the `alert` field of error lines about the verification service. They stay as they are: monitors match them.
 *
 * All except `requestRefused` are logged once per incident, however many orders it affects. An info line with the name
 * in its `resolved` field says when calls succeed again.
 */
export const VERIFICATION_ALERTS = {
  /** The API key is refused (401, 403). No order is sent until a free call succeeds. */
  keyRefused: "verification_key_refused",
  /** No credits are left (402). We retry one order every 3 minutes. */
  noCredits: "verification_no_credits",
  /**
   * The service can't be reached or keeps failing. With a `tenant`, it fails only on that tenant's orders, and calls of
   * other tenants continue.
   */
  unavailable: "verification_unavailable",
  /** The set-up can't work: organization, address, certificates, dispatcher or runtime. We retry once a minute. */
  misconfigured: "verification_misconfigured",
  /**
   * The service refused one order's request: a defect in Holdfast, logged for each such order with the invalid
   * `fields`.
   */
  requestRefused: "verification_request_refused",
} as const satisfies Readonly<Record<string, AlertName>>;

export type VerificationAlert = Exclude<
  (typeof VERIFICATION_ALERTS)[keyof typeof VERIFICATION_ALERTS],
  typeof VERIFICATION_ALERTS.requestRefused
>;

const BLOCK_ALERTS: Readonly<Partial<Record<ErrorCode, VerificationAlert | undefined>>> = {
  VERIFICATION_UNAUTHORIZED: VERIFICATION_ALERTS.keyRefused,
  VERIFICATION_FORBIDDEN: VERIFICATION_ALERTS.keyRefused,
  VERIFICATION_NO_CREDITS: VERIFICATION_ALERTS.noCredits,
  CONFIG_INVALID: VERIFICATION_ALERTS.misconfigured,
  // The service itself asked for a pause.
  VERIFICATION_RATE_LIMITED: undefined,
};

/** The alert for calls blocked because of `code`; undefined for a pause. */
export function toBlockAlert(code: ErrorCode): VerificationAlert | undefined {
  return code in BLOCK_ALERTS ? BLOCK_ALERTS[code] : VERIFICATION_ALERTS.unavailable;
}

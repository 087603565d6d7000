import type { HoldfastError } from "../../base/errors.ts";
import { PERSON_CODES } from "../../service/circuit-rules.ts";
import type { OrderRecord } from "../../store/store.ts";

/** When a platform refuses the whole call (permissions, allowlist), a person has to act first: retry this often. */
export const REFUSED_RETRY_MS = 10 * 60_000;

const FIRST_MS = 1_000;
const LONGEST_MS = 5 * 60_000;

/**
 * When to retry after `attempts` failures: the pause doubles up to five minutes, and is never shorter than the other side
 * asked for.
 */
export function toRetryAtMs(attempts: number, nowMs: number, hintMs?: number): number {
  const wait = Math.min(FIRST_MS * 2 ** Math.min(attempts, 20), LONGEST_MS);
  return Math.max(nowMs + wait, hintMs ?? 0);
}

/** An undecided order is decided this long after it arrived, with the service's answer or without. */
const DECIDED_WITHIN_MS = 4 * 60_000;
/** Part of that for the decision itself. */
const TO_DECIDE_MS = 5_000;
/** The last try begins at most this long after the arrival, so that a call that hangs can end in time. */
const LAST_TRY_MS = 200_000;
/** A call is waited for at least as long as after the last try, although the order waited for Holdfast itself before. */
const LEAST_WAIT_MS = DECIDED_WITHIN_MS - TO_DECIDE_MS - LAST_TRY_MS;
/** More tries than this aren't worth it. It also limits the wait if the process is restarted again and again. */
const PATIENT_TRIES = 7;
/** An order doesn't wait for a pause that is longer than this. */
const LONGEST_PAUSE_MS = 120_000;

/** An order that waits for a service that is down, paused or failing. */
export interface WaitingOrder extends Pick<OrderRecord, "attempts"> {
  /** Since when it waits for a decision on its content, milliseconds since the epoch. Absent: it has one. */
  readonly undecidedSinceMs?: number | undefined;
}

/**
 * When to ask the service again about an order; null if waiting doesn't help or the order has waited long enough. Other orders
 * may make it wait, because only one at a time tries a service that keeps failing. So the time counts, not only the tries.
 */
export function toPatientRetryAtMs(
  error: HoldfastError,
  { attempts, undecidedSinceMs = Infinity }: WaitingOrder,
  nowMs: number,
): number | null {
  if (!error.retryable || PERSON_CODES.has(error.code) || attempts >= PATIENT_TRIES) return null;
  const lastTryMs = undecidedSinceMs + LAST_TRY_MS;
  const retryAtMs = Math.max(Math.min(toRetryAtMs(attempts, nowMs), lastTryMs), error.retryAtMs ?? 0);
  const isTooLate = nowMs >= lastTryMs || retryAtMs > Math.min(lastTryMs, nowMs + LONGEST_PAUSE_MS);
  return isTooLate ? null : retryAtMs;
}

/** How long to wait for an answer about an order, in milliseconds; undefined without limit. The call goes on after that. */
export function toAnswerWaitMs({ undecidedSinceMs }: WaitingOrder, nowMs: number): number | undefined {
  if (undecidedSinceMs === undefined) return undefined;
  return Math.max(undecidedSinceMs + DECIDED_WITHIN_MS - TO_DECIDE_MS - nowMs, LEAST_WAIT_MS);
}

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

/**
 * How often an order waits for a service that is down, paused or failing, before it is decided without it. The pauses add up to
 * two minutes, and with the circuit's own pauses to about four. Counted in tries, because time in which Holdfast itself was
 * down doesn't count.
 */
const PATIENT_TRIES = 7;
/** An order doesn't wait for a pause that is longer than this. */
const PATIENCE_MS = 120_000;

/** When to ask the service again about an undecided order; null if waiting doesn't help or the order has waited long enough. */
export function toPatientRetryAtMs(
  error: HoldfastError,
  order: Pick<OrderRecord, "attempts">,
  nowMs: number,
): number | null {
  if (!error.retryable || PERSON_CODES.has(error.code)) return null;
  const retryAtMs = toRetryAtMs(order.attempts, nowMs, error.retryAtMs);
  return order.attempts >= PATIENT_TRIES || retryAtMs > nowMs + PATIENCE_MS ? null : retryAtMs;
}

import { HoldfastError } from "./errors.ts";

/** Longest delay that a timer of Node takes, in milliseconds (24.8 days); a longer one would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/**
 * Refuse a deadline that no timer could keep.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` unless it is absent or a positive number of milliseconds, at most 2^31 - 1.
 */
export function assertDeadline(deadlineMs: number | undefined): void {
  if (deadlineMs === undefined) return;
  if (Number.isFinite(deadlineMs) && deadlineMs > 0 && deadlineMs <= MAX_TIMER_MS) return;
  throw new HoldfastError(
    "CONFIG_INVALID",
    `"deadlineMs" must be a positive number of milliseconds, at most ${MAX_TIMER_MS}, got ${deadlineMs}`,
    { retryable: false },
  );
}

import { HoldfastError } from "../errors.ts";

/**
 * Refuse a deadline that no timer could keep.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` unless it is absent or a positive number of milliseconds.
 */
export function assertDeadline(deadlineMs: number | undefined): void {
  if (deadlineMs === undefined || (Number.isFinite(deadlineMs) && deadlineMs > 0)) return;
  throw new HoldfastError(
    "CONFIG_INVALID",
    `"deadlineMs" must be a positive number of milliseconds, got ${deadlineMs}`,
    { retryable: false },
  );
}

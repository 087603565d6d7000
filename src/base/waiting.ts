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

/**
 * Wait for work that goes on without its caller: resolves to `undefined` when `deadlineMs` passes first, and
 * rejects when the caller's signal fires. The work itself is never ended by either.
 */
export async function withinDeadline<T>(
  work: Promise<T>,
  deadlineMs: number | undefined,
  signal?: AbortSignal,
): Promise<T | undefined> {
  if (deadlineMs === undefined && signal === undefined) return work;
  signal?.throwIfAborted();
  const { promise: stop, resolve, reject } = Promise.withResolvers<undefined>();
  const onAbort = () => reject(signal?.reason);
  const timer =
    deadlineMs === undefined
      ? undefined
      : setTimeout(() => resolve(undefined), Math.min(deadlineMs, MAX_TIMER_MS));
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, stop]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Wait for `ms` milliseconds. Rejects with the signal's reason when that fires first. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await withinDeadline(new Promise<never>(() => {}), ms, signal);
}

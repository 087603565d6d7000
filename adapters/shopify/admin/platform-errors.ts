import { HoldfastError } from "../../../src/index.ts";

/** The shop's access is missing or no longer accepted; the same call can succeed once the app was opened again. */
export function unauthorized(message: string): HoldfastError {
  return new HoldfastError("PLATFORM_UNAUTHORIZED", message, { retryable: true });
}

/** The platform understood and said no; repeating changes nothing. */
export function refused(message: string): HoldfastError {
  return new HoldfastError("PLATFORM_REFUSED", message, { retryable: false });
}

/** Too much was asked of one shop at once. */
export function throttled(message: string, retryAtMs: number): HoldfastError {
  return new HoldfastError("PLATFORM_THROTTLED", message, {
    retryable: true,
    retryAtMs: Math.ceil(retryAtMs),
  });
}

/** No usable answer: connection, time, a fault of the platform's. What was asked for may have happened. */
export function unavailable(message: string, retryAtMs?: number): HoldfastError {
  return new HoldfastError("PLATFORM_UNAVAILABLE", message, { retryable: true, retryAtMs });
}

import { HoldfastError } from "../../../src/index.ts";

/** The shop's access is missing or no longer accepted. The same call can succeed once somebody opens the app again. */
export function unauthorized(message: string): HoldfastError {
  return new HoldfastError("PLATFORM_UNAUTHORIZED", message, { retryable: true });
}

/** The platform refused the request. Repeating it doesn't help until somebody acts. */
export function refused(message: string): HoldfastError {
  return new HoldfastError("PLATFORM_REFUSED", message, { retryable: false });
}

/** The platform can't accept this request, whoever acts. */
export function invalidCall(message: string): HoldfastError {
  return new HoldfastError("PLATFORM_CALL_INVALID", message, { retryable: false });
}

export function throttled(message: string, retryAtMs: number): HoldfastError {
  return new HoldfastError("PLATFORM_THROTTLED", message, {
    retryable: true,
    retryAtMs: Math.ceil(retryAtMs),
  });
}

/** No usable response: connection, timeout, or a failure at the platform. The request may have been carried out. */
export function unavailable(message: string, retryAtMs?: number): HoldfastError {
  return new HoldfastError("PLATFORM_UNAVAILABLE", message, { retryable: true, retryAtMs });
}

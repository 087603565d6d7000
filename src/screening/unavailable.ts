import { HoldfastError, isHoldfastError } from "../base/errors.ts";
import type { Unavailable } from "./question.ts";

/** What to tell a caller whose question ended in `error`. */
export function toUnavailable(error: unknown, creditsSpent: number, fingerprint: string): Unavailable {
  return {
    outcome: "unavailable",
    error: toVerificationError(error),
    creditsSpent,
    fingerprint,
    late: undefined,
  };
}

/** Our own error as it is; anything else that a verifier or a store threw as `VERIFICATION_FAILED`. */
export function toVerificationError(cause: unknown): HoldfastError {
  if (isHoldfastError(cause)) return cause;
  return new HoldfastError("VERIFICATION_FAILED", "the verifier failed", {
    retryable: true,
    metered: "unknown",
    cause,
  });
}

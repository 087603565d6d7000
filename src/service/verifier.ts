import type { VerificationRequest } from "../order/request.ts";
import type { VerificationResult } from "../order/result.ts";
import type { RateLimit } from "./rate-limit.ts";

/** One answer with what came with it. */
export interface VerificationAnswer {
  readonly result: VerificationResult;
  readonly rateLimit?: RateLimit | undefined;
}

/** Options of one {@link Verifier.verify} call. */
export interface VerifyOptions {
  /** Ends the attempt early. The attempt may still have been billed. */
  readonly signal?: AbortSignal | undefined;
}

/** The part of the service's client that a check needs. */
export interface Verifier {
  /**
   * Judge one order, in one attempt.
   *
   * @throws {HoldfastError} `VERIFICATION_*`, with `retryable` and `metered` set.
   */
  verify(request: VerificationRequest, options?: VerifyOptions): Promise<VerificationAnswer>;
}

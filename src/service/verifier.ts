import type { VerificationRequest } from "../order/request.ts";
import type { VerificationResult } from "../order/result.ts";

/** The service's rate-limit headers as values. */
export interface RateLimit {
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  /** Milliseconds since the epoch, whatever unit the service used. */
  readonly resetAtMs: number | undefined;
}

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

/** What can judge an order: the hosted service's client, or the local engine. */
export interface Verifier {
  /** `service` answers may cancel an order; `local` ones never do. */
  readonly source: "service" | "local";
  /**
   * Judge one order, in one attempt.
   *
   * @throws {HoldfastError} `VERIFICATION_*`, with `retryable` and `metered` set.
   */
  verify(request: VerificationRequest, options?: VerifyOptions): Promise<VerificationAnswer>;
}

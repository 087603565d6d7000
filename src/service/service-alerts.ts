import type { ErrorCode } from "../base/errors.ts";

/**
 * Names in the `alert` field of error lines about the verification service. They stay as they are: monitors match them.
 *
 * All but `requestRefused` are told once per incident, however many orders meet it, and an info line with the name in
 * its `resolved` field tells when calls go through again.
 */
export const VERIFICATION_ALERTS = {
  /** The API key is refused (401, 403). No order is sent until a free call succeeds. */
  keyRefused: "verification_key_refused",
  /** No credits are left (402). We retry one order every 3 minutes. */
  noCredits: "verification_no_credits",
  /**
   * The service cannot be reached or fails again and again. With a `tenant` it fails on that tenant's orders alone,
   * and the calls of the others go on.
   */
  unavailable: "verification_unavailable",
  /** The key has no organization, or several and none is configured. We retry once a minute. */
  misconfigured: "verification_misconfigured",
  /** The service refused one order's request: a defect of ours, told for each such order with the `fields` at fault. */
  requestRefused: "verification_request_refused",
} as const;

/** One of {@link VERIFICATION_ALERTS}. */
export type VerificationAlert = (typeof VERIFICATION_ALERTS)[keyof typeof VERIFICATION_ALERTS];

/** The alert of calls being held back for `code`; undefined for a pause, which is the service's own pace. */
export function toHeldBackAlert(code: ErrorCode): VerificationAlert | undefined {
  switch (code) {
    case "VERIFICATION_UNAUTHORIZED":
    case "VERIFICATION_FORBIDDEN":
      return VERIFICATION_ALERTS.keyRefused;
    case "VERIFICATION_NO_CREDITS":
      return VERIFICATION_ALERTS.noCredits;
    case "CONFIG_INVALID":
      return VERIFICATION_ALERTS.misconfigured;
    case "VERIFICATION_RATE_LIMITED":
      return undefined;
    default:
      return VERIFICATION_ALERTS.unavailable;
  }
}

/**
 * Why an order isn't sent to the service.
 *
 * - `TEST_ORDER`: a platform's test order, which the policy keeps from the service.
 * - `ZERO_AMOUNT`, `CANCELLED`, and `IMPORTED` (shipped long before it appeared in the shop): nothing is left to decide.
 * - `NO_EMAIL`, `NO_NAME`, `NO_ADDRESS`, `NO_AMOUNT`: the service requires it.
 * - `PERSONAL_DATA_NOT_GRANTED`: the platform withholds the customer's data from the app.
 * - `SKIPPED_BY_RULE`: a rule or `skipChannels` of the policy.
 */
export const SKIP_REASONS = [
  "TEST_ORDER",
  "ZERO_AMOUNT",
  "CANCELLED",
  "IMPORTED",
  "NO_EMAIL",
  "NO_NAME",
  "NO_ADDRESS",
  "NO_AMOUNT",
  "PERSONAL_DATA_NOT_GRANTED",
  "SKIPPED_BY_RULE",
] as const;
/** One of {@link SKIP_REASONS}. */
export type SkipReason = (typeof SKIP_REASONS)[number];

export function isSkipReason(text: string | undefined): text is SkipReason {
  return SKIP_REASONS.some((known) => known === text);
}

const NOTHING_LEFT = ["ZERO_AMOUNT", "CANCELLED", "IMPORTED"] as const;

/** Whether nothing is left to decide about an order, whatever the policy says. */
export function isNothingLeft(reason: SkipReason | null): reason is (typeof NOTHING_LEFT)[number] {
  return NOTHING_LEFT.some((known) => known === reason);
}

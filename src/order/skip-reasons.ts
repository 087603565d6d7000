/** Why an order is not sent to the service. */
export const SKIP_REASONS = [
  "TEST_ORDER",
  "ZERO_AMOUNT",
  "CANCELLED",
  "NO_EMAIL",
  "NO_NAME",
  "NO_ADDRESS",
  "NO_AMOUNT",
  "PERSONAL_DATA_NOT_GRANTED",
  "SKIPPED_BY_RULE",
] as const;
/** Why an order is not sent to the service. */
export type SkipReason = (typeof SKIP_REASONS)[number];

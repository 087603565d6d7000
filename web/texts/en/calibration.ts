/** How orders turned out. */
export const TEXTS = {
  all: "All",
  basis:
    "Based on {known, number} of {count, plural, one {# decided order} other {# decided orders}} in the last {days, number} days: {refunded, plural, =0 {the outcome of the others isn''t known yet} other {the others are refunded or not known yet}}. Fraud: charged back as fraud, declined as fraud, or canceled as fraud on the platform. Good: approved by a person, or let through {undisputedDays, number} days ago and not disputed. Refunded: paid back in full. This counts as neither fraud nor good and changes no weight. In watch-only mode, what would have been held or canceled counts as caught or stopped.",
  caught:
    "Of {count, plural, one {# order} other {# orders}} known to be fraud, Holdfast caught {caught, number}.",
  few: "Only {count, plural, one {# order} other {# orders}} turned out to be fraud so far, so the shares can still change a lot.",
  "fraud-caught": "Fraud caught",
  "fraud-caught-and-good-orders-stopped": "Fraud caught and good orders stopped",
  "good-orders-stopped": "Good orders stopped",
  level: "Level",
  "no-order-is-known-to-be": "No order is known to be good yet.",
  "no-order-turned-out-to-be": "No order turned out to be fraud.",
  "no-outcomes-are-known-yet": "No outcomes are known yet.",
  "no-payment-dispute-has-arrived-if":
    "No payment dispute has arrived. If your shop doesn't share its disputes, fraud that passed isn't counted, and charged-back orders count as good.",
  "no-risk-level": "No risk level",
  "orders-whose-outcome-is-known-by": "Orders whose outcome is known, by risk level",
  refunded: "Refunded",
  stopped:
    "Of {count, plural, one {# order} other {# orders}} known to be good, Holdfast stopped {stopped, number}.",
  "too-few": "Too few to tell",
  "too-few-good":
    "That is too few to tell how often good orders are stopped: it takes {needed, number}. Most of those that a person checked were on hold; orders that passed count only after {days, number} days without a dispute.",
} as const;

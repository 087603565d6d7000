/** A shop's own weights. */
export const TEXTS = {
  "a-weight-isnt-valid-use-the": "A weight isn't valid. Use the suggested or the standard weights.",
  "back-to-the-standard-weights": "Back to the standard weights",
  basis:
    "Based on {frauds, plural, one {# fraudulent order} other {# fraudulent orders}} and {goods, plural, one {# good order} other {# good orders}} that the local engine judged in the last {days, number} days.",
  "in-this-policy-the-standard-weights": "In this policy: the standard weights.",
  "local-engine-your-own-weights": "Local engine: your own weights",
  "not-seen": "Not seen",
  now: "Now",
  own: "In this policy: your own weights for {count, plural, one {# signal} other {# signals}}.",
  "points-of-signals-in-this-policy": "Points of signals, in this policy and suggested",
  seen: "On {fraud, number} of {frauds, number} fraudulent and {good, number} of {goods, number} good orders",
  signal: "Signal",
  standard: "standard {points}",
  suggested: "Suggested",
  "suggestion-from-your-orders": "Suggestion from your orders",
  "the-local-engine-gives-each-signal":
    "The local engine gives each signal points: above zero for fraud, below zero against it. They are the same in every shop. When enough of your orders have a known outcome, it suggests points that fit your shop, and changes each by at most half. They apply from when you save them, and only to orders that the local engine decides.",
  "the-policy-already-has-these-weights": "The policy already has these weights.",
  "too-few":
    "Not enough outcomes are known yet. A suggestion needs {neededFrauds, number} fraudulent and {neededGoods, number} good orders that the local engine judged in the last {days, number} days. So far there are {frauds, number} and {goods, number}.",
  "use-the-suggested-weights": "Use the suggested weights",
  "you-already-use-the-standard-weights": "You already use the standard weights.",
  "your-orders-agree-with-the-standard": "Your orders agree with the standard weights.",
} as const;

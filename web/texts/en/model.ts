/** The shop's own model for the local engine. */
export const TEXTS = {
  amount: "Larger than {percent} % of your orders, up to the next step",
  "beside-first": "This model can't be saved yet. Save the draft as a phantom, and turn it on after 7 days.",
  caption: "What the model adds to the standard points",
  compared:
    "On {fraud, number} fraudulent and {good, number} good orders that came later, the model ranks a fraud above a good order {model, number} % of the time, the standard points {base, number} %. In 95 of 100 samples, the difference is {low} to {high}.",
  feature: "Signal",
  hour: "Ordered in the three hours from {from}:00",
  lead: "The model learns from your orders what indicates fraud in your shop. It moves an order by one risk level at most and cancels none. It counts only for orders that the local engine decides.",
  none: "No model in this policy.",
  "not-offered": "It doesn't beat the standard points with certainty yet, so it isn't offered.",
  off: "Turn the model off",
  own: "In this policy: a model that changes {count, plural, one {# signal} other {# signals}}.",
  points: "Points",
  suggestion: "Model from your orders",
  title: "Local engine: a model of your own",
  "too-few":
    "Not enough outcomes are known yet. A model needs {neededFrauds, number} fraudulent and {neededGoods, number} good orders that the local engine judged in the last {days, number} days. So far there are {frauds, number} and {goods, number}.",
  use: "Use this model",
} as const;

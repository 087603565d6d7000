import type { RuleConditions } from "../../src/policy/policy.ts";

/** Name of a condition of a rule. */
export type ConditionName = keyof RuleConditions;

/** What a condition is made of: how its control looks. */
export type ConditionKind = "levels" | "flag" | "amount" | "list";

/** A condition as the form offers it. */
export interface Condition {
  readonly label: string;
  readonly kind: ConditionKind;
  readonly hint: string;
  /** What the two answers of a flag are called: true, then false. */
  readonly answers?: readonly [yes: string, no: string];
}

const COUNTRY_HINT = "Two-letter codes, such as SG.";

/** Every condition that the policy knows, in the order in which the form offers them. */
export const CONDITIONS: Readonly<Record<ConditionName, Condition>> = {
  level: { label: "Risk level", kind: "levels", hint: "Any of these." },
  minAmount: { label: "Amount, at least", kind: "amount", hint: "In the currency of the order." },
  maxAmount: { label: "Amount, at most", kind: "amount", hint: "In the currency of the order." },
  currency: { label: "Currency", kind: "list", hint: "Codes of three letters, such as USD." },
  shippingCountry: {
    label: "Shipped to country",
    kind: "list",
    hint: COUNTRY_HINT,
  },
  billingCountry: {
    label: "Billed in country",
    kind: "list",
    hint: COUNTRY_HINT,
  },
  country: { label: "Billed or shipped to country", kind: "list", hint: COUNTRY_HINT },
  firstTimeCustomer: {
    label: "Customer",
    kind: "flag",
    hint: "Whether the customer ordered before.",
    answers: ["First order", "Ordered before"],
  },
  email: { label: "E-mail address", kind: "list", hint: "Whole addresses." },
  emailDomain: { label: "E-mail domain", kind: "list", hint: "What follows the @; subdomains on their own." },
  phone: { label: "Phone number", kind: "list", hint: "Compared by its digits." },
  address: { label: "Part of an address", kind: "list", hint: "Part of the street, billing or shipping." },
  sku: { label: "SKU", kind: "list", hint: "Of any line of the order." },
  product: { label: "Product name contains", kind: "list", hint: "Part of the name of any line." },
  paymentBrand: { label: "Payment brand", kind: "list", hint: "Such as visa." },
  degraded: {
    label: "How it was judged",
    kind: "flag",
    hint: "Whether the service answered.",
    answers: ["Without the service", "By the service"],
  },
};

/** The names of {@link CONDITIONS}, in their order. */
export const CONDITION_NAMES = Object.keys(CONDITIONS) as readonly ConditionName[];

/** What a condition starts with when somebody adds it. */
export function toFirstValue(name: ConditionName): unknown {
  switch (CONDITIONS[name].kind) {
    case "levels":
      return ["high"];
    case "flag":
      return true;
    case "amount":
      return 100;
    default:
      return [];
  }
}

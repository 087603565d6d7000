import type { RuleConditions } from "../../src/policy/policy.ts";

/** Name of a condition of a rule. */
export type ConditionName = keyof RuleConditions;

/** The type of a condition's value, which chooses its control. */
export type ConditionKind = "levels" | "flag" | "amount" | "list";

/** A condition as the form offers it. */
export interface Condition {
  readonly label: string;
  readonly kind: ConditionKind;
  readonly hint: string;
  /** What the two answers of a flag are called: true, then false. */
  readonly answers?: readonly [yes: string, no: string];
}

const COUNTRY_HINT = "Two-letter codes, for example SG.";

/** Every condition that the policy knows, in the order in which the form offers them. */
export const CONDITIONS: Readonly<Record<ConditionName, Condition>> = {
  level: { label: "Risk level", kind: "levels", hint: "Matches any of these." },
  minAmount: { label: "Minimum amount", kind: "amount", hint: "In the order's currency." },
  maxAmount: { label: "Maximum amount", kind: "amount", hint: "In the order's currency." },
  currency: { label: "Currency", kind: "list", hint: "Three-letter codes, for example USD." },
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
    hint: "Whether the customer has ordered before.",
    answers: ["First order", "Ordered before"],
  },
  email: { label: "Email address", kind: "list", hint: "Full addresses." },
  emailDomain: { label: "Email domain", kind: "list", hint: "The part after @. List subdomains separately." },
  phone: { label: "Phone number", kind: "list", hint: "Only digits are compared." },
  address: { label: "Address contains", kind: "list", hint: "Part of the billing or shipping street." },
  sku: { label: "SKU", kind: "list", hint: "Any line item." },
  product: { label: "Product name contains", kind: "list", hint: "Part of any line item's name." },
  paymentBrand: { label: "Payment brand", kind: "list", hint: "For example, visa." },
  degraded: {
    label: "Checked by",
    kind: "flag",
    hint: "Whether the service checked the order.",
    answers: ["Without the service", "By the service"],
  },
};

/** The names of {@link CONDITIONS}, in their order. */
export const CONDITION_NAMES = Object.keys(CONDITIONS) as readonly ConditionName[];

/** The initial value of a new condition. */
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

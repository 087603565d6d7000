import type { RuleConditions } from "../../src/policy/policy.ts";
import { toShopCurrency } from "./format.ts";
import { LEVEL_WORDS, PROTECTION_WORDS } from "./words.ts";

/** Name of a condition of a rule. */
export type ConditionName = keyof RuleConditions;

/** The type of a condition's value, which chooses its control. */
export type ConditionKind = "choices" | "flag" | "amount" | "list";

/** A condition as the form offers it. */
export interface Condition {
  readonly label: string;
  readonly kind: ConditionKind;
  readonly hint: string;
  /** What the two answers of a flag are called: true, then false. */
  readonly answers?: readonly [yes: string, no: string];
  /** The values to choose from, with their words. */
  readonly choices?: Readonly<Record<string, string>>;
}

const COUNTRY_HINT = "Two-letter codes, for example SG.";

const AMOUNT_HINT =
  "In the currency of the condition below. Without one, the number counts in every currency.";

/** Every condition that the policy knows, in the order in which the form offers them. */
export const CONDITIONS: Readonly<Record<ConditionName, Condition>> = {
  level: { label: "Risk level", kind: "choices", hint: "Matches any of these.", choices: LEVEL_WORDS },
  minAmount: { label: "Minimum amount", kind: "amount", hint: AMOUNT_HINT },
  maxAmount: { label: "Maximum amount", kind: "amount", hint: AMOUNT_HINT },
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
  productCategory: {
    label: "Product category",
    kind: "list",
    hint: "From your catalog, any line item. Shoes also matches Shoes > Boots.",
  },
  brand: { label: "Brand", kind: "list", hint: "From your catalog, any line item." },
  manufacturer: { label: "Manufacturer", kind: "list", hint: "From your catalog, any line item." },
  paymentBrand: { label: "Payment brand", kind: "list", hint: "For example, visa." },
  channel: {
    label: "Channel",
    kind: "list",
    hint: "web, pos, draft, subscription, or the platform's own name of the source.",
  },
  gateway: { label: "Payment gateway", kind: "list", hint: "Any gateway of the order, for example paypal." },
  orderTag: { label: "Order tag", kind: "list", hint: "Any tag of the order." },
  customerTag: { label: "Customer tag", kind: "list", hint: "Any tag of the customer." },
  shippingMethod: { label: "Shipping method", kind: "list", hint: "The full name that the customer sees." },
  quantity: { label: "Minimum quantity", kind: "amount", hint: "Units of all items together." },
  giftCard: {
    label: "Gift cards",
    kind: "flag",
    hint: "Whether a gift card is bought.",
    answers: ["With a gift card", "Without gift cards"],
  },
  discount: {
    label: "Discount",
    kind: "flag",
    hint: "Whether a discount was used.",
    answers: ["With a discount", "Without a discount"],
  },
  companyOrder: {
    label: "Buyer",
    kind: "flag",
    hint: "Whether a company buys (B2B).",
    answers: ["Company", "Person"],
  },
  avs: { label: "AVS code", kind: "list", hint: "Result of the card's address check, for example N." },
  cvv: { label: "CVV code", kind: "list", hint: "Result of the card's security code, for example N." },
  platformRisk: {
    label: "Platform's own risk advice",
    kind: "choices",
    hint: "Matches any of these.",
    choices: { accept: "Accept", investigate: "Investigate", cancel: "Cancel" },
  },
  protect: {
    label: "Chargeback protection",
    kind: "choices",
    hint: "Shopify Protect. Matches any of these.",
    choices: PROTECTION_WORDS,
  },
  degraded: {
    label: "Checked by",
    kind: "flag",
    hint: "Whether the service checked the order.",
    answers: ["Without the service", "By the service"],
  },
};

/** The names of {@link CONDITIONS}, in their order. */
export const CONDITION_NAMES = Object.keys(CONDITIONS) as readonly ConditionName[];

/** What comes with a new condition: an amount without a currency would count in every one. */
export function toCompanions(name: ConditionName, when: RuleConditions): RuleConditions {
  const currency = toShopCurrency();
  const isAmount = name === "minAmount" || name === "maxAmount";
  return isAmount && currency !== null && when.currency === undefined ? { currency: [currency] } : {};
}

const FIRST_CHOICES: Readonly<Partial<Record<ConditionName, readonly string[]>>> = {
  level: ["high"],
  platformRisk: ["investigate", "cancel"],
  protect: ["active"],
};

/** The initial value of a new condition. */
export function toFirstValue(name: ConditionName): unknown {
  switch (CONDITIONS[name].kind) {
    case "choices":
      return FIRST_CHOICES[name] ?? [];
    case "flag":
      return true;
    case "amount":
      return name === "quantity" ? 10 : 100;
    default:
      return [];
  }
}

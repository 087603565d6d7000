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

const list = (label: string, hint: string): Condition => ({ label, kind: "list", hint });
const amount = (label: string, hint: string): Condition => ({ label, kind: "amount", hint });
const flag = (label: string, hint: string, yes: string, no: string): Condition => {
  return { label, kind: "flag", hint, answers: [yes, no] };
};
const choices = (label: string, words: Readonly<Record<string, string>>, hint = ""): Condition => {
  return { label, kind: "choices", hint: `${hint}Matches any of these.`, choices: words };
};

/** The platform's own advice, for people. */
export const RISK_WORDS = { accept: "Accept", investigate: "Investigate", cancel: "Cancel" } as const;

/** Every condition that the policy knows, in the order in which the form offers them. */
export const CONDITIONS: Readonly<Record<ConditionName, Condition>> = {
  level: choices("Risk level", LEVEL_WORDS),
  minAmount: amount("Minimum amount", AMOUNT_HINT),
  maxAmount: amount("Maximum amount", AMOUNT_HINT),
  currency: list("Currency", "Three-letter codes, for example USD."),
  shippingCountry: list("Shipped to country", COUNTRY_HINT),
  billingCountry: list("Billed in country", COUNTRY_HINT),
  country: list("Billed or shipped to country", COUNTRY_HINT),
  firstTimeCustomer: flag(
    "Customer",
    "Whether the customer has ordered before.",
    "First order",
    "Ordered before",
  ),
  email: list("Email address", "Full addresses."),
  emailDomain: list("Email domain", "The part after @. List subdomains separately."),
  phone: list("Phone number", "Only digits are compared."),
  address: list("Address contains", "Part of the billing or shipping street."),
  sku: list("SKU", "Any line item."),
  product: list("Product name contains", "Part of any line item's name."),
  productCategory: list(
    "Product category",
    "From your catalog, any line item. Shoes also matches Shoes > Boots.",
  ),
  brand: list("Brand", "From your catalog, any line item."),
  manufacturer: list("Manufacturer", "From your catalog, any line item."),
  paymentBrand: list("Payment brand", "For example, visa."),
  channel: list("Channel", "web, pos, draft, subscription, or the platform's own name of the source."),
  gateway: list("Payment gateway", "Any gateway of the order, for example paypal."),
  orderTag: list("Order tag", "Any tag of the order."),
  customerTag: list("Customer tag", "Any tag of the customer."),
  shippingMethod: list("Shipping method", "The full name that the customer sees."),
  quantity: amount("Minimum quantity", "Units of all items together."),
  giftCard: flag("Gift cards", "Whether a gift card is bought.", "With a gift card", "Without gift cards"),
  discount: flag("Discount", "Whether a discount was used.", "With a discount", "Without a discount"),
  companyOrder: flag("Buyer", "Whether a company buys (B2B).", "Company", "Person"),
  avs: list("AVS code", "Result of the card's address check, for example N."),
  cvv: list("CVV code", "Result of the card's security code, for example N."),
  platformRisk: choices("Platform's own risk advice", RISK_WORDS),
  protect: choices("Chargeback protection", PROTECTION_WORDS, "Shopify Protect. "),
  degraded: flag(
    "Checked by",
    "Whether the service checked the order.",
    "Without the service",
    "By the service",
  ),
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

import type { PolicyRule, RuleConditions } from "../../../src/policy/policy.ts";
import { nameCountry, toShopCurrency } from "../base/format.ts";
import type { Field } from "./policy-fields.ts";
import { ACTION_WORDS, LEVEL_WORDS, PROTECTION_WORDS } from "../api/words.ts";

export type ConditionName = keyof RuleConditions;

interface Condition extends Field {
  /** Its value when it's added. */
  readonly first: unknown;
  /** What it says about orders, in the middle of a sentence. Default: nothing, because the words before it say it. */
  readonly say?: (value: never) => string;
}

const COUNTRY_HINT = "Two-letter codes, for example SG.";
const AMOUNT_HINT =
  "In the currency of the condition below. Without one, the number counts in every currency.";

const list = (label: string, hint: string, before: string, toWord = quote): Condition => {
  return { label, kind: "list", hint, first: [], say: (entries) => sayList(before, entries, toWord) };
};
const number = (label: string, hint: string, first: number, say?: (units: number) => string): Condition => {
  return { label, kind: "number", hint, first, ...(say && { say }) };
};
const answer = (label: string, before: string, ...[yes, no]: [yes: string, no: string]): Condition => ({
  label,
  kind: "answer",
  options: Object.entries({ true: yes, false: no }),
  first: true,
  say: (value: boolean) => before + (value ? yes : no).toLowerCase(),
});
type Words = Readonly<Record<string, string>>;
const choices = (label: string, words: Words, before: string, ...first: string[]): Condition => {
  const say = (values: readonly string[]) => sayList(before, values, String);
  return { label, kind: "choices", options: Object.entries(words), first, say };
};

export const RISK_WORDS = { accept: "Accept", investigate: "Investigate", cancel: "Cancel" } as const;

/** Every condition of the policy, in the order in which the form offers them and sentences name them. */
export const CONDITIONS: Readonly<Record<ConditionName, Condition>> = {
  level: { label: "Risk level", kind: "choices", options: Object.entries(LEVEL_WORDS), first: ["high"] },
  minAmount: number("Minimum amount", AMOUNT_HINT, 100),
  maxAmount: number("Maximum amount", AMOUNT_HINT, 100),
  currency: { label: "Currency", kind: "list", hint: "Three-letter codes, for example USD.", first: [] },
  degraded: answer("Check", "checked ", "Without the service", "By the service"),
  firstTimeCustomer: answer("Customer", "from ", "First-time customers", "Returning customers"),
  email: list("Email address", "Full addresses.", "from", String),
  emailDomain: list(
    "Email domain",
    "The part after @. List subdomains separately.",
    "with an email address at",
    String,
  ),
  phone: list("Phone number", "Only digits are compared.", "with the phone number", String),
  billingCountry: list("Billed in country", COUNTRY_HINT, "billed in", nameCountry),
  shippingCountry: list("Shipped to country", COUNTRY_HINT, "shipped to", nameCountry),
  country: list("Billed or shipped to country", COUNTRY_HINT, "billed or shipped to", nameCountry),
  address: list("Address contains", "Part of the billing or shipping street.", "with an address containing"),
  sku: list("SKU", "Any line item.", "with the SKU", String),
  product: list("Product name contains", "Part of any line item's name.", "with a product name containing"),
  productCategory: list(
    "Product category",
    "From your catalog, any line item. Shoes also matches Shoes > Boots.",
    "with a product in",
  ),
  brand: list("Brand", "From your catalog, any line item.", "with a product of the brand"),
  manufacturer: list("Manufacturer", "From your catalog, any line item.", "with a product made by"),
  paymentBrand: list("Payment brand", "For example, visa.", "paid with", String),
  channel: list(
    "Channel",
    "web, pos, draft, subscription, or the platform's own name of the source.",
    "from the channel",
    String,
  ),
  gateway: list("Payment gateway", "Any gateway of the order, for example paypal.", "paid through", String),
  orderTag: list("Order tag", "Any tag of the order.", "tagged"),
  customerTag: list("Customer tag", "Any tag of the customer.", "from customers tagged"),
  shippingMethod: list("Shipping method", "The full name that the customer sees.", "shipped by"),
  quantity: number("Minimum quantity", "Units of all items together.", 10, sayUnits),
  giftCard: answer("Gift cards", "", "With a gift card", "Without gift cards"),
  discount: answer("Discount", "", "With a discount", "Without a discount"),
  companyOrder: answer("Buyer", "from ", "Companies", "People, not companies"),
  avs: list("AVS code", "Result of the card's address check, for example N.", "with the AVS code", String),
  cvv: list("CVV code", "Result of the card's security code, for example N.", "with the CVV code", String),
  platformRisk: choices(
    "Platform's own risk advice",
    RISK_WORDS,
    "where the platform advises to",
    "investigate",
    "cancel",
  ),
  protect: choices("Chargeback protection", PROTECTION_WORDS, "where Shopify Protect is", "active"),
};

export const CONDITION_NAMES = Object.keys(CONDITIONS) as readonly ConditionName[];

/** Conditions added together with a new one. An amount without a currency would apply to every currency. */
export function toCompanions(name: ConditionName, when: RuleConditions): RuleConditions {
  const currency = toShopCurrency();
  const isAmount = name === "minAmount" || name === "maxAmount";
  return isAmount && currency !== null && when.currency === undefined ? { currency: [currency] } : {};
}

/** A rule in plain language: `Hold orders of 500 USD or more from first-time customers shipped to Norway.` */
export function toRuleSentence({ when, then }: Pick<PolicyRule, "when" | "then">): string {
  const said = CONDITION_NAMES.map((name) =>
    when[name] === undefined ? "" : CONDITIONS[name].say?.(when[name] as never),
  );
  const orders = [toSubject(when), sayAmount(when), ...said].filter(Boolean).join(" ");
  if (then.skip === true) return `Don't check ${orders}. Allow them.`;
  return `${ACTION_WORDS[then.action]} ${orders}${sayTags(then.action, then.tags ?? [])}.`;
}

function toSubject({ level = [] }: RuleConditions): string {
  return level.length === 0 ? "orders" : `${LISTS.or.format(level)}-risk orders`;
}

function sayAmount({ minAmount, maxAmount, currency = [] }: RuleConditions): string {
  const units = currency.map((code) => code.toUpperCase());
  const unit = units.length === 1 ? ` ${units.join()}` : "";
  const others = units.length > 1 ? ` in ${joinSome(units)}` : "";
  const range = toRange(minAmount, maxAmount, unit);
  if (range === "") return unit === "" ? others.trim() : `in${unit}`;
  return `${range}${units.length === 0 ? " in any currency" : others}`;
}

function sayUnits(units: number): string {
  return `of ${toNumber(units)} units or more`;
}

function toRange(min: number | undefined, max: number | undefined, unit: string): string {
  if (min !== undefined && max !== undefined) {
    return `between ${toNumber(min)} and ${toNumber(max)}${unit}`;
  }
  if (min !== undefined) return `of ${toNumber(min)}${unit} or more`;
  return max === undefined ? "" : `of ${toNumber(max)}${unit} or less`;
}

const numbers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 3 });

/** A missing number is shown as an ellipsis. */
function toNumber(amount: number | null): string {
  return amount === null || Number.isNaN(amount) ? "…" : numbers.format(amount);
}

function sayList(before: string, entries: readonly string[], toWord: (entry: string) => string): string {
  return `${before} ${entries.length === 0 ? "…" : joinSome(entries.map((entry) => toWord(entry)))}`;
}

function sayTags(action: string, tags: readonly string[]): string {
  if (tags.length === 0) return "";
  const words = tags.map((tag) => quote(tag));
  return `${action === "tag" ? " with" : ", and tag them"} ${LISTS.and.format(words)}`;
}

function quote(text: string): string {
  return `“${text}”`;
}

const NAMED_AT_MOST = 3;

function joinSome(words: readonly string[]): string {
  if (words.length <= NAMED_AT_MOST + 1) return LISTS.or.format(words);
  return LISTS.or.format([...words.slice(0, NAMED_AT_MOST), `${words.length - NAMED_AT_MOST} others`]);
}

const LISTS = {
  /** `a`, `a and b`, `a, b, and c`. */
  and: new Intl.ListFormat("en-US", { type: "conjunction" }),
  /** `a`, `a or b`, `a, b, or c`. */
  or: new Intl.ListFormat("en-US", { type: "disjunction" }),
} as const;

import type { PolicyRule, RuleConditions } from "../../src/policy/policy.ts";
import { nameCountry } from "./format.ts";
import { ACTION_WORDS } from "./words.ts";

/** The most entries of a list that a sentence names. */
const NAMED_AT_MOST = 3;

/** A rule in plain language: `Hold orders of 500 USD or more from first-time customers shipped to Norway.` */
export function toRuleSentence(rule: Pick<PolicyRule, "when" | "then">): string {
  const { when, then } = rule;
  const conditions = toConditionWords(when);
  if (then.skip === true) return `Don't check ${conditions}. Allow them.`;
  return `${ACTION_WORDS[then.action]} ${conditions}${toTagWords(then.action, then.tags ?? [])}.`;
}

/** Which orders a rule is about: `high-risk orders of 500 USD or more`. */
function toConditionWords(when: RuleConditions): string {
  return [
    toSubject(when),
    toFlagWords(when.degraded, "checked without the service", "checked by the service"),
    toAmountWords(when),
    toFlagWords(when.firstTimeCustomer, "from first-time customers", "from returning customers"),
    toListWords("from", when.email),
    toListWords("with an email address at", when.emailDomain),
    toListWords("with the phone number", when.phone),
    toListWords("billed in", when.billingCountry, nameCountry),
    toListWords("shipped to", when.shippingCountry, nameCountry),
    toListWords("billed or shipped to", when.country, nameCountry),
    toListWords("with an address containing", when.address, quote),
    toListWords("with the SKU", when.sku),
    toListWords("with a product name containing", when.product, quote),
    toListWords("with a product in", when.productCategory, quote),
    toListWords("with a product of the brand", when.brand, quote),
    toListWords("with a product made by", when.manufacturer, quote),
    toListWords("paid with", when.paymentBrand),
    ...toContextWords(when),
  ]
    .filter((part) => part !== false && part !== "")
    .join(" ");
}

/** How the order was placed, paid and shipped. */
function toContextWords(when: RuleConditions): readonly (string | false)[] {
  return [
    toListWords("from the channel", when.channel),
    toListWords("paid through", when.gateway),
    toListWords("tagged", when.orderTag, quote),
    toListWords("from customers tagged", when.customerTag, quote),
    toListWords("shipped by", when.shippingMethod, quote),
    when.quantity !== undefined && `of ${toNumber(when.quantity)} units or more`,
    toFlagWords(when.giftCard, "with a gift card", "without gift cards"),
    toFlagWords(when.discount, "with a discount", "without a discount"),
    toFlagWords(when.companyOrder, "from companies", "from people, not companies"),
    toListWords("with the AVS code", when.avs),
    toListWords("with the CVV code", when.cvv),
    toListWords("where the platform advises to", when.platformRisk),
    toListWords("where Shopify Protect is", when.protect),
  ];
}

function toSubject({ level }: RuleConditions): string {
  if (level === undefined || level.length === 0) return "orders";
  return `${joinWords(level, "or")}-risk orders`;
}

function toAmountWords({ minAmount, maxAmount, currency = [] }: RuleConditions): string {
  const [only] = currency;
  const isOne = currency.length === 1;
  const unit = isOne && only !== undefined ? ` ${only.toUpperCase()}` : "";
  const others = currency.length > 1 ? ` in ${joinSome(currency.map((code) => code.toUpperCase()))}` : "";
  const range = toRange(minAmount, maxAmount, unit);
  if (range === "") return isOne ? `in${unit}` : others.trim();
  return `${range}${currency.length === 0 ? " in any currency" : others}`;
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

function toFlagWords(value: boolean | undefined, yes: string, no: string): string {
  return value === undefined ? "" : value ? yes : no;
}

function toListWords(
  before: string,
  entries: readonly string[] | undefined,
  toWord: (entry: string) => string = String,
): string {
  if (entries === undefined) return "";
  return `${before} ${entries.length === 0 ? "…" : joinSome(entries.map((entry) => toWord(entry)))}`;
}

function toTagWords(action: string, tags: readonly string[]): string {
  if (tags.length === 0) return "";
  return `${action === "tag" ? " with" : ", and tag them"} ${joinWords(
    tags.map((tag) => quote(tag)),
    "and",
  )}`;
}

function quote(text: string): string {
  return `“${text}”`;
}

function joinSome(words: readonly string[]): string {
  if (words.length <= NAMED_AT_MOST + 1) return joinWords(words, "or");
  const more = words.length - NAMED_AT_MOST;
  return `${words.slice(0, NAMED_AT_MOST).join(", ")}, or ${more} others`;
}

/** `a`, `a or b`, `a, b, or c`. */
function joinWords(words: readonly string[], conjunction: "and" | "or"): string {
  if (words.length < 3) return words.join(` ${conjunction} `);
  return `${words.slice(0, -1).join(", ")}, ${conjunction} ${words.at(-1) ?? ""}`;
}

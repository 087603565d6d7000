import type { ConditionName } from "../../../src/policy/conditions/conditions.ts";
import type { RuleConditions } from "../../../src/policy/policy.ts";
import { nameCountry, toMiddle, toShopCurrency } from "../base/format.ts";
import { t } from "../base/texts.ts";
import type { Field } from "./policy-fields.ts";
import { sayList, sayRange, toNumber, type Range, type Say } from "./rule-words.ts";
import { LEVEL_WORDS, PROTECTION_WORDS, quote } from "../api/words.ts";

export type { ConditionName };

interface Condition extends Field {
  /** Its value when it's added. */
  readonly first: unknown;
  /** What it says about orders, in the middle of a sentence. Default: nothing, because the words before it say it. */
  readonly say?: (value: never) => string;
}

/** A condition that is met by one of some texts. `toWord`: how a text is said. Default: in quotation marks. */
const list = (label: string, hint: string, say: Say, toWord = quote): Condition => {
  return { label, kind: "list", hint, first: [], say: (entries) => sayList(say, entries, toWord) };
};
const number = (label: string, hint: string, first: number, say?: (units: number) => string): Condition => {
  return { label, kind: "number", hint, first, ...(say && { say }) };
};
/** At least as many of something as the policy counts. */
const count = (label: string, say: (count: string) => string): Condition =>
  number(label, t("conditions.count-hint"), 3, (least) => say(toNumber(least)));
/** One of several countries, which the form shows by name. */
const countries = (label: string, say: Say): Condition => {
  return { ...list(label, t("conditions.country-hint"), say, nameCountry), kind: "countries" };
};
const range = (label: string, hint: string, first: Range, say: (given: Range) => string): Condition => {
  return { label, kind: "range", hint, first, say };
};

interface Answer {
  readonly label: string;
  readonly said: string;
}
const answer = (label: string, yes: Answer, no: Answer): Condition => ({
  label,
  kind: "answer",
  options: Object.entries({ true: yes.label, false: no.label }),
  first: true,
  say: (value: boolean) => (value ? yes : no).said,
});
type Words = Readonly<Record<string, string>>;
const choices = (label: string, words: Words, say: Say, ...first: string[]): Condition => {
  return {
    label,
    kind: "choices",
    options: Object.entries(words),
    first,
    say: (values: readonly string[]) => sayList(say, values, (value) => toMiddle(words[value] ?? value)),
  };
};

export const RISK_WORDS = {
  accept: t("conditions.accept"),
  investigate: t("conditions.investigate"),
  cancel: t("conditions.cancel"),
} as const;

/** Every condition of the policy, in the order in which the form offers them and sentences name them. */
export const CONDITIONS: Readonly<Record<ConditionName, Condition>> = {
  level: {
    label: t("conditions.level"),
    kind: "choices",
    options: Object.entries(LEVEL_WORDS),
    first: ["high"],
  },
  minAmount: number(t("conditions.min-amount"), t("conditions.amount-hint"), 100),
  maxAmount: number(t("conditions.max-amount"), t("conditions.amount-hint"), 100),
  minScore: number(t("conditions.min-score"), t("conditions.score-hint"), 80),
  maxScore: number(t("conditions.max-score"), t("conditions.score-hint"), 20),
  currency: { label: t("conditions.currency"), kind: "list", hint: t("conditions.currency-hint"), first: [] },
  degraded: answer(
    t("conditions.check"),
    { label: t("conditions.without-service"), said: t("conditions.without-service-said") },
    { label: t("conditions.by-service"), said: t("conditions.by-service-said") },
  ),
  factor: list(
    t("conditions.factor"),
    t("conditions.factor-hint"),
    (values) => t("conditions.factor-said", { values }),
    String,
  ),
  firstTimeCustomer: answer(
    t("conditions.customer"),
    { label: t("conditions.first-time"), said: t("conditions.first-time-said") },
    { label: t("conditions.returning"), said: t("conditions.returning-said") },
  ),
  accountAgeDays: range(t("conditions.account-age"), t("conditions.account-age-hint"), { max: 7 }, (given) =>
    t("conditions.account-age-said", { range: sayDays(given) }),
  ),
  totalOrders: range(
    t("conditions.earlier-orders"),
    t("conditions.earlier-orders-hint"),
    { min: 1 },
    (given) =>
      sayRange(given, {
        from: (min) => t("conditions.earlier-at-least", { min }),
        to: (max) => t("conditions.earlier-at-most", { max }),
        both: (min, max) => t("conditions.earlier-from-to", { min, max }),
      }),
  ),
  timesAverage: number(t("conditions.times-average"), t("conditions.times-average-hint"), 3, (times) =>
    t("conditions.at-least-times", { times: toNumber(times) }),
  ),
  email: list(
    t("conditions.email"),
    t("conditions.email-hint"),
    (values) => t("conditions.email-said", { values }),
    String,
  ),
  emailDomain: list(
    t("conditions.email-domain"),
    t("conditions.email-domain-hint"),
    (values) => t("conditions.email-domain-said", { values }),
    String,
  ),
  phone: list(
    t("conditions.phone"),
    t("conditions.phone-hint"),
    (values) => t("conditions.phone-said", { values }),
    String,
  ),
  billingCountry: countries(t("conditions.billing-country"), (values) =>
    t("conditions.billing-country-said", { values }),
  ),
  shippingCountry: countries(t("conditions.shipping-country"), (values) =>
    t("conditions.shipping-country-said", { values }),
  ),
  country: countries(t("conditions.country"), (values) => t("conditions.country-said", { values })),
  shippingCountryDiffers: answer(
    t("conditions.shipping-differs"),
    { label: t("conditions.different-country"), said: t("conditions.shipping-differs-said") },
    { label: t("conditions.same-country"), said: t("conditions.shipping-same-said") },
  ),
  ipCountryDiffers: answer(
    t("conditions.ip-country"),
    { label: t("conditions.different-country"), said: t("conditions.ip-differs-said") },
    { label: t("conditions.same-country"), said: t("conditions.ip-same-said") },
  ),
  address: list(t("conditions.address"), t("conditions.address-hint"), (values) =>
    t("conditions.address-said", { values }),
  ),
  sku: list(
    t("conditions.sku"),
    t("conditions.sku-hint"),
    (values) => t("conditions.sku-said", { values }),
    String,
  ),
  product: list(t("conditions.product"), t("conditions.product-hint"), (values) =>
    t("conditions.product-said", { values }),
  ),
  productCategory: list(t("conditions.product-category"), t("conditions.product-category-hint"), (values) =>
    t("conditions.product-category-said", { values }),
  ),
  brand: list(t("conditions.brand"), t("conditions.catalog-hint"), (values) =>
    t("conditions.brand-said", { values }),
  ),
  manufacturer: list(t("conditions.manufacturer"), t("conditions.catalog-hint"), (values) =>
    t("conditions.manufacturer-said", { values }),
  ),
  paymentBrand: list(
    t("conditions.payment-brand"),
    t("conditions.payment-brand-hint"),
    (values) => t("conditions.payment-brand-said", { values }),
    String,
  ),
  channel: list(
    t("conditions.channel"),
    t("conditions.channel-hint"),
    (values) => t("conditions.channel-said", { values }),
    String,
  ),
  gateway: list(
    t("conditions.gateway"),
    t("conditions.gateway-hint"),
    (values) => t("conditions.gateway-said", { values }),
    String,
  ),
  orderTag: list(t("conditions.order-tag"), t("conditions.order-tag-hint"), (values) =>
    t("conditions.order-tag-said", { values }),
  ),
  customerTag: list(t("conditions.customer-tag"), t("conditions.customer-tag-hint"), (values) =>
    t("conditions.customer-tag-said", { values }),
  ),
  shippingMethod: list(t("conditions.shipping-method"), t("conditions.shipping-method-hint"), (values) =>
    t("conditions.shipping-method-said", { values }),
  ),
  quantity: number(t("conditions.quantity"), t("conditions.quantity-hint"), 10, (units) =>
    t("conditions.quantity-said", { units: toNumber(units) }),
  ),
  giftCard: answer(
    t("conditions.gift-cards"),
    { label: t("conditions.gift-card"), said: t("conditions.gift-card-said") },
    { label: t("conditions.no-gift-card"), said: t("conditions.no-gift-card-said") },
  ),
  discount: answer(
    t("conditions.discount"),
    { label: t("conditions.with-discount"), said: t("conditions.with-discount-said") },
    { label: t("conditions.no-discount"), said: t("conditions.no-discount-said") },
  ),
  companyOrder: answer(
    t("conditions.buyer"),
    { label: t("conditions.companies"), said: t("conditions.companies-said") },
    { label: t("conditions.people"), said: t("conditions.people-said") },
  ),
  avs: list(
    t("conditions.avs"),
    t("conditions.avs-hint"),
    (values) => t("conditions.avs-said", { values }),
    String,
  ),
  cvv: list(
    t("conditions.cvv"),
    t("conditions.cvv-hint"),
    (values) => t("conditions.cvv-said", { values }),
    String,
  ),
  platformRisk: choices(
    t("conditions.platform-risk"),
    RISK_WORDS,
    (values) => t("conditions.platform-risk-said", { values }),
    "investigate",
    "cancel",
  ),
  protect: choices(
    t("conditions.protect"),
    PROTECTION_WORDS,
    (values) => t("conditions.protect-said", { values }),
    "active",
  ),
  emailOrders1h: count(t("conditions.email-orders"), (n) => t("conditions.email-orders-said", { count: n })),
  emailCards24h: count(t("conditions.email-cards"), (n) => t("conditions.email-cards-said", { count: n })),
  emailAddresses7d: count(t("conditions.email-addresses"), (n) =>
    t("conditions.email-addresses-said", { count: n }),
  ),
  emailNames7d: count(t("conditions.email-names"), (n) => t("conditions.email-names-said", { count: n })),
  ipEmails24h: count(t("conditions.ip-emails"), (n) => t("conditions.ip-emails-said", { count: n })),
  cardEmails7d: count(t("conditions.card-emails"), (n) => t("conditions.card-emails-said", { count: n })),
  cardAddresses7d: count(t("conditions.card-addresses"), (n) =>
    t("conditions.card-addresses-said", { count: n }),
  ),
  addressEmails7d: count(t("conditions.address-emails"), (n) =>
    t("conditions.address-emails-said", { count: n }),
  ),
};

export const CONDITION_NAMES = Object.keys(CONDITIONS) as readonly ConditionName[];

/** Conditions added together with a new one. An amount without a currency would apply to every currency. */
export function toCompanions(name: ConditionName, when: RuleConditions): RuleConditions {
  const currency = toShopCurrency();
  const isAmount = name === "minAmount" || name === "maxAmount";
  return isAmount && currency !== null && when.currency === undefined ? { currency: [currency] } : {};
}

function sayDays(given: Range): string {
  return sayRange(given, {
    from: (min) => t("conditions.days-at-least", { min }),
    to: (max) => t("conditions.days-at-most", { max }),
    both: (min, max) => t("conditions.days-from-to", { min, max }),
  });
}

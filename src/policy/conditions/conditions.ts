import { expected } from "../../base/field-codes.ts";
import { RULE_COUNTS, type RuleCount } from "../../engine/facts/velocity-counts.ts";
import { foldEmail } from "../../order/email-address.ts";
import { PLATFORM_RISKS, PROTECTIONS } from "../../order/order-context.ts";
import { RISK_LEVELS } from "../../order/risk-level.ts";
import { foldAddress, toDigits } from "../../order/text.ts";
import type { CheckOutcome } from "../check-facts.ts";
import { foldCategory, type OrderFacts } from "../order-facts.ts";
import { flag, wholeNumber } from "../schema-fields.ts";
import {
  among,
  atLeast,
  atMost,
  condition,
  contained,
  count,
  countries,
  currencies,
  listed,
  same,
  textsThat,
  times,
  within,
  type IsMet,
} from "./kinds.ts";

/** Conditions on the order. */
const OF_ORDER = {
  /** At least this much, in major units of the order's currency. */
  minAmount: atLeast(({ amount }) => amount),
  /** At most this much, in major units of the order's currency. */
  maxAmount: atMost(({ amount }) => amount),
  currency: listed(({ currency }) => currency, undefined, currencies),
  /** Billing or shipping country: an ISO code or an English name. */
  country: countries(({ shippingCountry, billingCountry }) => [shippingCountry, billingCountry]),
  shippingCountry: countries(({ shippingCountry }) => [shippingCountry]),
  billingCountry: countries(({ billingCountry }) => [billingCountry]),
  /** It ships to another country than it's billed in. */
  shippingCountryDiffers: same((facts) => facts.shippingCountryDiffers),
  /** The IP address belongs to another country than the order is billed in. */
  ipCountryDiffers: same((facts) => facts.ipCountryDiffers),
  firstTimeCustomer: same(({ firstTimeCustomer }) => firstTimeCustomer),
  /** Whole days since the customer's account was opened. */
  accountAgeDays: within((facts) => facts.accountAgeDays),
  /** The customer's earlier orders. */
  totalOrders: within((facts) => facts.totalOrders),
  /** At least this many times the average of the customer's earlier orders. */
  timesAverage: atLeast((facts) => facts.timesAverage, times),
  email: listed(({ email }) => email, foldEmail),
  /** The part after the @, exactly: list subdomains separately. */
  emailDomain: listed(({ emailDomain }) => emailDomain, foldDomain),
  /** Compared by digits. */
  phone: listed(
    ({ phone }) => phone,
    toDigits,
    textsThat((entry) => toDigits(entry) !== "", expected("phone-digits")),
  ),
  /** Part of the street of either address; case, punctuation and white space do not count. */
  address: contained(
    ({ streets }) => streets,
    foldAddress,
    textsThat((entry) => foldAddress(entry) !== "", expected("letters-or-digits")),
  ),
  sku: listed(({ skus }) => skus),
  /** Part of the name of any line. */
  product: contained(({ products }) => products),
  paymentBrand: listed(({ paymentBrand }) => paymentBrand),
};

/** Conditions on the context of an order. */
const OF_CONTEXT = {
  /** `web`, `pos`, `draft`, `subscription`, `agent`, or the platform's own name of the source. */
  channel: listed(({ context }) => context.channel),
  /** Name of any payment gateway of the order. */
  gateway: listed(({ context }) => context.gateways),
  orderTag: listed(({ context }) => context.orderTags),
  customerTag: listed(({ context }) => context.customerTags),
  /** A gift card is among the goods. */
  giftCard: same(({ context }) => context.giftCard),
  /** The whole name of a shipping method. */
  shippingMethod: listed(({ context }) => context.shippingMethods),
  /** At least this many units in all. */
  quantity: atLeast(({ context }) => context.quantity, count(1)),
  /** Result codes of the address verification system. */
  avs: listed(({ context }) => context.avs),
  /** Result codes of the card's security code. */
  cvv: listed(({ context }) => context.cvv),
  /** What the platform itself advises. */
  platformRisk: among(PLATFORM_RISKS, ({ context }) => context.platformRisk),
  /** How the platform's chargeback protection covers the order. */
  protect: among(PROTECTIONS, ({ context }) => context.protect),
  /** A company buys (B2B). */
  companyOrder: same(({ context }) => context.companyOrder),
  /** Any discount was used. */
  discount: same(({ context }) => context.discount),
  /** Category of any product, by the shop's catalog: `Shoes` also stands for `Shoes > Boots`. */
  productCategory: listed(
    ({ context }) => context.productCategories,
    foldCategory,
    textsThat((entry) => foldCategory(entry) !== "", expected("category")),
  ),
  /** Brand of any product, by the shop's catalog. */
  brand: listed(({ context }) => context.brands),
  /** Manufacturer of any product, by the shop's catalog. */
  manufacturer: listed(({ context }) => context.manufacturers),
};

/** Conditions on what the check finds. They can't be evaluated before it. */
const OF_OUTCOME = {
  /** Any of these levels. */
  level: among(RISK_LEVELS, (_facts, { level }) => level),
  minScore: atLeast((_facts, { score }) => score, wholeNumber(0, 100)),
  maxScore: atMost((_facts, { score }) => score, wholeNumber(0, 100)),
  /** Decided without the service. */
  degraded: condition(flag(), (given, _facts, { degraded }) => given === degraded),
  /** Code or category of any risk factor. */
  factor: listed((_facts, { seen }) => seen?.factors),
  ...(Object.fromEntries(
    RULE_COUNTS.map((name) => [name, atLeast((_facts, { seen }) => seen?.counts[name], count(1))]),
  ) as Record<RuleCount, ReturnType<typeof atLeast>>),
};

const CONDITIONS = { ...OF_OUTCOME, ...OF_ORDER, ...OF_CONTEXT };
export type ConditionName = keyof typeof CONDITIONS;
export const CONDITION_NAMES = Object.keys(CONDITIONS) as readonly ConditionName[];
export const OUTCOME_CONDITIONS = Object.keys(OF_OUTCOME) as readonly ConditionName[];
/** Conditions on what is stored of the check for them: {@link CheckFacts}. */
export const SEEN_CONDITIONS: readonly ConditionName[] = ["factor", ...RULE_COUNTS];

type Schemas = { readonly [Name in ConditionName]: (typeof CONDITIONS)[Name]["schema"] };
export const CONDITION_SCHEMAS = Object.fromEntries(
  CONDITION_NAMES.map((name) => [name, CONDITIONS[name].schema]),
) as Schemas;

/** Whether an order meets one condition; undefined if what it asks about isn't known. */
export function isConditionMet(
  name: ConditionName,
  given: unknown,
  facts: OrderFacts,
  outcome: CheckOutcome,
): IsMet {
  return CONDITIONS[name].isMet(given as never, facts, outcome);
}

function foldDomain(domain: string): string {
  return foldEmail(domain).replace(/^@/, "");
}

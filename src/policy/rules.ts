import type { Reason } from "../order/reasons.ts";
import { foldAddress, foldText, toDigits } from "../order/text.ts";
import { foldEmail } from "../order/email-address.ts";
import { toCountryCode } from "../engine/place.ts";
import type { KeptSignals } from "../engine/own-weights.ts";
import type { OrderContext } from "../order/order-context.ts";
import type { PartialVerificationRequest } from "../order/request.ts";
import type { RiskLevel } from "../order/risk-level.ts";
import { foldCategory, toProductFacts } from "./product-facts.ts";
import type { Policy, RuleConditions } from "./policy.ts";
import type { Action } from "../order/decision.ts";

/**
 * What rules can use about an order, folded for comparing. Values that the order lacks are undefined and match no
 * condition. Personal data: never logged or stored.
 */
export type OrderFacts = Readonly<ReturnType<typeof toOrderFacts>> & {
  /**
   * The customer was opted out of automated decisions when the order was decided. Stored, also after their tags are
   * erased.
   */
  readonly optedOut?: true | undefined;
};

/** The part of an order's context that rules can use. Undefined values weren't known when the order was decided. */
type ContextFacts = Readonly<Partial<ReturnType<typeof toContextFacts>>>;

/** What rules can use about an order without personal data. Stored with the order, so that a policy can be replayed. */
export type StoredFacts = Omit<OrderFacts, "email" | "emailDomain" | "phone" | "streets" | "context"> & {
  /** Absent in orders that an earlier release decided. */
  readonly context?: Omit<ContextFacts, "orderTags" | "customerTags"> | undefined;
  /**
   * What the local engine saw, for replays with other weights. Absent if it didn't judge the order, or if an earlier
   * release did.
   */
  readonly signals?: KeptSignals | undefined;
};

/** The facts without personal data. */
export function toStoredFacts(facts: OrderFacts): StoredFacts {
  const { email: _email, emailDomain: _domain, phone: _phone, streets: _streets, context, ...stored } = facts;
  if (context === undefined) return stored;
  const { orderTags: _orderTags, customerTags: _customerTags, ...named } = context;
  return { ...stored, context: named };
}

/** Whether the order's customer has a tag that opts them out of automated cancels. */
export function isOptedOut(
  { optOutTags }: Pick<Policy, "optOutTags">,
  { context, optedOut }: Pick<OrderFacts, "context" | "optedOut">,
): boolean {
  return optOutTags.length > 0 && (optedOut === true || isAnyListed(optOutTags, context?.customerTags));
}

/** What rules can ask about the check of an order. */
export interface CheckOutcome {
  /** Null if nobody judged the order. */
  readonly level: RiskLevel | null;
  /** Decided without the service although an answer of it was wanted. */
  readonly degraded: boolean;
}

/** The rule that decides an order. */
export interface RuleMatch {
  readonly name: string;
  readonly action: Action;
  readonly tags: readonly string[];
}

/** Read the facts that rules can use. */
export function toOrderFacts(order: PartialVerificationRequest, context?: OrderContext) {
  const { shippingAddress, billingAddress, items = [] } = order;
  const email = fold(order.customerEmail, foldEmail);
  /** Undefined if it wasn't recorded, as for orders of earlier releases. */
  const known: ContextFacts | undefined = context && toContextFacts(context);
  return {
    /** Major units of `currency`. */
    amount: order.orderAmount,
    currency: fold(order.currency, foldText),
    shippingCountry: fold(shippingAddress?.country, foldText),
    billingCountry: fold(billingAddress?.country, foldText),
    firstTimeCustomer: order.isFirstTimeCustomer,
    email,
    emailDomain: email?.includes("@") === true ? email.slice(email.lastIndexOf("@") + 1) : undefined,
    /** Digits alone. */
    phone: fold(order.customerPhone, toDigits),
    streets: foldAll([shippingAddress?.street, billingAddress?.street], foldAddress),
    skus: foldAll(items.map(({ sku }) => sku)),
    products: foldAll(items.map(({ name }) => name)),
    paymentBrand: fold(order.paymentInfo?.brand, foldText),
    context: known,
  };
}

function toContextFacts(context: OrderContext) {
  const { giftCard, quantity, platformRisk, protect, companyOrder, discount, products } = context;
  const foldKnown = (texts: readonly string[] | undefined) => texts && foldAll(texts);
  return {
    channel: fold(context.channel, foldText),
    gateways: foldKnown(context.gateways),
    orderTags: foldKnown(context.orderTags),
    customerTags: foldKnown(context.customerTags),
    giftCard,
    shippingMethods: foldKnown(context.shippingMethods),
    quantity,
    avs: fold(context.avs, foldText),
    cvv: fold(context.cvv, foldText),
    platformRisk,
    protect,
    companyOrder,
    discount,
    ...(products && toProductFacts(products)),
  };
}

/** Why the order isn't checked, `channel:pos` or `rule:NAME`; null when it is. Channels come before the rules. */
export function findSkip(policy: Policy, facts: OrderFacts): Reason | null {
  const channel = findSkipChannel(policy, facts);
  if (channel !== null) return `channel:${channel}`;
  const rule = findSkipRule(policy, facts);
  return rule === null ? null : `rule:${rule}`;
}

/** The entry of `skipChannels` that the order's channel is, as the merchant wrote it. */
export function findSkipChannel(
  { skipChannels }: Pick<Policy, "skipChannels">,
  { context }: Pick<OrderFacts, "context">,
): string | null {
  return skipChannels.find((channel) => foldText(channel) === context?.channel) ?? null;
}

/**
 * The name of the rule that skips the check, or null. Rules are checked in order: the first match among rules that need
 * no answer wins, so a skip below it doesn't count. Rules on `level` or `degraded` can't be evaluated before the check,
 * so they don't prevent a skip.
 */
export function findSkipRule(policy: Policy, facts: OrderFacts): string | null {
  const first = policy.rules.find(({ when }) => !needsOutcome(when) && holds(when, facts, NO_OUTCOME));
  return first?.then.skip === true ? first.name : null;
}

/** The first rule with an action that matches, or null. Rules that skip were applied before the check. */
export function matchRule(policy: Policy, facts: OrderFacts, outcome: CheckOutcome): RuleMatch | null {
  for (const { name, when, then } of policy.rules) {
    if (then.skip === undefined && holds(when, facts, outcome)) {
      return { name, action: then.action, tags: then.tags ?? [] };
    }
  }
  return null;
}

const NO_OUTCOME: CheckOutcome = { level: null, degraded: false };

/** Whether a rule uses the result of the check, so it can't be evaluated before. */
export function needsOutcome(when: RuleConditions): boolean {
  return when.level !== undefined || when.degraded !== undefined;
}

/** The name of a condition that rules can have. */
export type ConditionName = keyof RuleConditions;
type Condition = (when: RuleConditions, facts: OrderFacts, outcome: CheckOutcome) => boolean;

/** Conditions on the order and on the outcome of its check. */
const OF_ORDER = {
  level: (when, _facts, { level }) =>
    when.level === undefined || (level !== null && when.level.includes(level)),
  degraded: (when, _facts, { degraded }) => when.degraded === undefined || when.degraded === degraded,
  minAmount: ({ minAmount }, { amount }) =>
    minAmount === undefined || (amount !== undefined && amount >= minAmount),
  maxAmount: ({ maxAmount }, { amount }) =>
    maxAmount === undefined || (amount !== undefined && amount <= maxAmount),
  currency: (when, facts) => isListed(when.currency, facts.currency, foldText),
  country: (when, facts) =>
    isCountry(when.country, facts.shippingCountry) || isCountry(when.country, facts.billingCountry),
  shippingCountry: (when, facts) => isCountry(when.shippingCountry, facts.shippingCountry),
  billingCountry: (when, facts) => isCountry(when.billingCountry, facts.billingCountry),
  firstTimeCustomer: (when, facts) =>
    when.firstTimeCustomer === undefined || when.firstTimeCustomer === facts.firstTimeCustomer,
  email: (when, facts) => isListed(when.email, facts.email, foldEmail),
  emailDomain: (when, facts) => isListed(when.emailDomain, facts.emailDomain, foldDomain),
  phone: (when, facts) => isListed(when.phone, facts.phone, toDigits),
  address: (when, facts) => isContained(when.address, facts.streets, foldAddress),
  sku: (when, { skus }) => isAnyListed(when.sku, skus),
  product: (when, facts) => isContained(when.product, facts.products, foldText),
  paymentBrand: (when, facts) => isListed(when.paymentBrand, facts.paymentBrand, foldText),
} satisfies Readonly<Partial<Record<ConditionName, Condition>>>;

/** Conditions on the context of an order, which earlier releases didn't record. */
const OF_CONTEXT = {
  productCategory: (when, { context }) =>
    isAnyListed(when.productCategory, context?.productCategories, foldCategory),
  brand: (when, { context }) => isAnyListed(when.brand, context?.brands),
  manufacturer: (when, { context }) => isAnyListed(when.manufacturer, context?.manufacturers),
  channel: (when, { context }) => isListed(when.channel, context?.channel, foldText),
  gateway: (when, { context }) => isAnyListed(when.gateway, context?.gateways),
  orderTag: (when, { context }) => isAnyListed(when.orderTag, context?.orderTags),
  customerTag: (when, { context }) => isAnyListed(when.customerTag, context?.customerTags),
  giftCard: (when, { context }) => when.giftCard === undefined || when.giftCard === context?.giftCard,
  shippingMethod: (when, { context }) => isAnyListed(when.shippingMethod, context?.shippingMethods),
  quantity: ({ quantity }, { context }) =>
    quantity === undefined || (context?.quantity !== undefined && context.quantity >= quantity),
  avs: (when, { context }) => isListed(when.avs, context?.avs, foldText),
  cvv: (when, { context }) => isListed(when.cvv, context?.cvv, foldText),
  platformRisk: (when, { context }) => isListed(when.platformRisk, context?.platformRisk, foldText),
  protect: (when, { context }) => isListed(when.protect, context?.protect, foldText),
  companyOrder: (when, { context }) =>
    when.companyOrder === undefined || when.companyOrder === context?.companyOrder,
  discount: (when, { context }) => when.discount === undefined || when.discount === context?.discount,
} satisfies Readonly<Partial<Record<ConditionName, Condition>>>;

/**
 * The test of each condition; a condition that isn't given is met. A record, so that a new condition can't be
 * forgotten.
 */
const CONDITIONS: Readonly<Record<ConditionName, Condition>> = { ...OF_ORDER, ...OF_CONTEXT };
const ALL_CONDITIONS = Object.values(CONDITIONS);

/** Whether one condition of a rule is met; one that is not given is. */
export function meetsCondition(
  name: ConditionName,
  when: RuleConditions,
  facts: OrderFacts,
  outcome: CheckOutcome,
): boolean {
  return CONDITIONS[name](when, facts, outcome);
}

/** Names of all conditions that rules can have. */
export const CONDITION_NAMES = Object.keys(CONDITIONS) as readonly ConditionName[];
/** Names of those that ask for the context of an order. */
export const CONTEXT_CONDITIONS = Object.keys(OF_CONTEXT) as readonly ConditionName[];

function holds(when: RuleConditions, facts: OrderFacts, outcome: CheckOutcome): boolean {
  return ALL_CONDITIONS.every((condition) => condition(when, facts, outcome));
}

type Fold = (text: string) => string;

function isListed(entries: readonly string[] | undefined, fact: string | undefined, fold: Fold): boolean {
  if (entries === undefined) return true;
  return fact !== undefined && foldEntries(entries, fold).has(fact);
}

function isAnyListed(
  entries: readonly string[] | undefined,
  facts: readonly string[] | undefined,
  by: Fold = foldText,
): boolean {
  return entries === undefined || facts?.some((fact) => isListed(entries, fact, by)) === true;
}

/** Some platforms write a country's name: the code stands for it. */
function isCountry(entries: readonly string[] | undefined, fact: string | undefined): boolean {
  if (entries === undefined) return true;
  if (isListed(entries, fact, foldText)) return true;
  return (
    fact !== undefined && fact.length > 2 && isListed(entries, toCountryCode(fact)?.toLowerCase(), foldText)
  );
}

function isContained(entries: readonly string[] | undefined, facts: readonly string[], fold: Fold): boolean {
  if (entries === undefined) return true;
  return [...foldEntries(entries, fold)].some((part) => facts.some((fact) => fact.includes(part)));
}

/** Folded lists of frozen policies, cached because folding a thousand entries takes longer than everything else. */
const FOLDED = new WeakMap<readonly string[], Map<Fold, ReadonlySet<string>>>();

function foldEntries(entries: readonly string[], fold: Fold): ReadonlySet<string> {
  const known = FOLDED.get(entries) ?? new Map<Fold, ReadonlySet<string>>();
  FOLDED.set(entries, known);
  const folded = known.get(fold) ?? new Set(entries.map((entry) => fold(entry)));
  known.set(fold, folded);
  return folded;
}

function foldDomain(domain: string): string {
  return foldEmail(domain).replace(/^@/, "");
}

function fold(text: string | undefined, fold: Fold): string | undefined {
  return text === undefined ? undefined : fold(text) || undefined;
}

function foldAll(texts: readonly (string | undefined)[], by: Fold = foldText): readonly string[] {
  return texts.map((text) => fold(text, by)).filter((text) => text !== undefined);
}

import { z } from "zod";
import { toCountryCode } from "../order/countries/country-code.ts";
import { foldEmail } from "../order/email-address.ts";
import { PLATFORM_RISKS, PROTECTIONS } from "../order/order-context.ts";
import { RISK_LEVELS, type RiskLevel } from "../order/risk-level.ts";
import { foldAddress, foldText, toDigits } from "../order/text.ts";
import { foldCategory, type OrderFacts } from "./order-facts.ts";
import { filledText, flag, oneOf, POLICY_LIMITS, wholeNumber } from "./schema-fields.ts";

/** What rules can ask about the check of an order. */
export interface CheckOutcome {
  /** Null if nobody judged the order. */
  readonly level: RiskLevel | null;
  /** Decided without the service although an answer of it was wanted. */
  readonly degraded: boolean;
}

type Fold = (text: string) => string;

const LIST_EXPECTED = `expected a list of 1 to ${POLICY_LIMITS.listEntries} entries`;
type ListSchema<T> = z.ZodType<readonly z.output<T>[], readonly z.input<T>[] | z.input<T>>;
/** A list, or one entry by itself. An empty list would never match, so the rule would look active and do nothing. */
const list = <T extends z.ZodType>(entry: T): ListSchema<T> =>
  z.preprocess(
    (value) => (typeof value === "string" ? [value] : value),
    z
      .array(entry, LIST_EXPECTED)
      .min(1, LIST_EXPECTED)
      .max(POLICY_LIMITS.listEntries, LIST_EXPECTED)
      .readonly(),
  ) as ListSchema<T>;

const text = filledText(POLICY_LIMITS.entryLength);
const texts = list(text);
// A text that folds to nothing would match every order.
const textsThat = (has: (entry: string) => boolean, expected: string) => list(text.refine(has, expected));
const amount = z.number("expected an amount").nonnegative("expected an amount that is not negative");
const CURRENCY_EXPECTED = "expected a three-letter currency code";
const currencies = list(z.string(CURRENCY_EXPECTED).regex(/^[A-Za-z]{3}$/, CURRENCY_EXPECTED));

/** How a condition is written, and whether an order meets it. */
const condition = <T extends z.ZodType>(
  schema: T,
  isMet: (given: z.output<T>, facts: OrderFacts, outcome: CheckOutcome) => boolean,
) => ({ schema: schema.optional(), isMet });

/** True or false, as the order is. */
const same = (read: (facts: OrderFacts) => boolean | undefined) =>
  condition(flag(), (given, facts) => given === read(facts));

/** One of the given values is the order's. */
const among = <const T extends readonly string[]>(
  values: T,
  read: (facts: OrderFacts, outcome: CheckOutcome) => T[number] | null | undefined,
) =>
  condition(list(oneOf(values)), (given, facts, outcome) =>
    (given as readonly unknown[]).includes(read(facts, outcome)),
  );

/** One of the given texts is the order's, or one of several that the order has. */
const listed = (
  read: (facts: OrderFacts) => string | readonly string[] | undefined,
  by: Fold = foldText,
  schema = texts,
) => condition(schema, (given, facts) => isListed(given, read(facts), by));

/** One of the given texts is a part of one that the order has. */
const contained = (read: (facts: OrderFacts) => readonly string[], by: Fold = foldText, schema = texts) =>
  condition(schema, (given, facts) =>
    [...foldEntries(given, by)].some((part) => read(facts).some((fact) => fact.includes(part))),
  );

/** One of the given countries is one of the order's. */
const countries = (read: (facts: OrderFacts) => readonly (string | undefined)[]) =>
  condition(texts, (given, facts) => read(facts).some((country) => isCountry(given, country)));

/** Conditions on the order and on the outcome of its check. */
const OF_ORDER = {
  /** Any of these levels. */
  level: among(RISK_LEVELS, (_facts, { level }) => level),
  /** Decided without the service. */
  degraded: condition(flag(), (given, _facts, { degraded }) => given === degraded),
  /** At least this much, in major units of the order's currency. */
  minAmount: condition(amount, (given, { amount: own }) => own !== undefined && own >= given),
  /** At most this much, in major units of the order's currency. */
  maxAmount: condition(amount, (given, { amount: own }) => own !== undefined && own <= given),
  currency: listed(({ currency }) => currency, foldText, currencies),
  /** Billing or shipping country, written as the order writes it: an ISO code where the platform has one. */
  country: countries(({ shippingCountry, billingCountry }) => [shippingCountry, billingCountry]),
  shippingCountry: countries(({ shippingCountry }) => [shippingCountry]),
  billingCountry: countries(({ billingCountry }) => [billingCountry]),
  firstTimeCustomer: same(({ firstTimeCustomer }) => firstTimeCustomer),
  email: listed(({ email }) => email, foldEmail),
  /** The part after the @, exactly: list subdomains separately. */
  emailDomain: listed(({ emailDomain }) => emailDomain, foldDomain),
  /** Compared by digits. */
  phone: listed(
    ({ phone }) => phone,
    toDigits,
    textsThat((entry) => toDigits(entry) !== "", "expected a phone number with digits"),
  ),
  /** Part of the street of either address; case, punctuation and white space do not count. */
  address: contained(
    ({ streets }) => streets,
    foldAddress,
    textsThat((entry) => foldAddress(entry) !== "", "expected letters or digits"),
  ),
  sku: listed(({ skus }) => skus),
  /** Part of the name of any line. */
  product: contained(({ products }) => products),
  paymentBrand: listed(({ paymentBrand }) => paymentBrand),
};

/** Conditions on the context of an order. */
const OF_CONTEXT = {
  /** `web`, `pos`, `draft`, `subscription`, or the platform's own name of the source. */
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
  quantity: condition(
    wholeNumber(1, 1_000_000),
    (given, { context: { quantity } }) => quantity !== undefined && quantity >= given,
  ),
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
    textsThat((entry) => foldCategory(entry) !== "", "expected a category, for example Shoes > Boots"),
  ),
  /** Brand of any product, by the shop's catalog. */
  brand: listed(({ context }) => context.brands),
  /** Manufacturer of any product, by the shop's catalog. */
  manufacturer: listed(({ context }) => context.manufacturers),
};

const CONDITIONS = { ...OF_ORDER, ...OF_CONTEXT };
export type ConditionName = keyof typeof CONDITIONS;
export const CONDITION_NAMES = Object.keys(CONDITIONS) as readonly ConditionName[];

type Schemas = { readonly [Name in ConditionName]: (typeof CONDITIONS)[Name]["schema"] };
export const CONDITION_SCHEMAS = Object.fromEntries(
  CONDITION_NAMES.map((name) => [name, CONDITIONS[name].schema]),
) as Schemas;

type Conditions = { readonly [Name in ConditionName]?: z.output<Schemas[Name]> };

/** Whether all given conditions are met. Those in `leftOut` aren't asked. */
export function meetsAll(
  when: Conditions,
  facts: OrderFacts,
  outcome: CheckOutcome,
  leftOut?: ReadonlySet<ConditionName>,
): boolean {
  for (const name in when) {
    const known = name as ConditionName;
    const given = when[known];
    if (given === undefined || leftOut?.has(known) === true) continue;
    if (!CONDITIONS[known].isMet(given as never, facts, outcome)) return false;
  }
  return true;
}

/** Whether a text, or one of several, is an entry of the list. */
export function isListed(
  entries: readonly string[],
  known: string | readonly string[] | undefined,
  by: Fold = foldText,
): boolean {
  if (known === undefined) return false;
  const folded = foldEntries(entries, by);
  return typeof known === "string" ? folded.has(known) : known.some((text) => folded.has(text));
}

/** Some platforms write a country's name: the code stands for it. */
function isCountry(entries: readonly string[], country: string | undefined): boolean {
  if (isListed(entries, country)) return true;
  return (
    country !== undefined && country.length > 2 && isListed(entries, toCountryCode(country)?.toLowerCase())
  );
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

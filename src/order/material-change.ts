import { foldPlace, foldText, toDigits } from "./text.ts";
import { foldOrderPhone, PLACE_FOLDS } from "./place-folds.ts";
import { isFlatAdded } from "./flat-added.ts";
import { foldEmail } from "./email-address.ts";
import type { OrderAddress, OrderItem, PartialVerificationRequest, PaymentInfo } from "./request.ts";

export interface FieldChange {
  /** Name of the field, e.g. `shippingAddress.country`. All goods share the path `items`. */
  readonly path: string;
  /** As it was written; null when there was none. */
  readonly before: string | number | null;
  readonly after: string | number | null;
  /** Whether it makes the order a new question to the service. */
  readonly material: boolean;
}

export type ComparedOrder = PartialVerificationRequest & {
  /** Who receives the parcel; absent when nobody recorded it, empty when the address names nobody. */
  readonly recipientName?: string | undefined;
};

/** An amount may grow by this share without new risk: a corrected address changes tax and shipping by a few percent. */
const AMOUNT_TOLERANCE = 0.05;
const UNITS_PER_MAJOR = 1_000;
/** Most unit prices of one product that a change lists. */
const PRICES_SHOWN = 5;

/**
 * The differences between two states of an order in the content that makes it risky (see `fingerprintOrder`). Pure and
 * total. The time grows with the number of lines (times its logarithm).
 *
 * Texts are compared exactly, after folding letter case, white space, punctuation and accents; countries, postal codes and
 * phone numbers in any of their forms. These changes are
 * material: another email address, buyer, recipient or card; any other difference of an address, except a flat or unit
 * number added to one that is otherwise equal; another currency; an amount raised by more than five per cent; goods
 * added. Not material: an amount lowered and goods taken away, the phone and the company (no parcel goes by either).
 *
 * A field that the new state lacks is listed but never material, since platforms withhold and erase fields. A field
 * that only the new state has is material in an address, since goods then go to a place that nobody checked. Card facts
 * and the recipient's name are listed only if both states have them. History, IP address and user agent aren't compared
 * at all.
 */
export function compareOrders(before: ComparedOrder, after: ComparedOrder): readonly FieldChange[] {
  return [
    ...compareWho(before, after),
    ...compareMoney(before, after),
    ...compareGoods(before.items ?? [], after.items ?? []),
    ...compareFields(PLACE, "shippingAddress.", before.shippingAddress, after.shippingAddress),
    ...compareFields(PLACE, "billingAddress.", before.billingAddress, after.billingAddress),
    ...compareFields(PAYMENT, "paymentInfo.", before.paymentInfo, after.paymentInfo, compareKnown),
  ];
}

/** Which spellings of a text count as equal, and which differences matter if the second text isn't empty. */
interface TextRule {
  readonly fold: (text: string) => string;
  readonly isMaterial: (before: string, after: string) => boolean;
}

const never = (): boolean => false;
const always = (): boolean => true;
/** A value that only the new state has doesn't mean another buyer. */
const ifKnown = (before: string): boolean => before.trim() !== "";

const WHO: Readonly<Record<"customerEmail" | "customerName" | "companyName" | "companyAddress", TextRule>> = {
  customerEmail: { fold: foldEmail, isMaterial: ifKnown },
  customerName: { fold: foldPlace, isMaterial: ifKnown },
  companyName: { fold: foldPlace, isMaterial: never },
  companyAddress: { fold: foldPlace, isMaterial: never },
};

const RECIPIENT: TextRule = { fold: foldPlace, isMaterial: always };
const CURRENCY: TextRule = { fold: foldText, isMaterial: ifKnown };

const PLACE: Readonly<Record<keyof OrderAddress, TextRule>> = {
  street: { fold: PLACE_FOLDS.street, isMaterial: (before, after) => !isFlatAdded(before, after) },
  city: { fold: PLACE_FOLDS.city, isMaterial: always },
  state: { fold: PLACE_FOLDS.state, isMaterial: always },
  postalCode: { fold: PLACE_FOLDS.postalCode, isMaterial: always },
  country: { fold: PLACE_FOLDS.country, isMaterial: always },
};

const PAYMENT: Readonly<Record<keyof PaymentInfo, TextRule>> = {
  brand: { fold: foldText, isMaterial: always },
  lastFourDigits: { fold: foldText, isMaterial: always },
  expiry: { fold: toDigits, isMaterial: always },
  holderName: { fold: foldPlace, isMaterial: always },
};

function compareWho(before: ComparedOrder, after: ComparedOrder): FieldChange[] {
  return [
    ...compareFields(WHO, "", before, after),
    ...comparePhones(before, after),
    ...compareKnown("recipientName", RECIPIENT, before.recipientName, after.recipientName),
  ];
}

/** Listed, never material: no parcel goes by it. */
function comparePhones(before: ComparedOrder, after: ComparedOrder): FieldChange[] {
  const [was, is] = [before.customerPhone ?? "", after.customerPhone ?? ""];
  // In another country, the same digits are another number, but nobody changed them.
  const isSame = toDigits(was) === toDigits(is) || foldOrderPhone(before) === foldOrderPhone(after);
  const change = {
    before: before.customerPhone ?? null,
    after: after.customerPhone ?? null,
    material: false,
  };
  return isSame ? [] : [{ path: "customerPhone", ...change }];
}

function compareFields<K extends string>(
  rules: Readonly<Record<K, TextRule>>,
  prefix: string,
  before: { readonly [F in K]?: string | undefined } | undefined,
  after: { readonly [F in K]?: string | undefined } | undefined,
  compare = compareText,
): FieldChange[] {
  return (Object.keys(rules) as K[]).flatMap((field) =>
    compare(`${prefix}${field}`, rules[field], before?.[field], after?.[field]),
  );
}

/** Compare a value that arrives separately, and may not have arrived yet. */
function compareKnown(
  path: string,
  rule: TextRule,
  before: string | undefined,
  after: string | undefined,
): FieldChange[] {
  return before === undefined || after === undefined ? [] : compareText(path, rule, before, after);
}

function compareText(
  path: string,
  { fold, isMaterial }: TextRule,
  before: string | undefined,
  after: string | undefined,
): FieldChange[] {
  const is = fold(after ?? "");
  if (fold(before ?? "") === is) return [];
  const material = is !== "" && isMaterial(before ?? "", after ?? "");
  return [{ path, before: before ?? null, after: after ?? null, material }];
}

function compareMoney(before: ComparedOrder, after: ComparedOrder): FieldChange[] {
  const currency = compareText("currency", CURRENCY, before.currency, after.currency);
  const was = before.orderAmount;
  const is = after.orderAmount;
  if (isSameAmount(was, is)) return currency;
  // Amounts in two currencies can't be compared, and the new currency is material by itself.
  const raised = was !== undefined && is !== undefined && is > was * (1 + AMOUNT_TOLERANCE);
  const material = raised && !currency.some((change) => change.material);
  return [...currency, { path: "orderAmount", before: was ?? null, after: is ?? null, material }];
}

function isSameAmount(was: number | undefined, is: number | undefined): boolean {
  if (was === undefined || is === undefined) return was === is;
  // As exact as the fingerprint: finer differences are floating-point noise.
  return Object.is(was, is) || Math.round(was * UNITS_PER_MAJOR) === Math.round(is * UNITS_PER_MAJOR);
}

/** All lines of one product. */
interface Goods {
  readonly name: string;
  quantity: number;
  /** In thousandths of a major unit, each once. */
  readonly prices: Set<number>;
}

const NONE: Goods = { name: "", quantity: 0, prices: new Set() };

function compareGoods(before: readonly OrderItem[], after: readonly OrderItem[]): FieldChange[] {
  const was = toGoods(before);
  const is = toGoods(after);
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
    const [old, now] = [was.get(key) ?? NONE, is.get(key) ?? NONE];
    if (Object.is(old.quantity, now.quantity) && isSameSet(old.prices, now.prices)) return [];
    const material = now.quantity > old.quantity;
    return [{ path: "items", before: toGoodsText(old), after: toGoodsText(now), material }];
  });
}

function toGoods(items: readonly OrderItem[]): ReadonlyMap<string, Goods> {
  const goods = new Map<string, Goods>();
  for (const item of items) {
    // A renamed product keeps its SKU.
    const key = foldText(item.sku ?? "") || foldText(item.name);
    const product = goods.get(key) ?? { name: item.name, quantity: 0, prices: new Set() };
    product.quantity += item.quantity;
    product.prices.add(Math.round(item.price * UNITS_PER_MAJOR));
    goods.set(key, product);
  }
  return goods;
}

function isSameSet(some: ReadonlySet<number>, others: ReadonlySet<number>): boolean {
  return some.size === others.size && [...some].every((entry) => others.has(entry));
}

function toGoodsText(goods: Goods): string | null {
  if (goods === NONE) return null;
  const prices = [...goods.prices].toSorted((a, b) => a - b).map((price) => price / UNITS_PER_MAJOR);
  const more = prices.length > PRICES_SHOWN ? ", …" : "";
  return `${goods.quantity} × ${goods.name} (${prices.slice(0, PRICES_SHOWN).join(", ")}${more})`;
}

import { foldAddress, foldEmail, foldText, toDigits } from "./fold.ts";
import { isSameCountry, isSameName, isSamePostalCode, isSameTown } from "./likeness.ts";
import type { OrderAddress, OrderItem, PartialVerificationRequest, PaymentInfo } from "./request.ts";
import { isSameStreet } from "./street.ts";

/** One difference between two states of an order. */
export interface FieldChange {
  /** Name of the field, e.g. `shippingAddress.country`. All goods share the path `items`. */
  readonly path: string;
  /** As it was written; null when there was none. */
  readonly before: string | number | null;
  readonly after: string | number | null;
  /** Whether it makes the order a new question to the service. */
  readonly material: boolean;
}

/**
 * A raise up to this share of the amount is no new risk. An address that is mended moves tax and shipping by a few per
 * cent, and goods that are added show as goods. The comparison is with what was screened, so raises add up.
 */
const AMOUNT_TOLERANCE = 0.05;
const UNITS_PER_MAJOR = 1_000;

/**
 * What differs between two states of an order in the content that makes it risky (see `fingerprintOrder`). Pure and total.
 *
 * Material are: another e-mail address, person, country, postal code, town or street, for either address; another
 * currency; an amount raised by more than five per cent; goods added; another card. Not material: a flat, floor or second
 * address line, spelling, case and punctuation, an amount lowered and goods taken away, a company, a state (it follows from
 * the town), and the phone: no parcel goes by its number, it is mended more often than anything else, and what it would
 * tell the service it told the first time.
 *
 * What only one side knows is no sign of a new buyer: platforms withhold fields, and erase them. It is listed, never
 * material. Card facts that only one side knows are not listed, since they come with enrichment; so do the customer's
 * history, IP address and user agent, which are not compared at all.
 */
export function compareOrders(
  before: PartialVerificationRequest,
  after: PartialVerificationRequest,
): readonly FieldChange[] {
  return [
    ...compareWho(before, after),
    ...compareMoney(before, after),
    ...compareGoods(before.items ?? [], after.items ?? []),
    ...comparePlace("shippingAddress", before.shippingAddress, after.shippingAddress),
    ...comparePlace("billingAddress", before.billingAddress, after.billingAddress),
    ...comparePayment(before.paymentInfo, after.paymentInfo),
  ];
}

/** How a text is compared. */
interface TextRule {
  readonly fold: (text: string) => string;
  /** Whether two texts that are not written alike still mean the same. */
  readonly isSame: (before: string, after: string) => boolean;
}

const never = (): boolean => false;
const always = (): boolean => true;

const WHO: Readonly<
  Record<"customerEmail" | "customerName" | "customerPhone" | "companyName" | "companyAddress", TextRule>
> = {
  customerEmail: { fold: foldEmail, isSame: never },
  customerName: { fold: foldText, isSame: isSameName },
  customerPhone: { fold: toDigits, isSame: always },
  companyName: { fold: foldText, isSame: always },
  companyAddress: { fold: foldAddress, isSame: always },
};

const PLACE: Readonly<Record<keyof OrderAddress, TextRule>> = {
  street: { fold: foldAddress, isSame: isSameStreet },
  city: { fold: foldAddress, isSame: isSameTown },
  state: { fold: foldAddress, isSame: always },
  postalCode: { fold: foldAddress, isSame: isSamePostalCode },
  country: { fold: foldAddress, isSame: isSameCountry },
};

const PAYMENT: Readonly<Record<keyof PaymentInfo, TextRule>> = {
  brand: { fold: foldText, isSame: never },
  lastFourDigits: { fold: foldText, isSame: never },
  expiry: { fold: toDigits, isSame: never },
  holderName: { fold: foldText, isSame: isSameName },
};

function compareWho(before: PartialVerificationRequest, after: PartialVerificationRequest): FieldChange[] {
  return (Object.keys(WHO) as (keyof typeof WHO)[]).flatMap((field) =>
    compareText(field, WHO[field], before[field], after[field]),
  );
}

function comparePlace(
  name: string,
  before: Partial<OrderAddress> = {},
  after: Partial<OrderAddress> = {},
): FieldChange[] {
  return (Object.keys(PLACE) as (keyof OrderAddress)[]).flatMap((field) =>
    compareText(`${name}.${field}`, PLACE[field], before[field], after[field]),
  );
}

function comparePayment(before: PaymentInfo = {}, after: PaymentInfo = {}): FieldChange[] {
  return (Object.keys(PAYMENT) as (keyof PaymentInfo)[]).flatMap((field) =>
    before[field] === undefined || after[field] === undefined
      ? []
      : compareText(`paymentInfo.${field}`, PAYMENT[field], before[field], after[field]),
  );
}

function compareText(
  path: string,
  { fold, isSame }: TextRule,
  before: string | undefined,
  after: string | undefined,
): FieldChange[] {
  const was = fold(before ?? "");
  const is = fold(after ?? "");
  if (was === is) return [];
  const material = was !== "" && is !== "" && !isSame(before ?? "", after ?? "");
  return [{ path, before: before ?? null, after: after ?? null, material }];
}

function compareMoney(before: PartialVerificationRequest, after: PartialVerificationRequest): FieldChange[] {
  const currency = compareText(
    "currency",
    { fold: foldText, isSame: never },
    before.currency,
    after.currency,
  );
  const was = before.orderAmount;
  const is = after.orderAmount;
  if (isSameAmount(was, is)) return currency;
  // Amounts of two currencies do not compare; that the currency is another one says it already.
  const raised = was !== undefined && is !== undefined && is > was * (1 + AMOUNT_TOLERANCE);
  const material = raised && !currency.some((change) => change.material);
  return [...currency, { path: "orderAmount", before: was ?? null, after: is ?? null, material }];
}

function isSameAmount(was: number | undefined, is: number | undefined): boolean {
  if (was === undefined || is === undefined) return was === is;
  // As the fingerprint counts: what is finer is floating-point noise.
  return Object.is(was, is) || Math.round(was * UNITS_PER_MAJOR) === Math.round(is * UNITS_PER_MAJOR);
}

/** All lines of one product. */
interface Goods {
  readonly text: string | null;
  readonly quantity: number;
  readonly lines: readonly OrderItem[];
}

const NONE: Goods = { text: null, quantity: 0, lines: [] };

function compareGoods(before: readonly OrderItem[], after: readonly OrderItem[]): FieldChange[] {
  const was = toGoods(before);
  const is = toGoods(after);
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
    const [old, now] = [was.get(key) ?? NONE, is.get(key) ?? NONE];
    if (Object.is(old.quantity, now.quantity) && toPrices(old.lines) === toPrices(now.lines)) return [];
    return [{ path: "items", before: old.text, after: now.text, material: now.quantity > old.quantity }];
  });
}

function toGoods(items: readonly OrderItem[]): ReadonlyMap<string, Goods> {
  const goods = new Map<string, Goods>();
  for (const item of items) {
    // A product keeps its SKU when it is renamed.
    const key = foldText(item.sku ?? "") || foldText(item.name);
    const known = goods.get(key);
    const quantity = (known?.quantity ?? 0) + item.quantity;
    const lines = [...(known?.lines ?? []), item];
    const text = `${quantity} × ${lines[0]?.name ?? ""} (${toPrices(lines)})`;
    goods.set(key, { quantity, lines, text });
  }
  return goods;
}

/** Unit prices, each once, in any order of lines. */
function toPrices(lines: readonly OrderItem[]): string {
  const prices = lines.map(({ price }) => Math.round(price * UNITS_PER_MAJOR) / UNITS_PER_MAJOR);
  return [...new Set(prices)].toSorted((a, b) => a - b).join(", ");
}

import { toIpFacts } from "../engine/facts/ip-facts.ts";
import type { KeptSignals } from "../engine/model/kept-signals.ts";
import { foldEmail } from "../order/email-address.ts";
import type { KnownProduct, OrderContext } from "../order/order-context.ts";
import type { OrderItem, PartialVerificationRequest, StandIn } from "../order/request.ts";
import { toCountryCode } from "../order/countries/country-code.ts";
import { foldAddress, foldText, toDigits } from "../order/text.ts";
import { toKnown, type MappedOrder } from "../platform/platform.ts";
import type { CheckFacts } from "./check-facts.ts";

/**
 * What rules can use about an order, folded for comparing. Values that the order lacks are undefined and match no
 * condition. Personal data: never logged or stored.
 */
export type OrderFacts = Readonly<ReturnType<typeof toOrderFacts>> & {
  /** The customer was opted out of automated decisions when it was decided. Kept when their tags are erased. */
  readonly optedOut?: true | undefined;
};

/** What an order has of something, each folded. Null stands for those of them that aren't known. */
export type PartlyKnown = readonly (string | null)[];

/** The part of an order's context that rules can use. Undefined values weren't known when the order was decided. */
type ContextFacts = Readonly<Partial<ReturnType<typeof toContextFacts>>>;

/** What rules can use about an order without personal data. Stored with the order, so that a policy can be replayed. */
export type StoredFacts = Omit<OrderFacts, "email" | "emailDomain" | "phone" | "streets" | "context"> & {
  readonly context: Omit<ContextFacts, "orderTags" | "customerTags">;
  /** What the check found. Absent until the order is decided. */
  readonly seen?: CheckFacts | undefined;
  /** What the local engine saw, for a model of the shop. Absent if it didn't judge the order. */
  readonly signals?: KeptSignals | undefined;
};

export function toStoredFacts(facts: OrderFacts): StoredFacts {
  const { email: _email, emailDomain: _domain, phone: _phone, streets: _streets, context, ...stored } = facts;
  const { orderTags: _orderTags, customerTags: _customerTags, ...named } = context;
  return { ...stored, context: named };
}

/** What rules can use about an order, whether it can be sent or not. */
export function toMappedFacts(mapped: MappedOrder): OrderFacts {
  return toOrderFacts(toKnown(mapped), mapped.context, mapped.standIns);
}

/** @param standIns - Fields that only fill in what the order lacks. Default: none. */
export function toOrderFacts(
  order: PartialVerificationRequest,
  context: OrderContext = {},
  standIns: readonly StandIn[] = [],
) {
  const { shippingAddress, billingAddress, items = [] } = order;
  const email = fold(order.customerEmail, foldEmail);
  const ofContext: ContextFacts = toContextFacts(context, items);
  // A placeholder says nothing about the order.
  const own = (field: AddressField, text: string | undefined) =>
    standIns.includes(field) ? undefined : text;
  const streets = [
    own("shippingAddress.street", shippingAddress?.street),
    own("billingAddress.street", billingAddress?.street),
  ];
  return {
    /** Major units of `currency`. */
    amount: order.orderAmount,
    currency: fold(order.currency, foldText),
    shippingCountry: fold(own("shippingAddress.country", shippingAddress?.country), foldText),
    billingCountry: fold(own("billingAddress.country", billingAddress?.country), foldText),
    ...toCountryFacts(order, standIns),
    firstTimeCustomer: order.isFirstTimeCustomer,
    accountAgeDays: order.accountAgeInDays,
    totalOrders: order.totalOrders,
    timesAverage: toTimesAverage(order),
    email,
    emailDomain: email?.includes("@") === true ? email.slice(email.lastIndexOf("@") + 1) : undefined,
    /** Digits alone. */
    phone: fold(order.customerPhone, toDigits),
    streets: toPartlyKnown(streets.map((street) => fold(street, foldAddress))),
    skus: items.length === 0 ? undefined : foldAll(items.map(({ sku }) => sku)),
    products: known(foldAll(items.map(({ name }) => name))),
    paymentBrand: fold(order.paymentInfo?.brand, foldText),
    context: ofContext,
  };
}

type AddressField = `${"shippingAddress" | "billingAddress"}.${"street" | "country"}`;

/** Whether an order's countries differ. A field that only fills in what the order lacks says nothing about it. */
function toCountryFacts(
  { shippingAddress, billingAddress, ipAddress }: PartialVerificationRequest,
  standIns: readonly StandIn[],
) {
  const toOwn = (address: "shippingAddress" | "billingAddress", country: string | undefined) => {
    const field: AddressField = `${address}.country`;
    return standIns.includes(address) || standIns.includes(field) ? undefined : toCountryCode(country);
  };
  const shipping = toOwn("shippingAddress", shippingAddress?.country);
  const billing = toOwn("billingAddress", billingAddress?.country);
  return {
    shippingCountryDiffers: differ(shipping, billing),
    ipCountryDiffers: differ(toIpFacts(ipAddress)?.country, billing),
  };
}

function differ(one: string | undefined, other: string | undefined): boolean | undefined {
  return one === undefined || other === undefined ? undefined : one !== other;
}

/** How many times the average of the customer's earlier orders this one costs. */
function toTimesAverage({
  orderAmount,
  averageOrderValue = 0,
}: PartialVerificationRequest): number | undefined {
  return orderAmount === undefined || averageOrderValue <= 0 ? undefined : orderAmount / averageOrderValue;
}

function known<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** Undefined if nothing is known. */
function toPartlyKnown(texts: readonly (string | undefined)[]): PartlyKnown | undefined {
  const found = texts.filter((text) => text !== undefined);
  if (found.length === 0) return undefined;
  return found.length === texts.length ? found : [...found, null];
}

function toContextFacts(context: OrderContext, items: readonly OrderItem[]) {
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
    ...(products && toProductFacts(products, items)),
  };
}

function fold(text: string | undefined, fold: (text: string) => string): string | undefined {
  return text === undefined ? undefined : fold(text) || undefined;
}

function foldAll(texts: readonly (string | undefined)[], by = foldText): readonly string[] {
  return texts.map((text) => fold(text, by)).filter((text) => text !== undefined);
}

/**
 * What rules can use about the products that a catalog knows, folded for comparing, each once. A catalog may not have a
 * product, know only a part of it, or answer too late.
 */
function toProductFacts(products: readonly KnownProduct[], items: readonly OrderItem[]) {
  const toAll = (read: (product: KnownProduct) => readonly string[]): PartlyKnown | undefined => {
    const known = products.filter((product) => unique(read(product)).length > 0);
    if (known.length === 0) return undefined;
    const skus = new Set(known.map(({ sku }) => sku));
    const isComplete = items.length > 0 && items.every(({ sku }) => sku !== undefined && skus.has(sku));
    const found = unique(known.flatMap((product) => read(product)));
    return isComplete ? found : [...found, null];
  };
  return {
    /** With the levels above: `Shoes > Boots` is also `Shoes`. */
    productCategories: toAll(({ category = "" }) => toLevels(category)),
    brands: toAll(({ brand = "" }) => [foldText(brand)]),
    manufacturers: toAll(({ manufacturer = "" }) => [foldText(manufacturer)]),
  };
}

/** A category with the levels above it, from the top; empty for a blank one. */
function toLevels(category: string): readonly string[] {
  const names = toNames(category);
  return names.map((_, index) => names.slice(0, index + 1).join(SEPARATOR));
}

/** A category for comparing: case, and white space around `>`, don't count. */
export function foldCategory(category: string): string {
  return toNames(category).join(SEPARATOR);
}

const SEPARATOR = " > ";
/** Deeper levels don't count, because each level is stored with all levels above it. */
const MAX_LEVELS = 20;

function toNames(category: string): readonly string[] {
  return category
    .split(">")
    .map((name) => foldText(name))
    .filter((name) => name !== "")
    .slice(0, MAX_LEVELS);
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter((text) => text !== "");
}

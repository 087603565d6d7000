import type { KeptSignals } from "../engine/own-weights.ts";
import { foldEmail } from "../order/email-address.ts";
import type { KnownProduct, OrderContext } from "../order/order-context.ts";
import type { PartialVerificationRequest } from "../order/request.ts";
import { foldAddress, foldText, toDigits } from "../order/text.ts";

/**
 * What rules can use about an order, folded for comparing. Values that the order lacks are undefined and match no
 * condition. Personal data: never logged or stored.
 */
export type OrderFacts = Readonly<ReturnType<typeof toOrderFacts>> & {
  /** The customer was opted out of automated decisions when it was decided. Kept when their tags are erased. */
  readonly optedOut?: true | undefined;
};

/** The part of an order's context that rules can use. Undefined values weren't known when the order was decided. */
type ContextFacts = Readonly<Partial<ReturnType<typeof toContextFacts>>>;

/** What rules can use about an order without personal data. Stored with the order, so that a policy can be replayed. */
export type StoredFacts = Omit<OrderFacts, "email" | "emailDomain" | "phone" | "streets" | "context"> & {
  readonly context: Omit<ContextFacts, "orderTags" | "customerTags">;
  /** What the local engine saw, for other weights. Absent if it didn't judge the order. */
  readonly signals?: KeptSignals | undefined;
};

export function toStoredFacts(facts: OrderFacts): StoredFacts {
  const { email: _email, emailDomain: _domain, phone: _phone, streets: _streets, context, ...stored } = facts;
  const { orderTags: _orderTags, customerTags: _customerTags, ...named } = context;
  return { ...stored, context: named };
}

export function toOrderFacts(order: PartialVerificationRequest, context: OrderContext = {}) {
  const { shippingAddress, billingAddress, items = [] } = order;
  const email = fold(order.customerEmail, foldEmail);
  const known: ContextFacts = toContextFacts(context);
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

function fold(text: string | undefined, fold: (text: string) => string): string | undefined {
  return text === undefined ? undefined : fold(text) || undefined;
}

function foldAll(texts: readonly (string | undefined)[], by = foldText): readonly string[] {
  return texts.map((text) => fold(text, by)).filter((text) => text !== undefined);
}

/** What rules can use about the products that a catalog knows, folded for comparing, each once. */
function toProductFacts(products: readonly KnownProduct[]) {
  return {
    /** With the levels above: `Shoes > Boots` is also `Shoes`. */
    productCategories: unique(products.flatMap(({ category = "" }) => toLevels(category))),
    brands: unique(products.map(({ brand = "" }) => foldText(brand))),
    manufacturers: unique(products.map(({ manufacturer = "" }) => foldText(manufacturer))),
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

import { isAgentChannel, withoutDevice } from "../../order/agent-orders.ts";
import { REQUEST_LIMITS } from "../../order/request.ts";
import {
  readText,
  toPlainContext,
  toPlainProducts,
  toPlainShippingMethods,
  toPlainShop,
  toPlainVelocity,
  readNonNegative,
  readFlag,
  readGivenText,
  readPositive,
  readTimeMs,
  type PlainFields,
  type PlainOrder,
} from "./plain-order.ts";
import { categoryPatterns } from "../tables/goods-categories.ts";
import { foldText } from "../text/text-shape.ts";
import type { OrderContext } from "../../order/order-context.ts";
import { toCardFacts, type CardFacts, toPaymentFacts, type PaymentFacts } from "./payment-facts.ts";
import { toEmailFacts, type EmailFacts } from "./email-facts.ts";
import { toIpFacts, type IpFacts } from "./ip-facts.ts";
import { toPhoneFacts, type PhoneFacts } from "./phone-facts.ts";
import { toMeaningful, toPlace, type Place } from "./place.ts";
import { USD_PER_UNIT } from "../tables/currencies.ts";
import type { SHOP_SHARES, ShopCounts, ShopShare } from "./shop-counts.ts";
import type { VelocityCounts } from "./velocity-counts.ts";
import type { EssentialFact } from "../../order/decision.ts";
import { hasPostcodes } from "./postal-codes.ts";

export type { CardFacts } from "./payment-facts.ts";
export type { EmailFacts } from "./email-facts.ts";
export type { IpFacts } from "./ip-facts.ts";
export type { PhoneFacts } from "./phone-facts.ts";

/** The readable part of an order line. */
export interface ItemFacts {
  /** Folded. */
  readonly name: string;
  /** As the shop wrote it. Show it with `toTitle`. */
  readonly title: string;
  readonly quantity: number;
  /** Per piece; undefined if unknown. */
  readonly price: number | undefined;
  /** The kind of goods, according to the catalog's category; undefined for other goods. */
  readonly kind: GoodsKind | undefined;
}

/**
 * Everything the signals use, read once. Missing values, values of the wrong type and placeholders are undefined and count
 * neither for nor against the order.
 */
export interface OrderFacts {
  readonly sandbox: boolean;
  /** The order's own time, or the clock's if the order has none. */
  readonly nowMs: number;
  readonly timeKnown: boolean;
  readonly amount: number | undefined;
  /** Upper case. */
  readonly currency: string | undefined;
  /** The rough value of one unit of the currency in US dollars. */
  readonly usdPerUnit: number | undefined;
  readonly amountUsd: number | undefined;
  readonly items: readonly ItemFacts[];
  readonly customerName: string | undefined;
  readonly companyName: string | undefined;
  readonly email: EmailFacts | undefined;
  readonly phone: PhoneFacts | undefined;
  readonly firstOrder: boolean | undefined;
  /** No earlier order is known. There may still have been one. */
  readonly firstOrderAssumed: boolean;
  readonly accountAgeDays: number | undefined;
  readonly totalOrders: number | undefined;
  readonly cancelledOrders: number | undefined;
  readonly returnedOrders: number | undefined;
  readonly fulfilledOrders: number | undefined;
  readonly averageOrderValue: number | undefined;
  readonly shipping: Place | undefined;
  readonly billing: Place | undefined;
  /** Both addresses were given and neither is a copy of the other, so a match is evidence. */
  readonly hasBothAddresses: boolean;
  readonly card: CardFacts;
  readonly payment: PaymentFacts;
  /** The platform says that a company buys (B2B). */
  readonly isCompanyOrder: boolean;
  /** Shipped faster than usual, at extra cost. */
  readonly isExpress: boolean;
  /**
   * An AI agent placed the order: its network, its browser and the hour aren't the buyer's, so `ip` and `userAgent` are
   * undefined.
   */
  readonly isAgent: boolean;
  readonly ip: IpFacts | undefined;
  /** Empty if a blank one was given. */
  readonly userAgent: string | undefined;
  /** Undefined if not counted. */
  readonly velocity: VelocityCounts | undefined;
}

interface FactsOptions {
  readonly sandbox: boolean;
  readonly now: () => number;
  readonly velocity?: VelocityCounts | undefined;
  /** Other facts from the platform. Default: not known. */
  readonly context?: OrderContext | undefined;
}

const SHORT_TEXT = 255;

/** Read any order. Never throws. */
export function readFacts(plain: PlainOrder, options: FactsOptions): OrderFacts {
  const context = toPlainContext(options.context);
  const isAgent = isAgentChannel(context["channel"]);
  const fields = isAgent ? withoutDevice(plain.fields) : plain.fields;
  const orderMs = readTimeMs(fields["orderTimestamp"]);
  const nowMs = orderMs ?? options.now();
  const shipping = readPlace(plain.shippingAddress);
  const billing = readPlace(plain.billingAddress);
  const kinds = toGoodsKinds(toPlainProducts(options.context));
  return {
    sandbox: options.sandbox,
    nowMs,
    timeKnown: orderMs !== undefined,
    ...readAmount(fields),
    ...readCustomer(fields),
    firstOrderAssumed: plain.firstOrderAssumed === true,
    items: plain.items.flatMap((item) => readItem(item, kinds)),
    email: toEmailFacts(fields["customerEmail"]),
    phone: toPhoneFacts(fields["customerPhone"], [billing?.writtenCountry, shipping?.writtenCountry]),
    shipping,
    billing,
    hasBothAddresses: shipping !== undefined && billing !== undefined && plain.hasCopiedAddress !== true,
    card: toCardFacts(plain.paymentInfo),
    payment: toPaymentFacts(context),
    isCompanyOrder: context["companyOrder"] === true,
    isExpress: toPlainShippingMethods(options.context).some(isExpressMethod),
    isAgent,
    ip: toIpFacts(fields["ipAddress"]),
    userAgent: readGivenText(fields["userAgent"], REQUEST_LIMITS.userAgent)?.replaceAll(/\s+/g, " "),
    velocity: readVelocity(options.velocity),
  };
}

/** Names of fast shipping by language (folded text). */
const EXPRESS =
  /overnight|express|expedited|next[ -]?day|same[ -]?day|next flight|[12][ -]day|ueber nacht|uber nacht|\b24 ?h|lendemain|jour meme|chronopost|urgente|dia siguiente|mismo dia|entrega rapida|giorno dopo|sedex|spoed|volgende dag|翌日|即日|速達|次日|当日|當日/;
const METHOD_LENGTH = 100;

function isExpressMethod(name: unknown): boolean {
  return EXPRESS.test(foldText(readText(name, METHOD_LENGTH) ?? ""));
}

function readAmount(
  fields: PlainFields,
): Pick<OrderFacts, "amount" | "currency" | "usdPerUnit" | "amountUsd"> {
  const amount = readPositive(fields["orderAmount"]);
  const currency = readText(fields["currency"], 3)?.toUpperCase();
  const usdPerUnit =
    currency !== undefined && Object.hasOwn(USD_PER_UNIT, currency) ? USD_PER_UNIT[currency] : undefined;
  const amountUsd = amount === undefined || usdPerUnit === undefined ? undefined : amount * usdPerUnit;
  return { amount, currency, usdPerUnit, amountUsd };
}

function readCustomer(fields: PlainFields) {
  return {
    customerName: toMeaningful(readText(fields["customerName"], REQUEST_LIMITS.customerName)),
    companyName: toMeaningful(readText(fields["companyName"], SHORT_TEXT)),
    firstOrder: readFlag(fields["isFirstTimeCustomer"]),
    accountAgeDays: readNonNegative(fields["accountAgeInDays"]),
    totalOrders: readNonNegative(fields["totalOrders"]),
    cancelledOrders: readNonNegative(fields["cancelledOrders"]),
    returnedOrders: readNonNegative(fields["returnedOrders"]),
    fulfilledOrders: readNonNegative(fields["fulfilledOrders"]),
    averageOrderValue: readNonNegative(fields["averageOrderValue"]),
  };
}

function readItem(fields: PlainFields, kinds: ReadonlyMap<string, GoodsKind>): readonly ItemFacts[] {
  const title = readText(fields["name"], REQUEST_LIMITS.itemName);
  const name = toMeaningful(title);
  if (title === undefined || name === undefined) return [];
  const quantity = readPositive(fields["quantity"]) ?? 1;
  const sku = readSku(fields);
  const kind = sku === undefined ? undefined : kinds.get(sku);
  return [{ name, title, quantity, price: readNonNegative(fields["price"]), kind }];
}

/** The article that an order is mainly about: the line that is worth most. */
export function findMainItem({ items }: Pick<OrderFacts, "items">): ItemFacts | undefined {
  const worth = ({ price = 0, quantity }: ItemFacts): number => price * quantity;
  return items.toSorted((a, b) => worth(b) - worth(a))[0];
}

function readPlace(fields: PlainFields | undefined): Place | undefined {
  if (fields === undefined) return undefined;
  return toPlace({
    street: readText(fields["street"], REQUEST_LIMITS.street),
    city: readText(fields["city"], REQUEST_LIMITS.city),
    state: readText(fields["state"], REQUEST_LIMITS.state),
    postalCode: readText(fields["postalCode"], REQUEST_LIMITS.postalCode),
    country: readText(fields["country"], REQUEST_LIMITS.country),
  });
}

function readShop(velocity: unknown): ShopCounts | undefined {
  const { counts, shares } = toPlainShop(velocity) ?? {};
  const usualOrders = readNonNegative(counts?.["usualOrders"]);
  if (counts === undefined || usualOrders === undefined) return undefined;
  const readShare = (name: (typeof SHOP_SHARES)[number]): ShopShare | undefined => {
    const share = shares?.[name];
    const usual = readNonNegative(share?.["usual"]);
    if (share === undefined || usual === undefined) return undefined;
    const [newcomers = 0, known = 0] = [readNonNegative(share["newcomers"]), readNonNegative(share["known"])];
    return { newcomers, known, usual };
  };
  return {
    usualOrders,
    usualKnown: readNonNegative(counts["usualKnown"]) ?? 0,
    recentOrders: readNonNegative(counts["recentOrders"]) ?? 0,
    percentile: readNonNegative(counts["percentile"]),
    top: readPositive(counts["top"]),
    small: readShare("small"),
    goods: readShare("goods"),
    bin: readShare("bin"),
    network: readShare("network"),
  };
}

function readVelocity(velocity: VelocityCounts | undefined): VelocityCounts | undefined {
  const counts = toPlainVelocity(velocity);
  if (counts === undefined) return undefined;
  return {
    emailOrders1h: readNonNegative(counts["emailOrders1h"]),
    ipEmails24h: readNonNegative(counts["ipEmails24h"]),
    cardEmails7d: readNonNegative(counts["cardEmails7d"]),
    addressEmails7d: readNonNegative(counts["addressEmails7d"]),
    emailCards24h: readNonNegative(counts["emailCards24h"]),
    emailBillingPostcodes7d: readNonNegative(counts["emailBillingPostcodes7d"]),
    cardBillingPostcodes7d: readNonNegative(counts["cardBillingPostcodes7d"]),
    ipStrangers24h: readNonNegative(counts["ipStrangers24h"]),
    billingPlaces7d: readNonNegative(counts["billingPlaces7d"]),
    cardStrangers7d: readNonNegative(counts["cardStrangers7d"]),
    addressStrangers7d: readNonNegative(counts["addressStrangers7d"]),
    addressCards7d: readNonNegative(counts["addressCards7d"]),
    emailAddresses7d: readNonNegative(counts["emailAddresses7d"]),
    cardAddresses7d: readNonNegative(counts["cardAddresses7d"]),
    emailNames7d: readNonNegative(counts["emailNames7d"]),
    shop: readShop(velocity),
  };
}

/** How many aspects of an order must be known before the score is meaningful. */
const LEAST_CONFIDENCE = 0.5;

/** The facts that an order lacks and that a low risk requires. */
export function listMissing(
  { email, customerName, shipping, billing }: OrderFacts,
  confidence: number,
): readonly EssentialFact[] {
  const missing: EssentialFact[] = [];
  if (email === undefined || email.local === "" || !email.domain.includes(".")) missing.push("email");
  if (customerName === undefined) missing.push("name");
  if (![shipping, billing].some(isComplete)) missing.push("address");
  if (confidence < LEAST_CONFIDENCE) missing.push("detail");
  return missing;
}

/** Whether the address is complete enough for mail. A postal code is needed only in countries that have them. */
function isComplete(place: Place | undefined): boolean {
  if (place?.street === undefined || place.city === undefined || place.country === undefined) return false;
  return place.postcode !== undefined || !hasPostcodes(place.writtenCountry ?? place.country);
}

type GoodsKind = "resale" | "gift-card";

/** The longest category of the catalog. */
const CATEGORY_LENGTH = 256;

/** The kinds of goods that a catalog knows, by SKU. */
function toGoodsKinds(products: readonly PlainFields[]): ReadonlyMap<string, GoodsKind> {
  const kinds = new Map<string, GoodsKind>();
  for (const product of products) {
    const sku = readSku(product);
    const kind = toGoodsKind(readText(product["category"], CATEGORY_LENGTH) ?? "");
    if (sku !== undefined && kind !== undefined) kinds.set(sku, kind);
  }
  return kinds;
}

function readSku({ sku }: PlainFields): string | undefined {
  return readText(sku, REQUEST_LIMITS.itemSku);
}

/**
 * The kind of goods in a category such as `Electronics > Phones`: its deepest level that names goods decides, unless that
 * level or a deeper one names accessories (`Phones > Cases`).
 */
function toGoodsKind(category: string): GoodsKind | undefined {
  if (category === "") return undefined;
  const { accessories, giftCards, resale } = categoryPatterns();
  for (const level of category.split(">").toReversed()) {
    const name = foldText(level);
    if (accessories.test(name)) return undefined;
    if (giftCards.test(name)) return "gift-card";
    if (resale.test(name)) return "resale";
  }
  return undefined;
}

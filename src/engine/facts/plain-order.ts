import { cutText } from "../../order/text.ts";
import type { StandIn } from "../../order/request.ts";
import { SHOP_SHARES } from "./shop-counts.ts";

/** The raw fields of an order: own properties of plain objects, each read once. */
export type PlainFields = Readonly<Record<string, unknown>>;

/** More lines than this only cost time. */
const ITEMS_READ = 500;
const ORDER_FIELDS = [
  "orderId",
  "orderAmount",
  "currency",
  "orderTimestamp",
  "customerName",
  "customerEmail",
  "customerPhone",
  "isFirstTimeCustomer",
  "accountAgeInDays",
  "totalOrders",
  "cancelledOrders",
  "returnedOrders",
  "fulfilledOrders",
  "averageOrderValue",
  "companyName",
  "ipAddress",
  "userAgent",
];
const ADDRESS_FIELDS = ["street", "city", "state", "postalCode", "country"];
const PAYMENT_FIELDS = ["brand", "lastFourDigits", "expiry", "holderName"];
const ITEM_FIELDS = ["name", "quantity", "price", "sku"];
const PRODUCT_FIELDS = ["sku", "category"];
const CONTEXT_FIELDS = ["channel", "avs", "cvv", "wallet", "platformRisk", "giftCard", "companyOrder"];
const VELOCITY_FIELDS = [
  "emailOrders1h",
  "ipEmails24h",
  "cardEmails7d",
  "addressEmails7d",
  "emailCards24h",
  "emailBillingPostcodes7d",
  "cardBillingPostcodes7d",
  "ipStrangers24h",
  "billingPlaces7d",
  "cardStrangers7d",
  "addressStrangers7d",
  "addressCards7d",
  "emailAddresses7d",
  "cardAddresses7d",
  "emailNames7d",
];

const SHOP_FIELDS = ["usualOrders", "usualKnown", "recentOrders", "percentile", "top"];
const SHARE_FIELDS = ["newcomers", "known", "usual"];

/** An order whose fields can be read without running getters or proxies. */
export interface PlainOrder {
  readonly fields: PlainFields;
  readonly shippingAddress: PlainFields | undefined;
  readonly billingAddress: PlainFields | undefined;
  readonly paymentInfo: PlainFields;
  readonly items: readonly PlainFields[];
  /** One of the addresses is a copy of the other. Default: no. */
  readonly hasCopiedAddress?: boolean | undefined;
  /** `isFirstTimeCustomer` wasn't known. Default: it was. */
  readonly firstOrderAssumed?: boolean | undefined;
}

/**
 * Copy the fields that the engine reads from any value. Inherited properties and getters or proxies that throw count as
 * missing. Never throws.
 */
export function toPlainOrder(order: unknown): PlainOrder {
  return {
    fields: copyFields(order, ORDER_FIELDS) ?? {},
    shippingAddress: copyFields(readField(order, "shippingAddress"), ADDRESS_FIELDS),
    billingAddress: copyFields(readField(order, "billingAddress"), ADDRESS_FIELDS),
    paymentInfo: copyFields(readField(order, "paymentInfo"), PAYMENT_FIELDS) ?? {},
    items: copyEach(readField(order, "items"), ITEM_FIELDS),
  };
}

/**
 * The order without its stand-ins, which aren't evidence. A copied address and an assumed first order stay, because they can
 * count against an order, but are marked, because they must not count for it.
 */
export function withoutStandIns(order: PlainOrder, standIns: readonly StandIn[]): PlainOrder {
  const dropped = new Set<unknown>(listEntries(standIns));
  if (dropped.size === 0) return order;
  const keepParts = (name: "shippingAddress" | "billingAddress"): PlainFields | undefined =>
    order[name] === undefined ? undefined : omit(order[name], (part) => dropped.has(`${name}.${part}`));
  return {
    ...order,
    fields: omit(order.fields, (field) => field === "customerName" && dropped.has(field)),
    shippingAddress: keepParts("shippingAddress"),
    billingAddress: keepParts("billingAddress"),
    hasCopiedAddress: dropped.has("shippingAddress") || dropped.has("billingAddress"),
    firstOrderAssumed: dropped.has("isFirstTimeCustomer"),
  };
}

function omit(fields: PlainFields, isDropped: (field: string) => boolean): PlainFields {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !isDropped(field)));
}

export function toPlainVelocity(velocity: unknown): PlainFields | undefined {
  return copyFields(velocity, VELOCITY_FIELDS);
}

/** The shop's counts, and each share among them. */
export function toPlainShop(velocity: unknown):
  | {
      readonly counts: PlainFields;
      readonly shares: Readonly<Record<string, PlainFields | undefined>>;
    }
  | undefined {
  const shop = readField(velocity, "shop");
  const counts = copyFields(shop, SHOP_FIELDS);
  if (counts === undefined) return undefined;
  const shares = SHOP_SHARES.map((name) => [name, copyFields(readField(shop, name), SHARE_FIELDS)] as const);
  return { counts, shares: Object.fromEntries(shares) };
}

export function toPlainContext(context: unknown): PlainFields {
  return copyFields(context, CONTEXT_FIELDS) ?? {};
}

/** The names of the shipping methods; empty if unknown. */
export function toPlainShippingMethods(context: unknown): readonly unknown[] {
  return listEntries(readField(context, "shippingMethods"));
}

export function toPlainProducts(context: unknown): readonly PlainFields[] {
  return copyEach(readField(context, "products"), PRODUCT_FIELDS);
}

function readField(value: unknown, field: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    return Object.hasOwn(value, field) ? (value as PlainFields)[field] : undefined;
  } catch {
    return undefined;
  }
}

function copyFields(value: unknown, fields: readonly string[]): PlainFields | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const copy: Record<string, unknown> = {};
  for (const field of fields) copy[field] = readField(value, field);
  return copy;
}

function copyEach(value: unknown, fields: readonly string[]): readonly PlainFields[] {
  const copies = listEntries(value).map((entry) => copyFields(entry, fields));
  return copies.filter((copy) => copy !== undefined);
}

/** The first entries of an array, with undefined for one that throws; empty for any other value. */
function listEntries(value: unknown): readonly unknown[] {
  const length = isArray(value) ? readField(value, "length") : 0;
  const count = typeof length === "number" ? Math.min(length, ITEMS_READ) : 0;
  return Array.from({ length: count }, (_, index) => readField(value, String(index)));
}

function isArray(value: unknown): boolean {
  try {
    return Array.isArray(value);
  } catch {
    // A revoked proxy.
    return false;
  }
}

/** More leading white space than anybody types. A longer text is cut before it is read. */
const MOST_SPACE = 100;

/** The given text, perhaps blank; undefined if it isn't text. */
export function readGivenText(value: unknown, max: number): string | undefined {
  // Cut first, because trimming megabytes of spaces takes long.
  return typeof value === "string" ? cutText(value.slice(0, max + MOST_SPACE), max) : undefined;
}

/** The given text, if it isn't blank. */
export function readText(value: unknown, max: number): string | undefined {
  const text = readGivenText(value, max);
  return text === "" ? undefined : text;
}

/** A finite number that isn't negative. */
export function readNonNegative(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

export function readPositive(value: unknown): number | undefined {
  const count = readNonNegative(value);
  return count === 0 ? undefined : count;
}

export function readFlag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

const OFFSET_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/i;

/** Milliseconds since the epoch. Undefined without an offset: the result would depend on the machine's time zone. */
export function readTimeMs(value: unknown): number | undefined {
  const text = readText(value, 40);
  if (text === undefined || !OFFSET_TIME.test(text)) return undefined;
  const timeMs = Date.parse(text.toUpperCase());
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

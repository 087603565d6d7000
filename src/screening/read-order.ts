import { toOrderError, type FieldProblem } from "../base/errors.ts";
import { completeOrder, isBlank, isFields } from "../order/complete-order.ts";
import { isBuyersIp, toPlainIp } from "../order/ip-address.ts";
import { normalizeRequest } from "../order/normalize-request.ts";
import { REQUEST_LIMITS } from "../order/request-limits.ts";
import { toNumber } from "../mapping/field-reader.ts";
import {
  toFieldProblems,
  verificationRequestSchema,
  type OrderAddress,
  type OrderItem,
  type PartialVerificationRequest,
  type PaymentInfo,
  type StandIn,
  type VerificationRequest,
} from "../order/request.ts";
import { cutText } from "../order/text.ts";
import { findWarnings, type OrderWarning } from "./order-warnings.ts";

type Numeric = number | string;
type Lenient<T> = { readonly [K in keyof T]?: T[K] | null | undefined };
const COUNTS = [
  "accountAgeInDays",
  "totalOrders",
  "cancelledOrders",
  "returnedOrders",
  "fulfilledOrders",
  "averageOrderValue",
] as const;
type CountField = (typeof COUNTS)[number];

/**
 * An order as a storefront passes it: a less strict {@link VerificationRequest}. `null` and `undefined` mean "not given",
 * amounts and counts may be texts such as `"19.99"`, and the time a `Date`. The most important fields are required keys, so
 * that a misspelled one doesn't compile. An unknown field causes a warning. Amounts are in major units of `currency`.
 */
export type VerificationOrder = Lenient<
  Omit<
    VerificationRequest,
    | CountField
    | "customerName"
    | "customerEmail"
    | "orderAmount"
    | "currency"
    | "orderTimestamp"
    | "items"
    | "shippingAddress"
    | "billingAddress"
    | "paymentInfo"
  >
> &
  Lenient<Record<CountField, Numeric>> & {
    readonly orderAmount: Numeric;
    readonly currency: string;
    readonly customerName: string | null | undefined;
    readonly customerEmail: string | null | undefined;
    readonly orderTimestamp?: string | Date | null | undefined;
    /** Lines at price 0 and discounts (lines at a negative price) are left out. */
    readonly items?:
      | readonly (Lenient<Pick<OrderItem, "sku">> & {
          readonly name: string;
          readonly quantity: Numeric;
          readonly price: Numeric;
        })[]
      | null
      | undefined;
    /** If only one address is given, it also serves as the other. */
    readonly shippingAddress: Lenient<OrderAddress> | null | undefined;
    readonly billingAddress?: Lenient<OrderAddress> | null | undefined;
    readonly paymentInfo?: Lenient<PaymentInfo> | null | undefined;
  };

/** The result of reading a storefront's order. */
export type ReadOrder = {
  /** Fields that were filled because the service requires them. They aren't evidence. */
  readonly standIns: readonly StandIn[];
  readonly warnings: readonly OrderWarning[];
} & (
  | { readonly request: VerificationRequest; readonly unsent?: undefined }
  /** It isn't sent. A free order isn't judged either. Without an email address, the local engine judges what is known. */
  | { readonly request: PartialVerificationRequest; readonly unsent: "ZERO_AMOUNT" | "NO_EMAIL" }
);

type Fields = Readonly<Record<string, unknown>>;

const { shape } = verificationRequestSchema;
const ORDER_FIELDS = Object.keys(shape);
const ADDRESS_FIELDS = Object.keys(shape.shippingAddress.shape);
const CARD_FIELDS = Object.keys(shape.paymentInfo.unwrap().shape);
const LINE_FIELDS = Object.keys(shape.items.unwrap().element.shape);

/**
 * Convert an instance of a class, such as an ORM's entity, to a plain object, because copying it would lose inherited fields
 * and getters. Other values are returned unchanged.
 */
function toPlain(value: unknown, names: readonly string[]): unknown {
  if (!isFields(value) || isPlain(value)) return value;
  return { ...value, ...Object.fromEntries(names.map((name) => [name, value[name]])) };
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A storefront's order as a plain object. Objects inside it may still be instances of a class. */
export function toPlainOrder(order: unknown): unknown {
  return toPlain(order, ORDER_FIELDS);
}

/**
 * Read an order. {@link completeOrder} fills missing fields, except the email address: an order without one isn't sent. Texts
 * are cut to the service's limits, and an IP address that is unreadable or private is left out, because customers and proxies
 * write them and no order should be lost because of them.
 *
 * @throws {HoldfastError} `ORDER_INVALID` with the fields that can't be read.
 */
export function readOrder(given: unknown): ReadOrder {
  const plain = toPlainOrder(given);
  const { order, standIns } = isFields(plain) ? completeOrder(loosen(plain)) : { order: plain, standIns: [] };
  const normalized = normalizeRequest(order);
  const parsed = verificationRequestSchema.safeParse(normalized);
  if (parsed.success) {
    return { request: parsed.data, standIns, warnings: findWarnings(given, parsed.data, standIns) };
  }
  const problems = toFieldProblems(parsed.error);
  // Fields that are neither faulty nor blank match the schema.
  const known: PartialVerificationRequest = isFields(normalized) ? withoutBlanks(normalized) : {};
  const isFree = known.orderAmount === 0;
  const isFault = ({ path }: FieldProblem): boolean =>
    path === "customerEmail" ? known.customerEmail !== undefined : path !== "orderAmount" || !isFree;
  if (problems.some(isFault) || !isFields(normalized)) {
    throw toOrderError("the order can't be verified", problems);
  }
  const unsent = isFree ? "ZERO_AMOUNT" : "NO_EMAIL";
  return { request: known, unsent, standIns, warnings: findWarnings(given, known, standIns) };
}

/** Remove blank fields, also in addresses and the card. Don't go deeper, because a hostile body may be nested endlessly. */
function withoutBlanks(fields: Fields, depth = 1): Fields {
  const given = Object.entries(fields).filter(([, value]) => !isBlank(value));
  return Object.fromEntries(
    given.map(([name, value]) => [
      name,
      isFields(value) && depth > 0 ? withoutBlanks(value, depth - 1) : value,
    ]),
  );
}

/** Converts `"19.99"` to a number. Anything else stays, and the schema refuses it. */
function readNumber(value: unknown): unknown {
  return toNumber(value) ?? value;
}

function toTime(value: unknown): unknown {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value;
}

/** The maximum length of each text field. */
type Limits = readonly (readonly [name: string, max: number])[];
const FIELD_LIMITS: Limits = Object.entries(REQUEST_LIMITS);
const LINE_LIMITS: Limits = [
  ["name", REQUEST_LIMITS.itemName],
  ["sku", REQUEST_LIMITS.itemSku],
];

function loosen(order: Fields): Fields {
  const counts: Record<string, unknown> = {};
  for (const name of COUNTS) counts[name] = readNumber(order[name]);
  const { items, ipAddress } = order;
  return {
    ...cutTexts(order, FIELD_LIMITS),
    ...counts,
    orderAmount: readNumber(order["orderAmount"]),
    orderTimestamp: toTime(order["orderTimestamp"]),
    items: Array.isArray(items) ? items.map(toLine).filter((line) => !isFreeLine(line)) : items,
    shippingAddress: cutInside(order["shippingAddress"], ADDRESS_FIELDS),
    billingAddress: cutInside(order["billingAddress"], ADDRESS_FIELDS),
    paymentInfo: cutInside(order["paymentInfo"], CARD_FIELDS),
    ipAddress: typeof ipAddress === "string" ? toBuyersIp(ipAddress) : ipAddress,
  };
}

function toBuyersIp(text: string): string | undefined {
  const ip = toPlainIp(text);
  return ip !== undefined && isBuyersIp(ip) ? ip : undefined;
}

function cutInside(value: unknown, names: readonly string[]): unknown {
  const plain = toPlain(value, names);
  return isFields(plain) ? cutTexts(plain, FIELD_LIMITS) : plain;
}

/** Cut texts to their limits: customers write longer ones, which the service refuses. */
function cutTexts(fields: Fields, limits: Limits): Fields {
  let cut: Record<string, unknown> | undefined;
  for (const [name, max] of limits) {
    const text = fields[name];
    if (typeof text !== "string" || text.length <= max) continue;
    cut ??= { ...fields };
    cut[name] = cutText(text.toWellFormed(), max);
  }
  return cut ?? fields;
}

function toLine(given: unknown): unknown {
  const line = toPlain(given, LINE_FIELDS);
  if (!isFields(line)) return line;
  const { quantity, price } = line;
  return { ...cutTexts(line, LINE_LIMITS), quantity: readNumber(quantity), price: readNumber(price) };
}

/** A gift, or a discount in its own line. */
function isFreeLine(line: unknown): boolean {
  return isFields(line) && typeof line["price"] === "number" && line["price"] <= 0;
}

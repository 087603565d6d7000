import { toOrderError, type FieldProblem } from "../base/errors.ts";
import { completeOrder, isBlank, isFields } from "../order/complete-order.ts";
import { isBuyersIp, toPlainIp } from "../order/ip-address.ts";
import { createNormalizer, toLimited } from "../order/normalize-request.ts";
import { toNumber } from "../mapping/field-reader.ts";
import { toFieldProblems } from "../order/field-problems.ts";
import {
  verificationRequestSchema,
  type OrderAddress,
  type OrderItem,
  type PartialVerificationRequest,
  type PaymentInfo,
  type StandIn,
  type VerificationRequest,
} from "../order/request.ts";
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
  const { order, standIns } = isFields(plain)
    ? completeOrder(withPlainAddresses(plain))
    : { order: plain, standIns: [] };
  const normalized = normalizeLoosely(order);
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
  const faults = problems.filter(isFault);
  if (faults.length > 0) throw toOrderError("the order can't be verified", faults);
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

function withPlainAddresses({ shippingAddress, billingAddress, ...order }: Fields): Fields {
  const toPlainAddress = (address: unknown) => toPlain(address, ADDRESS_FIELDS);
  return {
    ...order,
    shippingAddress: toPlainAddress(shippingAddress),
    billingAddress: toPlainAddress(billingAddress),
  };
}

function toBuyersIp(text: string): string | undefined {
  const ip = toPlainIp(text);
  return ip !== undefined && isBuyersIp(ip) ? ip : undefined;
}

const normalizeLoosely = createNormalizer({
  // Customers write longer texts, which the service refuses.
  limited: toLimited,
  // A text such as `"19.99"`. Anything else stays, and the schema refuses it.
  number: (value) => toNumber(value) ?? value,
  time: (value) => (value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value),
  ip: toBuyersIp,
  items: (items) => items.filter((line) => !isFreeLine(line)),
});

/** A gift, or a discount in its own line. */
function isFreeLine(line: unknown): boolean {
  return isFields(line) && typeof line["price"] === "number" && line["price"] <= 0;
}

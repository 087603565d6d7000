import { toOrderError } from "../base/errors.ts";
import { completeOrder, isFields, isSendable } from "../order/complete-order.ts";
import { keepUsable } from "../order/usable-order.ts";
import type {
  OrderAddress,
  OrderItem,
  PartialVerificationRequest,
  PaymentInfo,
  StandIn,
  VerificationRequest,
} from "../order/request.ts";
import { findWarnings, warnOfReading, type OrderWarning } from "./order-warnings.ts";

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

type LenientAddress = Lenient<OrderAddress>;

/** A line of a {@link VerificationOrder}. Lines at price 0 and discounts (lines at a negative price) are left out. */
export interface VerificationOrderItem extends Lenient<Pick<OrderItem, "sku">> {
  readonly name: string;
  readonly quantity: Numeric;
  readonly price: Numeric;
}

/** The fields that need no other type than {@link VerificationRequest} gives them. */
type OtherFields = Lenient<
  Omit<
    VerificationRequest,
    | CountField
    | "customerEmail"
    | "orderAmount"
    | "currency"
    | "orderTimestamp"
    | "items"
    | "shippingAddress"
    | "billingAddress"
    | "paymentInfo"
  >
>;

/**
 * An order as a storefront passes it: a less strict {@link VerificationRequest}. `null` and `undefined` mean "not given", amounts
 * and counts may be texts such as `"19.99"`, and the time a `Date`. An unknown field causes a warning. Amounts are in major units of
 * `currency`.
 */
export interface VerificationOrder extends OtherFields, Lenient<Record<CountField, Numeric>> {
  readonly orderAmount: Numeric;
  /** ISO 4217, three letters. */
  readonly currency: string;
  /**
   * Null if the shop doesn't have it: then the order isn't sent, and the local engine judges what is known. The key is required, so that
   * a misspelled one doesn't compile.
   */
  readonly customerEmail: string | null | undefined;
  readonly orderTimestamp?: string | Date | null | undefined;
  readonly items?: readonly VerificationOrderItem[] | null | undefined;
  /** If only one address is given, it also serves as the other. */
  readonly shippingAddress?: LenientAddress | null | undefined;
  readonly billingAddress?: LenientAddress | null | undefined;
  readonly paymentInfo?: Lenient<PaymentInfo> | null | undefined;
}

export type ReadOrder = {
  /** Fields that were filled because the service requires them. They aren't evidence. */
  readonly standIns: readonly StandIn[];
  readonly warnings: readonly OrderWarning[];
} & (
  | { readonly request: VerificationRequest; readonly unsent?: undefined }
  /** It isn't sent. A free order isn't judged either. Without an email address, the local engine judges what is known. */
  | { readonly request: PartialVerificationRequest; readonly unsent: "ZERO_AMOUNT" | "NO_EMAIL" }
);

/** Without these, there is nothing to decide about. */
const REQUIRED = ["orderAmount", "currency"] as const;

/**
 * Read an order. Only its amount and its currency can refuse it: {@link keepUsable} leaves out other fields that can't be
 * read, and {@link completeOrder} fills missing ones, except the email address: an order without one isn't sent.
 *
 * @throws {HoldfastError} `ORDER_INVALID` if the amount or the currency can't be read.
 */
export function readOrder(order: unknown): ReadOrder {
  const reading = keepUsable(order);
  const { given, known } = reading;
  const faults = reading.unusable.filter(({ path }) => path === "" || REQUIRED.some((name) => name === path));
  const missing = REQUIRED.filter((name) => isFields(given) && known[name] === undefined)
    .filter((name) => !faults.some(({ path }) => path === name))
    .map((path) => ({ path, message: "is missing" }));
  if (faults.length + missing.length > 0) {
    throw toOrderError("the order can't be verified", [...faults, ...missing]);
  }
  const { order: request, standIns } = completeOrder(known);
  const warnings = [...warnOfReading(reading), ...findWarnings(given, request, standIns)];
  if (isSendable(request)) return { request, standIns, warnings };
  return { request, unsent: request.orderAmount === 0 ? "ZERO_AMOUNT" : "NO_EMAIL", standIns, warnings };
}

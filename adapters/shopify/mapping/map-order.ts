import type { MappedOrder, PlatformOrder, SkipReason, StandIn } from "../../../src/adapter-kit.ts";
import type { VerificationRequest } from "../../../src/index.ts";
import { cleanText } from "../../../src/mapping.ts";
import { toAddresses, toCompany } from "./addresses.ts";
import { toCustomer, toRecipientName, isPersonalDataWithheld } from "./customer.ts";
import { toDevice } from "./device.ts";
import { listGoods, toItems } from "./items.ts";
import { toOrderContext } from "./order-context.ts";
import { definedOnly, readId, toDecimal, type JsonObject, toTimestamp } from "../base/payload.ts";
import { toPaymentInfo } from "./payment.ts";

/** Longest order name kept, in UTF-16 code units. */
const ORDER_NAME_MAX = 100;
const CURRENCY = /^[A-Za-z]{3}$/;

export type PayloadState = "as-placed" | "as-changed";

type OptionalFacts = Omit<VerificationRequest, keyof RequiredFacts | "shippingAddress" | "billingAddress">;

interface RequiredFacts {
  readonly orderAmount: number | undefined;
  readonly currency: string | undefined;
  readonly customerName: string | undefined;
  readonly customerEmail: string | undefined;
  readonly addresses: ReturnType<typeof toAddresses>;
}

/**
 * Map an order of a Shopify webhook, without any calls. Never throws. The result is a request that the service accepts,
 * or a reason and what is known; null only if the payload names no order. Ids are read only as text: parse a body
 * without global ids so that its numbers stay texts.
 *
 * `state` says how to read the order, by default "as-placed". In both states, lines count with the quantity that was
 * ordered.
 *
 * Parsing the body costs more than mapping, and several times as much for an order from before global ids, whose
 * numbers must be kept as text.
 */
export function mapOrder(payload: JsonObject, state: PayloadState = "as-placed"): PlatformOrder | null {
  const orderId = readId(payload, "Order");
  if (orderId === undefined) return null;
  const name = toOrderName(payload, orderId);
  const orderedAt = toTimestamp(payload["processed_at"]) ?? toTimestamp(payload["created_at"]);
  const { customerId, customerName, customerEmail, standIns, ...customer } = toCustomer(payload, {
    orderedAt: orderedAt?.text,
    orderName: name,
  });
  const goods = listGoods(payload);
  const required: RequiredFacts = {
    orderAmount: toAmount(payload, state),
    currency: toCurrency(payload["currency"]),
    customerName,
    customerEmail,
    addresses: toAddresses(payload),
  };
  const optional: OptionalFacts = {
    isFirstTimeCustomer: customer.isFirstTimeCustomer,
    ...definedOnly({
      orderId,
      orderTimestamp: orderedAt?.text,
      items: toItems(payload, goods),
      customerPhone: customer.customerPhone,
      accountAgeInDays: customer.accountAgeInDays,
      paymentInfo: toPaymentInfo(payload),
    }),
    ...toCompany(payload),
    ...toDevice(payload),
  };
  return {
    orderId,
    name,
    customerId,
    mapped: {
      ...toMapped(payload, required, optional, standIns, state),
      ...definedOnly({ recipientName: toRecipientName(payload) }),
      context: toOrderContext(payload, goods),
    },
    amount: required.orderAmount,
    currency: required.currency,
    ...definedOnly({ updatedAtMs: toTimestamp(payload["updated_at"])?.ms }),
    ...(state === "as-changed" ? toProgress(payload) : {}),
  };
}

/**
 * Shopify's statuses of an order whose money is back with the customer: refunded after capture, or authorized and
 * voided.
 */
const PAID_BACK: ReadonlySet<unknown> = new Set(["refunded", "voided"]);

function toProgress(payload: JsonObject): Pick<PlatformOrder, "fulfilled" | "refunded"> {
  return {
    ...(payload["fulfillment_status"] === "fulfilled" ? { fulfilled: true } : {}),
    ...(PAID_BACK.has(payload["financial_status"]) ? { refunded: true } : {}),
  };
}

/**
 * What the order costs, in shop money: `total_price_set` also has the buyer's currency, in which Shopify does not sum a
 * shop's orders.
 *
 * For a changed order, Shopify updates `current_total_price` (REST `Order` reference: "reflects order edits, returns,
 * and refunds") and may leave `total_price` unchanged. The larger one reflects what an edit added. A refund or a
 * removed line is no new risk, so the amount stays.
 */
function toAmount(payload: JsonObject, state: PayloadState): number | undefined {
  const placed = toDecimal(payload["total_price"]);
  const current = state === "as-changed" ? toDecimal(payload["current_total_price"]) : undefined;
  return placed === undefined || current === undefined ? placed : Math.max(placed, current);
}

function toMapped(
  payload: JsonObject,
  required: RequiredFacts,
  optional: OptionalFacts,
  ofCustomer: readonly StandIn[],
  state: PayloadState,
): MappedOrder {
  const test = payload["test"] === true;
  const request = toSkipReason(payload, required, state) ?? toRequest(required, optional);
  const { addresses, orderAmount, ...named } = required;
  if (typeof request !== "string") {
    const standIns = [...ofCustomer, ...(addresses.complete?.standIns ?? [])];
    return { outcome: "screenable", request, test, ...(standIns.length === 0 ? {} : { standIns }) };
  }
  return {
    outcome: "unscreenable",
    reason: request,
    known: {
      ...optional,
      // A request's amount is positive. For a free order, the reason already says that the amount is zero.
      ...definedOnly({ ...named, orderAmount: (orderAmount ?? 0) > 0 ? orderAmount : undefined }),
      ...addresses.known,
    },
    test,
    ...(ofCustomer.length === 0 ? {} : { standIns: ofCustomer }),
  };
}

/** Why an order isn't sent although it may be complete. The first reason that applies counts. */
function toSkipReason(
  payload: JsonObject,
  required: RequiredFacts,
  state: PayloadState,
): SkipReason | undefined {
  if (cleanText(payload["cancelled_at"], ORDER_NAME_MAX) !== undefined) return "CANCELLED";
  if (required.orderAmount !== undefined && required.orderAmount <= 0) return "ZERO_AMOUNT";
  if (state === "as-placed" && isImported(payload)) return "IMPORTED";
  const withheld = isPersonalDataWithheld(payload, {
    hasName: required.customerName !== undefined,
    hasEmail: required.customerEmail !== undefined,
    hasAddress: required.addresses.isLocated,
  });
  return withheld ? "PERSONAL_DATA_NOT_GRANTED" : undefined;
}

/** Longer than any channel takes to hand over a new order. */
const IMPORTED_AFTER_MS = 2 * 86_400_000;

/**
 * Whether a past order was imported into the shop. It arrives as a new one: `created_at` is the time of the import, and
 * `processed_at` when the order was placed. One that hasn't shipped can still be held, so it counts as new.
 */
function isImported(payload: JsonObject): boolean {
  const placedAtMs = toTimestamp(payload["processed_at"])?.ms;
  const createdAtMs = toTimestamp(payload["created_at"])?.ms;
  if (payload["fulfillment_status"] !== "fulfilled" || placedAtMs === undefined) return false;
  return createdAtMs !== undefined && createdAtMs - placedAtMs > IMPORTED_AFTER_MS;
}

function toRequest(required: RequiredFacts, optional: OptionalFacts): VerificationRequest | SkipReason {
  const { orderAmount, currency, customerName, customerEmail, addresses } = required;
  if (orderAmount === undefined || currency === undefined) return "NO_AMOUNT";
  if (customerEmail === undefined) return "NO_EMAIL";
  if (customerName === undefined) return "NO_NAME";
  if (addresses.complete === undefined) return "NO_ADDRESS";
  const { shippingAddress, billingAddress } = addresses.complete;
  return {
    ...optional,
    orderAmount,
    currency,
    customerName,
    customerEmail,
    shippingAddress,
    billingAddress,
  };
}

function toOrderName(payload: JsonObject, orderId: string): string {
  const name = cleanText(payload["name"], ORDER_NAME_MAX);
  if (name !== undefined) return name;
  const number = toDecimal(payload["order_number"]);
  return number === undefined ? orderId : `#${number}`;
}

function toCurrency(value: unknown): string | undefined {
  return typeof value === "string" && CURRENCY.test(value) ? value.toUpperCase() : undefined;
}

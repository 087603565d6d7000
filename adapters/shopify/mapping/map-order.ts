import type {
  MappedOrder,
  PlatformOrder,
  SkipReason,
  StandIn,
  VerificationRequest,
} from "../../../src/index.ts";
import { cleanText } from "../../../src/mapping.ts";
import { toAddresses, toCompany, type OrderAddresses } from "./addresses.ts";
import { toCustomer, toRecipientName, isPersonalDataWithheld, toDevice } from "./customer.ts";
import { listGoods, toItems } from "./items.ts";
import { toOrderContext } from "./order-context.ts";
import { definedOnly, readId, toDecimal, type JsonObject, toTimestamp } from "../intake/payload.ts";
import { toPaymentInfo } from "./payment.ts";

/** Longest order name kept, in UTF-16 code units. */
const ORDER_NAME_MAX = 100;
const CURRENCY = /^[A-Za-z]{3}$/;

/** Whether an order is read as it was placed or as it is after changes. */
type OrderState = "as-placed" | "as-changed";

/** The part of a request that the service can do without. */
type OptionalFacts = Omit<VerificationRequest, RequiredField>;
type RequiredField =
  | "orderAmount"
  | "currency"
  | "customerName"
  | "customerEmail"
  | "shippingAddress"
  | "billingAddress";

/** The part of a request that the service requires, as far as the order has it. */
interface RequiredFacts {
  readonly orderAmount: number | undefined;
  readonly currency: string | undefined;
  readonly customerName: string | undefined;
  readonly customerEmail: string | undefined;
  readonly addresses: OrderAddresses;
}

/**
 * Map an order of a Shopify webhook, without asking anybody. Never throws: what comes out is a request that the service
 * takes, or a reason and what is known; null only when it names no order. Ids are read as text alone, so a payload whose ids are bare
 * numbers has to come from `parseOrderPayload`.
 *
 * `state` says how the order is read, "as-placed" by default. Lines count with all that was ever ordered of them either way.
 *
 * Reading the body before it costs more than mapping, and several times as much for an order from before global ids, whose
 * numbers have to be kept as text.
 */
export function mapOrder(payload: JsonObject, state: OrderState = "as-placed"): PlatformOrder | null {
  const orderId = readId(payload, "Order");
  if (orderId === undefined) return null;
  const name = toOrderName(payload, orderId);
  const orderedAt = toTimestamp(payload["processed_at"]) ?? toTimestamp(payload["created_at"]);
  const { customerId, customerName, customerEmail, standIns, ...customer } = toCustomer(payload, {
    orderedAtMs: orderedAt?.ms,
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
      ...toMapped(payload, required, optional, standIns),
      ...definedOnly({ recipientName: toRecipientName(payload) }),
      context: toOrderContext(payload, goods),
    },
    amount: required.orderAmount,
    currency: required.currency,
    ...definedOnly({ updatedAtMs: toTimestamp(payload["updated_at"])?.ms }),
    ...(state === "as-changed" ? toProgress(payload) : {}),
  };
}

/** Shopify's words for an order whose money is back with the customer: taken and returned, or authorized and let go. */
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
 * Of a changed order Shopify moves `current_total_price` (REST `Order` reference: "reflects order edits, returns, and
 * refunds") and may leave `total_price` as it was. The larger one is what an edit raised the order to; a refund or a
 * line taken away, which is no new risk, leaves the amount as it was.
 */
function toAmount(payload: JsonObject, state: OrderState): number | undefined {
  const placed = toDecimal(payload["total_price"]);
  const current = state === "as-changed" ? toDecimal(payload["current_total_price"]) : undefined;
  return placed === undefined || current === undefined ? placed : Math.max(placed, current);
}

function toMapped(
  payload: JsonObject,
  required: RequiredFacts,
  optional: OptionalFacts,
  ofCustomer: readonly StandIn[],
): MappedOrder {
  const test = payload["test"] === true;
  const request = toSkipReason(payload, required) ?? toRequest(required, optional);
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
      // A request's amount is positive; what a free order cost is known from its reason.
      ...definedOnly({ ...named, orderAmount: (orderAmount ?? 0) > 0 ? orderAmount : undefined }),
      ...addresses.known,
    },
    test,
    ...(ofCustomer.length === 0 ? {} : { standIns: ofCustomer }),
  };
}

/** Why an order is not to be sent although it may be complete. The order of the checks is the order of the reasons. */
function toSkipReason(payload: JsonObject, required: RequiredFacts): SkipReason | undefined {
  if (cleanText(payload["cancelled_at"], ORDER_NAME_MAX) !== undefined) return "CANCELLED";
  if (required.orderAmount !== undefined && required.orderAmount <= 0) return "ZERO_AMOUNT";
  const withheld = isPersonalDataWithheld(payload, {
    hasName: required.customerName !== undefined,
    hasEmail: required.customerEmail !== undefined,
    hasAddress: required.addresses.complete !== undefined,
  });
  return withheld ? "PERSONAL_DATA_NOT_GRANTED" : undefined;
}

/** The request, or what it cannot be made without. */
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

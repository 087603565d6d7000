import { REQUEST_LIMITS, toEmailAddress } from "../../src/index.ts";
import { cleanText, firstText, joinText } from "./clean-text.ts";
import { readId, toDecimal, toJsonObject, type JsonObject } from "./payload.ts";
import { NAME_KEYS } from "./protected-data.ts";
import { toTimestamp } from "./timestamp.ts";

const DAY_MS = 86_400_000;

/** Who an order names. */
export interface OrderCustomer {
  readonly customerId: string | undefined;
  readonly customerName: string | undefined;
  readonly customerEmail: string | undefined;
  readonly customerPhone: string | undefined;
  readonly isFirstTimeCustomer: boolean;
  readonly accountAgeInDays: number | undefined;
}

/** Options of {@link toCustomer}. */
export interface OrderMoment {
  /** When the order was placed, milliseconds since the epoch. */
  readonly orderedAtMs: number | undefined;
  /** What the order is called, e.g. `#1001`. */
  readonly orderName: string;
}

/** Map who an order names, each fact from the first place that has it. */
export function toCustomer(payload: JsonObject, order: OrderMoment): OrderCustomer {
  const customer = toJsonObject(payload["customer"]);
  const createdAtMs = toTimestamp(customer?.["created_at"])?.ms;
  const ageMs =
    createdAtMs === undefined || order.orderedAtMs === undefined
      ? undefined
      : Math.max(0, order.orderedAtMs - createdAtMs);
  return {
    customerId: customer === undefined ? undefined : readId(customer, "Customer"),
    customerName: toCustomerName(payload, customer),
    customerEmail: toEmail(payload["email"], payload["contact_email"], customer?.["email"]),
    customerPhone: firstText(
      REQUEST_LIMITS.customerPhone,
      payload["phone"],
      customer?.["phone"],
      toJsonObject(payload["shipping_address"])?.["phone"],
      toJsonObject(payload["billing_address"])?.["phone"],
    ),
    isFirstTimeCustomer: isFirstTime(customer, ageMs, order.orderName),
    accountAgeInDays: ageMs === undefined ? undefined : Math.floor(ageMs / DAY_MS),
  };
}

function toCustomerName(payload: JsonObject, customer: JsonObject | undefined): string | undefined {
  const cardHolder = toJsonObject(payload["payment_details"])?.["credit_card_name"];
  return (
    toName(toJsonObject(payload["billing_address"])) ??
    toName(toJsonObject(payload["shipping_address"])) ??
    toName(customer) ??
    cleanText(cardHolder, REQUEST_LIMITS.customerName)
  );
}

/** Whom the shipping address names, with the company; empty for nobody, undefined when the platform withholds it. */
export function toRecipientName(payload: JsonObject): string | undefined {
  const address = toJsonObject(payload["shipping_address"]);
  const isTold = NAME_KEYS.some((key) => address?.[key] !== undefined);
  if (address === undefined || !isTold) return undefined;
  return joinText(REQUEST_LIMITS.customerName, ", ", toName(address), address["company"]) ?? "";
}

/** The name of an address or customer; customers have no `name`, and in old orders an address has a blank one. */
function toName(person: JsonObject | undefined): string | undefined {
  return (
    cleanText(person?.["name"], REQUEST_LIMITS.customerName) ??
    joinText(REQUEST_LIMITS.customerName, " ", person?.["first_name"], person?.["last_name"])
  );
}

/** The first that the service takes as an e-mail address. A cut address would be someone else's, so none is cut. */
function toEmail(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const email = typeof value === "string" ? toEmailAddress(value) : undefined;
    if (email !== undefined) return email;
  }
  return undefined;
}

/**
 * Whether this looks like the customer's first order, as far as the payload tells; history from the Admin API takes
 * its place when there is any.
 *
 * Payloads until 2023 count the orders, this one included once the customer's last order is named like it. Later
 * ones have only the customer's age: Shopify makes the record at the first order or when somebody signs up, so one
 * made within a day of the order is new, and an older one has most likely bought before. Unknown is first-time:
 * trust has to be shown.
 */
function isFirstTime(
  customer: JsonObject | undefined,
  ageMs: number | undefined,
  orderName: string,
): boolean {
  const count = toDecimal(customer?.["orders_count"]);
  if (count === undefined) return ageMs === undefined || ageMs < DAY_MS;
  const isCounted = customer?.["last_order_name"] === orderName;
  return count < (isCounted ? 2 : 1);
}

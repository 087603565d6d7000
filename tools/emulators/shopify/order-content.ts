import { toOrderedUnits, toUnfulfilledUnits, type EmulatedOrder } from "./emulated-order.ts";
import { toConnection, type GraphNode, type PageArguments } from "./graph-node.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The order's buyer, lines, and addresses as in the schema, from the order's webhook payload. */
export function toContentNode(order: EmulatedOrder): GraphNode {
  const { id, payload, createdAt } = order;
  const currencyCode = toText(payload["currency"]) ?? "USD";
  const toMoney = (amount: unknown) => ({ shopMoney: { amount: toAmount(amount), currencyCode } });
  const lines = Array.isArray(payload["line_items"]) ? (payload["line_items"] as readonly Fields[]) : [];
  const unfulfilled = toUnfulfilledQuantities(order, lines);
  return {
    name: toText(payload["name"]) ?? `#${id.slice(-4)}`,
    createdAt: toUtc(createdAt),
    processedAt: toUtc(toText(payload["processed_at"]) ?? createdAt),
    test: payload["test"] === true,
    sourceName: toText(payload["source_name"]),
    clientIp: toText(payload["browser_ip"]),
    email: toText(payload["email"]),
    phone: toText(payload["phone"]),
    paymentGatewayNames: payload["payment_gateway_names"] ?? [],
    customerLocale: payload["customer_locale"] ?? null,
    discountCodes: toList(payload["discount_codes"]).map(({ code }) => code),
    shippingLine: toList(payload["shipping_lines"])[0] ?? null,
    currencyCode,
    updatedAt: toUtc(toText(payload["updated_at"]) ?? createdAt),
    totalPriceSet: toMoney(payload["total_price"]),
    totalTipReceivedSet: toMoney(payload["total_tip_received"]),
    currentTotalPriceSet: toMoney(payload["current_total_price"] ?? payload["total_price"]),
    billingAddress: toAddressNode(payload["billing_address"]),
    shippingAddress: toAddressNode(payload["shipping_address"]),
    lineItems: (page: PageArguments) =>
      toConnection(lines, page, (line) => ({
        __typename: "LineItem",
        name: toText(line["name"]) ?? toText(line["title"]) ?? "",
        title: toText(line["title"]) ?? "",
        isGiftCard: line["gift_card"] === true,
        vendor: toText(line["vendor"]),
        sku: toText(line["sku"]),
        quantity: line["quantity"] ?? 1,
        unfulfilledQuantity: unfulfilled.get(line),
        nonFulfillableQuantity: line["tip"] === undefined ? 0 : (line["quantity"] ?? 1),
        discountedUnitPriceAfterAllDiscountsSet: toMoney(toDiscountedPrice(line)),
      })),
  };
}

/** Shipped goods are counted in units, so the first lines count as shipped. */
function toUnfulfilledQuantities(
  order: EmulatedOrder,
  lines: readonly Fields[],
): ReadonlyMap<Fields, number> {
  let shipped = toOrderedUnits(order) - toUnfulfilledUnits(order);
  return new Map(
    lines.map((line) => {
      const quantity = Number(line["quantity"] ?? 1);
      const gone = Math.min(quantity, shipped);
      shipped -= gone;
      return [line, quantity - gone];
    }),
  );
}

/** The unit price after all discounts, to the cent: the schema calls it approximate. */
function toDiscountedPrice(line: Fields): unknown {
  const allocations = line["discount_allocations"];
  if (!Array.isArray(allocations) || allocations.length === 0) return line["price"];
  const discount = (allocations as readonly Fields[]).reduce((sum, { amount }) => sum + Number(amount), 0);
  return (Number(line["price"]) - discount / Number(line["quantity"] ?? 1)).toFixed(2);
}

/** The customer of the order's payload, or null. */
export function toPersonNode({ payload, createdAt }: EmulatedOrder): GraphNode | null {
  const customer = toFields(payload["customer"]);
  if (customer === null) return null;
  const email = toText(customer["email"]);
  const phone = toText(customer["phone"]);
  const id = toText(customer["admin_graphql_api_id"]);
  return {
    ...(id === null ? {} : { id }),
    createdAt: toUtc(toText(customer["created_at"]) ?? createdAt),
    firstName: toText(customer["first_name"]),
    lastName: toText(customer["last_name"]),
    defaultEmailAddress: email === null ? null : { emailAddress: email },
    defaultPhoneNumber: phone === null ? null : { phoneNumber: phone },
  };
}

function toAddressNode(value: unknown): GraphNode | null {
  const address = toFields(value);
  if (address === null) return null;
  const names = [toText(address["first_name"]), toText(address["last_name"])].filter((name) => name !== null);
  return {
    __typename: "MailingAddress",
    name: toText(address["name"]) ?? (names.length === 0 ? null : names.join(" ")),
    firstName: toText(address["first_name"]),
    lastName: toText(address["last_name"]),
    company: toText(address["company"]),
    address1: toText(address["address1"]),
    address2: toText(address["address2"]),
    city: toText(address["city"]),
    province: toText(address["province"]),
    provinceCode: toText(address["province_code"]),
    zip: toText(address["zip"]),
    country: toText(address["country"]),
    countryCodeV2: toText(address["country_code"]),
    phone: toText(address["phone"]),
  };
}

function toFields(value: unknown): Fields | null {
  return typeof value === "object" && value !== null ? (value as Fields) : null;
}

function toList(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as readonly Fields[]) : [];
}

/** Webhooks have an empty text where the API has null. */
function toText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** The API drops the zeros at the end of an amount, except one. */
function toAmount(value: unknown): string {
  return (toText(value) ?? "0.0").replace(/(\.\d+?)0+$/, "$1");
}

/** The API gives every time in UTC, to the second. */
function toUtc(moment: string): string {
  const ms = Date.parse(moment);
  return Number.isNaN(ms) ? moment : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

import { toMappedOrder, type PlatformOrder } from "../../src/adapter-kit.ts";
import { toRecipientName } from "../../src/mapping.ts";
import type { Order } from "./core.ts";
import { fromVendureOrder, PERSON, type VendureOptions } from "./from-vendure.ts";

/** The relations that are needed to read an order in any state. */
export const RELATIONS = [
  "customer",
  "customer.user",
  "lines",
  "lines.productVariant",
  "payments",
  "payments.refunds",
  "shippingLines",
  "surcharges",
] as const;

const ORDER_PARTS = [
  "id",
  "code",
  "state",
  "currencyCode",
  "totalWithTax",
  "orderPlacedAt",
  "updatedAt",
  "shippingAddress",
  "billingAddress",
] as const;
const LINE_PARTS = ["quantity", "orderPlacedQuantity", "proratedUnitPriceWithTax"] as const;
const CUSTOMER_PARTS = ["id", "emailAddress", "firstName", "lastName", "phoneNumber", "createdAt"] as const;

/** What Holdfast stores of an order: only what it reads. Amounts are getters, which plain JSON would lose. */
export function toContent(order: Order): unknown {
  const { customer, lines = [] } = order as Order & { readonly lines?: readonly Part[] };
  return {
    ...pick(order, ORDER_PARTS),
    customer: customer && { ...pick(customer, CUSTOMER_PARTS), user: customer.user ? {} : null },
    lines: lines.map((line) => ({
      ...pick(line, LINE_PARTS),
      productVariant: pick((line["productVariant"] ?? {}) as Part, ["name", "sku"]),
    })),
  };
}

type Part = Readonly<Record<string, unknown>>;

function pick(source: object, names: readonly string[]): Part {
  return Object.fromEntries(names.map((name) => [name, (source as Part)[name]]));
}

/** An order in the pipeline's format, from {@link toContent}, before or after JSON. */
export function mapOrder(content: unknown, options: VendureOptions): PlatformOrder {
  const known = fromVendureOrder(content, options);
  const { id, code, state, updatedAt, customer, shippingAddress } = content as Part & {
    readonly customer?: Part | null;
  };
  const orderId = toId(id);
  if (orderId === undefined) throw new TypeError("the order has no id");
  const updatedAtMs = new Date(String(updatedAt)).getTime();
  return {
    orderId,
    name: String(code),
    customerId: toId(customer?.["id"]),
    mapped: toMappedOrder(known, {
      test: false,
      cancelled: state === "Cancelled",
      recipientName: toRecipientName(shippingAddress, PERSON),
      // Only assumed until earlier orders were counted.
      standIns: ["isFirstTimeCustomer"],
    }),
    updatedAtMs: Number.isNaN(updatedAtMs) ? undefined : updatedAtMs,
    amount: known.orderAmount,
    currency: known.currency,
    ...(FULFILLED.has(String(state)) ? { fulfilled: true } : {}),
  };
}

function toId(id: unknown): string | undefined {
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}

/** Leaves out sellers' parts of an order: the customer placed the whole, which is checked once. */
export const WHOLE = { type: { notEq: "Seller" } };

/** Whether an order is a seller's part of another one, in a shop of several sellers. */
export function isPart({ type }: Order): boolean {
  return type === "Seller";
}

/** States of an order whose goods have all shipped. */
export const FULFILLED: ReadonlySet<string> = new Set(["Shipped", "Delivered"]);
/** States of an order of which some goods may still ship: a part can be delivered before the rest has shipped. */
export const PARTLY_FULFILLED: ReadonlySet<string> = new Set(["PartiallyShipped", "PartiallyDelivered"]);

import { toMappedOrder, type PlatformOrder } from "../../src/adapter-kit.ts";
import { toRecipientName } from "../../src/mapping.ts";
import { fromMedusaCart, fromMedusaOrder, PERSON } from "./from-medusa.ts";
import type { Row } from "./services.ts";

const ORDER_PARTS = [
  "id",
  "display_id",
  "status",
  "email",
  "currency_code",
  "total",
  "item_total",
  "shipping_total",
  "created_at",
  "updated_at",
  "customer_id",
] as const;

/** The fields that Holdfast reads of an order. Medusa sends totals and relations only if they're named. */
export const ORDER_FIELDS = [
  ...ORDER_PARTS,
  "metadata",
  "cart.id",
  "items.*",
  "items.detail.*",
  "shipping_address.*",
  "billing_address.*",
  "customer.*",
  "fulfillments.canceled_at",
  "payment_collections.payments.id",
  "payment_collections.payments.canceled_at",
  "payment_collections.payments.captures.id",
] as const;

const CART_PARTS = [
  "id",
  "email",
  "currency_code",
  "total",
  "item_total",
  "shipping_total",
  "updated_at",
] as const;
const LINE_PARTS = ["title", "product_title", "variant_sku", "quantity", "unit_price", "total"] as const;
const ADDRESS_PARTS = [
  "first_name",
  "last_name",
  "company",
  "phone",
  "address_1",
  "address_2",
  "city",
  "province",
  "postal_code",
  "country_code",
] as const;
const CUSTOMER_PARTS = [
  "email",
  "first_name",
  "last_name",
  "company_name",
  "phone",
  "has_account",
  "created_at",
];

/** What Holdfast stores of an order: only what it reads. */
export function toContent(order: Row): Row {
  const { id: cartId } = (order["cart"] ?? {}) as Row;
  return { ...pick(order, ORDER_PARTS), ...toBuyer(order), cartId };
}

function toBuyer(order: Row): Row {
  const items = (order["items"] ?? []) as readonly Row[];
  return {
    items: items.map((line) => pick(line, LINE_PARTS)),
    shipping_address: pickFrom(order["shipping_address"], ADDRESS_PARTS),
    billing_address: pickFrom(order["billing_address"], ADDRESS_PARTS),
    customer: pickFrom(order["customer"], CUSTOMER_PARTS),
  };
}

function pickFrom(source: unknown, names: readonly string[]): Row | null {
  return source === null || source === undefined ? null : pick(source as Row, names);
}

function pick(source: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, source[name]]));
}

/**
 * An order in the pipeline's format, from {@link toContent}. The service gets the cart's id, which the order had when
 * it was checked, so the same content is paid for once.
 */
export function mapOrder(content: unknown): PlatformOrder {
  const order = content as Row;
  const { id, cartId, status, display_id: number, updated_at: updatedAt } = order;
  if (typeof id !== "string") throw new TypeError("the order has no id");
  const known = { ...fromMedusaOrder(order), orderId: typeof cartId === "string" ? cartId : id };
  const updatedAtMs = new Date(String(updatedAt)).getTime();
  const { customer_id: customerId } = order;
  return {
    orderId: id,
    name: typeof number === "number" ? `#${number}` : id,
    customerId: typeof customerId === "string" ? customerId : undefined,
    mapped: toMappedOrder(known, { ...toFacts(order), cancelled: status === "canceled" }),
    updatedAtMs: Number.isNaN(updatedAtMs) ? undefined : updatedAtMs,
    amount: known.orderAmount,
    currency: known.currency,
  };
}

export function mapCart(cart: unknown): PlatformOrder {
  const known = fromMedusaCart({ ...pick(cart as Row, CART_PARTS), ...toBuyer(cart as Row) });
  const { id: orderId, customer_id: customerId } = cart as {
    readonly id: string;
    readonly customer_id?: string;
  };
  const mapped = toMappedOrder(known, { ...toFacts(cart as Row), cancelled: false });
  const { orderAmount: amount, currency } = known;
  return { orderId, name: orderId, customerId, mapped, amount, currency };
}

/** What the request doesn't have. Whether the customer is new is only assumed until earlier orders were counted. */
function toFacts({ shipping_address: address }: Row) {
  const standIns = ["isFirstTimeCustomer"] as const;
  return { test: false, recipientName: toRecipientName(address, PERSON), standIns };
}

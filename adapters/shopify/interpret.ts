import type { PlatformEvent, TenantId } from "../../src/index.ts";
import { cleanText } from "./clean-text.ts";
import { mapOrder } from "./map-order.ts";
import {
  parseJsonObject,
  parseJsonObjectExactly,
  parseOrderPayload,
  readId,
  toIdDigits,
  toJsonObject,
  type JsonObject,
} from "./payload.ts";
import { toShopDomain, toTenantId } from "./shop-domain.ts";

// An ISO time with every part is shorter; only whether there is one counts.
const TIME_MAX = 40;

/** A delivery as it was kept. */
export interface StoredDelivery {
  readonly tenant: TenantId;
  /** Lower-case, e.g. `orders/create`. */
  readonly topic: string;
  readonly body: Buffer;
}

interface TopicReader {
  /** How to read the body: exactly where ids come as bare numbers. */
  readonly parse: (body: Buffer) => JsonObject | null;
  readonly read: (payload: JsonObject) => PlatformEvent;
}

const READERS: ReadonlyMap<string, TopicReader> = new Map<string, TopicReader>([
  ["orders/create", { parse: parseOrderPayload, read: readOrder }],
  // Also sent for every edit. `orders/edited` names lines and how many were added or removed, and nothing of what the
  // order is after that, so there is nothing in it to compare.
  ["orders/updated", { parse: parseOrderPayload, read: readChangedOrder }],
  ["orders/cancelled", { parse: parseOrderPayload, read: readEndedOrder }],
  ["orders/delete", { parse: parseOrderPayload, read: readEndedOrder }],
  ["fulfillment_orders/order_routing_complete", { parse: parseJsonObject, read: readRoutedOrder }],
  ["app/uninstalled", { parse: parseJsonObject, read: readUninstalled }],
  ["app/scopes_update", { parse: parseJsonObject, read: readScopes }],
  ["customers/redact", { parse: parseJsonObjectExactly, read: readCustomerErasure }],
  ["customers/data_request", { parse: parseJsonObjectExactly, read: readCustomerReport }],
  ["shop/redact", { parse: parseJsonObject, read: readShopErasure }],
]);

/** The topics that lead to an event. `shopify.app.toml` subscribes to exactly these. */
export const HANDLED_TOPICS: readonly string[] = [...READERS.keys()];

/**
 * What a delivery asks for, read from its bytes alone. Never throws: what cannot be used is `ignored` with one of
 * `unknown-topic`, `unreadable-body`, `other-shop`, `other-topic`, `no-order-id`, `no-fulfillment-order-id`, `no-scopes`,
 * `no-customer`, `no-shop`.
 */
export function interpretDelivery(delivery: StoredDelivery): PlatformEvent {
  const reader = READERS.get(delivery.topic);
  if (reader === undefined) return ignored("unknown-topic");
  const payload = reader.parse(delivery.body);
  if (payload === null) return ignored("unreadable-body");
  if (namesAnotherShop(payload, delivery.tenant)) return ignored("other-shop");
  return reader.read(payload);
}

function readOrder(payload: JsonObject): PlatformEvent {
  const order = mapOrder(payload);
  return order === null ? ignored("no-order-id") : { kind: "order", order };
}

function readChangedOrder(payload: JsonObject): PlatformEvent {
  // A body without lines is no order: taken at its word, everything would be gone from the one that is known.
  if (!Array.isArray(payload["line_items"])) return ignored("other-topic");
  const order = mapOrder(payload, "as-changed");
  return order === null ? ignored("no-order-id") : { kind: "order-changed", order };
}

/** Cancelled, or deleted: either way there is nothing left to do on the platform. */
function readEndedOrder(payload: JsonObject): PlatformEvent {
  // A whole order that is not cancelled is another topic's body: taken at its word it would stop the work on it.
  const isLive = "line_items" in payload && cleanText(payload["cancelled_at"], TIME_MAX) === undefined;
  if (isLive) return ignored("other-topic");
  const orderId = readId(payload, "Order");
  return orderId === undefined ? ignored("no-order-id") : { kind: "order-cancelled", orderId };
}

function readRoutedOrder(payload: JsonObject): PlatformEvent {
  const id = toIdDigits(toJsonObject(payload["fulfillment_order"])?.["id"], "FulfillmentOrder");
  return id === undefined
    ? ignored("no-fulfillment-order-id")
    : { kind: "order-ready", reference: `gid://shopify/FulfillmentOrder/${id}` };
}

function readScopes(payload: JsonObject): PlatformEvent {
  const current = payload["current"];
  if (!Array.isArray(current)) return ignored("no-scopes");
  return {
    kind: "permissions-changed",
    granted: current.filter((scope): scope is string => typeof scope === "string"),
  };
}

/** Members of the bodies of other topics, none of which a shop resource has. */
const NOT_OF_A_SHOP = [
  "line_items",
  "customer",
  "orders_to_redact",
  "orders_requested",
  "fulfillment_order",
  "order_edit",
  "previous",
];

/** The signature covers the body and not the topic: what takes a shop's access away must look like a shop. */
function readUninstalled(payload: JsonObject): PlatformEvent {
  return NOT_OF_A_SHOP.some((member) => member in payload) ? ignored("other-topic") : { kind: "uninstalled" };
}

/** Whose data a request of a privacy law is about. */
interface DataSubject {
  readonly orderIds: readonly string[];
  readonly email: string | undefined;
  readonly customerId: string | undefined;
}

function readCustomerErasure(payload: JsonObject): PlatformEvent {
  const subject = toDataSubject(payload, "orders_to_redact");
  return subject === null ? ignored("no-customer") : { kind: "erase-customer", ...subject };
}

function readCustomerReport(payload: JsonObject): PlatformEvent {
  const subject = toDataSubject(payload, "orders_requested");
  if (subject === null) return ignored("no-customer");
  // The deadline of the law does not wait for a number: a request without one is still a request.
  const requestId = toIdDigits(toJsonObject(payload["data_request"])?.["id"], "DataRequest") ?? "unknown";
  return { kind: "report-customer", requestId, ...subject };
}

// Longer than any address can be (RFC 5321, 4.5.3.1); only bounds what is compared.
const EMAIL_MAX = 320;

function toDataSubject(payload: JsonObject, ordersKey: string): DataSubject | null {
  const customer = toJsonObject(payload["customer"]);
  const orders = payload[ordersKey];
  const orderIds = (Array.isArray(orders) ? orders : [])
    .map((id: unknown) => toIdDigits(id, "Order"))
    .filter((id) => id !== undefined);
  const email = cleanText(customer?.["email"], EMAIL_MAX);
  const customerId = customer === undefined ? undefined : readId(customer, "Customer");
  if (orderIds.length === 0 && email === undefined && customerId === undefined) return null;
  return { orderIds: [...new Set(orderIds)], email, customerId };
}

/** Erasing a shop takes the body that only this topic has: headers are not signed, so a topic can be swapped. */
function readShopErasure(payload: JsonObject): PlatformEvent {
  if (NOT_OF_A_SHOP.some((member) => member in payload)) return ignored("other-topic");
  return "shop_id" in payload || "shop_domain" in payload ? { kind: "erase-tenant" } : ignored("no-shop");
}

/**
 * Whether the signed body names a shop other than the one in the unsigned header, as a replayed delivery would.
 * Samples name `{shop}.myshopify.com` or null, which is no shop.
 */
function namesAnotherShop(payload: JsonObject, tenant: TenantId): boolean {
  const shop = toShopDomain(payload["shop_domain"]) ?? toShopDomain(payload["myshopify_domain"]);
  return shop !== undefined && toTenantId(shop) !== tenant;
}

function ignored(reason: string): PlatformEvent {
  return { kind: "ignored", reason };
}

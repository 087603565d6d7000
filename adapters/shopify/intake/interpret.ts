import type { Dispute, Platform, PlatformEvent, TenantId } from "../../../src/adapter-kit.ts";
import { cleanText } from "../../../src/mapping.ts";
import {
  isCustomerErasure,
  isCustomerReport,
  isDispute,
  isEndedOrder,
  isHoldReleased,
  isMerged,
  isMoved,
  isOrder,
  isPlacedOnHold,
  isRiskAssessment,
  isRouting,
  isScopes,
  isShop,
  isShopErasure,
  isSplit,
  isWholeOrder,
  type Shape,
} from "./body-shapes.ts";
import { FLOW_ACTION_TOPIC, isFlowAction, readFlowAction } from "./flow-action.ts";
import { mapOrder } from "../mapping/map-order.ts";
import { HOLD_HANDLE, toReference } from "../base/fulfillment-ids.ts";
import {
  parseJsonObject,
  parseJsonObjectExactly,
  parseOrderPayload,
  readId,
  toIdDigits,
  toJsonObject,
  toJsonObjects,
  toTimestamp,
  type JsonObject,
} from "../base/payload.ts";
import { toShopDomain, toTenantId } from "../base/shop-domain.ts";

/** How to read the body (with exact numbers if ids are bare numbers), its shape, and the event in it. */
type TopicReader = readonly [
  parse: (body: Buffer) => JsonObject | null,
  shape: Shape,
  read: (payload: JsonObject) => PlatformEvent,
];

const READERS: ReadonlyMap<string, TopicReader> = new Map<string, TopicReader>([
  ["orders/create", [parseOrderPayload, isOrder, (payload) => readOrder(payload)]],
  // Also sent for every edit. `orders/edited` lists only the lines that changed, not the order after the edit, so it has
  // nothing to compare.
  ["orders/updated", [parseOrderPayload, isWholeOrder, (payload) => readOrder(payload, "order-changed")]],
  ["orders/cancelled", [parseOrderPayload, isEndedOrder, readEndedOrder]],
  ["orders/delete", [parseOrderPayload, isEndedOrder, readEndedOrder]],
  ["orders/risk_assessment_changed", [parseJsonObjectExactly, isRiskAssessment, readRiskAssessment]],
  ["fulfillment_orders/order_routing_complete", [parseJsonObject, isRouting, readFulfillmentOrders]],
  // Only hints: Holdfast reads the current state from Shopify before it acts.
  ["fulfillment_orders/placed_on_hold", [parseJsonObject, isPlacedOnHold, readNewHold]],
  ["fulfillment_orders/hold_released", [parseJsonObject, isHoldReleased, readFulfillmentOrders]],
  [
    "fulfillment_orders/scheduled_fulfillment_order_ready",
    [parseJsonObject, isRouting, readFulfillmentOrders],
  ],
  ["fulfillment_orders/split", [parseJsonObject, isSplit, readFulfillmentOrders]],
  ["fulfillment_orders/moved", [parseJsonObject, isMoved, readFulfillmentOrders]],
  ["fulfillment_orders/merged", [parseJsonObject, isMerged, readMerge]],
  ["disputes/create", [parseJsonObjectExactly, isDispute, readDispute]],
  ["disputes/update", [parseJsonObjectExactly, isDispute, readDispute]],
  ["app/uninstalled", [parseJsonObject, isShop, () => ({ kind: "uninstalled" })]],
  ["app/scopes_update", [parseJsonObject, isScopes, readScopes]],
  ["customers/redact", [parseJsonObjectExactly, isCustomerErasure, readCustomerErasure]],
  ["customers/data_request", [parseJsonObjectExactly, isCustomerReport, readCustomerReport]],
  [FLOW_ACTION_TOPIC, [parseJsonObjectExactly, isFlowAction, readFlowAction]],
  ["shop/redact", [parseJsonObject, isShopErasure, () => ({ kind: "erase-tenant" })]],
]);

/** The topics that lead to an event. `shopify.app.toml` subscribes to these, except {@link DISPUTE_TOPICS}. */
export const HANDLED_TOPICS: readonly string[] = [...READERS.keys()].filter(
  (topic) => topic !== FLOW_ACTION_TOPIC,
);
/**
 * Subscribed over the API in shops that granted the optional scope, because Shopify may refuse a file that names these
 * topics.
 */
export const DISPUTE_TOPICS: readonly string[] = ["disputes/create", "disputes/update"];

/**
 * What a delivery asks for, read only from its bytes. Never throws: an unusable delivery is `ignored` with one of
 * `unknown-topic`, `unreadable-body`, `no-order-id`, `no-dispute-id`, `no-fulfillment-order-id`, `own-hold`,
 * `not-shopifys`, `no-customer`; a body that isn't one of the topic, or names another shop, is `refused`.
 */
export const interpretDelivery: Platform["interpret"] = (delivery) => {
  const reader = READERS.get(delivery.topic);
  if (reader === undefined) return ignored("unknown-topic");
  const [parse, hasShape, read] = reader;
  const payload = parse(delivery.body);
  if (payload === null) return unreadable("unreadable-body");
  if (!hasShape(payload)) return { kind: "refused", reason: "other-topic" };
  if (namesAnotherShop(payload, delivery.tenant)) return { kind: "refused", reason: "other-tenant" };
  return read(payload);
};

function readOrder(payload: JsonObject, kind: "order" | "order-changed" = "order"): PlatformEvent {
  const order = mapOrder(payload, kind === "order" ? "as-placed" : "as-changed");
  return order === null ? unreadable("no-order-id") : { kind, order };
}

/** Canceled or deleted: nothing is left to do on the platform. */
function readEndedOrder(payload: JsonObject): PlatformEvent {
  const orderId = readId(payload, "Order");
  if (orderId === undefined) return unreadable("no-order-id");
  const isFraud = payload["cancel_reason"] === "fraud";
  return { kind: "order-cancelled", orderId, ...(isFraud ? { asFraud: true } : {}) };
}

/** Shopify sends the assessments of every app, including Holdfast's own. Only Shopify's own has no provider. */
function readRiskAssessment(payload: JsonObject): PlatformEvent {
  if (payload["provider_id"] !== null) return ignored("not-shopifys");
  const ids = [payload["admin_graphql_api_order_id"], payload["order_id"]];
  const orderId = ids.map((id) => toIdDigits(id, "Order")).find((id) => id !== undefined);
  return orderId === undefined ? ignored("no-order-id") : { kind: "context-changed", orderId };
}

/** The fields in which bodies about fulfillment orders name one, the most reliable first. */
const FULFILLMENT_ORDERS = [
  "moved_fulfillment_order",
  "fulfillment_order",
  "remaining_fulfillment_order",
  "replacement_fulfillment_order",
  "original_fulfillment_order",
] as const;

function readFulfillmentOrders(payload: JsonObject): PlatformEvent {
  const reference = toReference(FULFILLMENT_ORDERS.map((member) => toJsonObject(payload[member])?.["id"]));
  return reference === undefined ? unreadable("no-fulfillment-order-id") : { kind: "order-ready", reference };
}

/** Shopify's own sample has one result, older documentation a list. */
function readMerge(payload: JsonObject): PlatformEvent {
  const merges = payload["fulfillment_order_merges"];
  const [merge] = toJsonObjects(Array.isArray(merges) ? merges : [merges]);
  return merge === undefined ? unreadable("no-fulfillment-order-id") : readFulfillmentOrders(merge);
}

/** Our own hold also causes an event. It can be ignored, unless the hold left out a part of the fulfillment order. */
function readNewHold(payload: JsonObject): PlatformEvent {
  const made = toJsonObject(payload["created_fulfillment_hold"]);
  const isOurs = made?.["handle"] === HOLD_HANDLE && made["held_by_requesting_app"] === true;
  const isWhole = toJsonObject(payload["remaining_fulfillment_order"]) === undefined;
  return isOurs && isWhole ? ignored("own-hold") : readFulfillmentOrders(payload);
}

const DISPUTE_ENDS: ReadonlyMap<unknown, Dispute["status"]> = new Map([
  ["won", "won"],
  ["lost", "lost"],
  ["accepted", "lost"],
  ["charge_refunded", "refunded"],
  ["prevented", "prevented"],
] as const);
/** Shopify's reasons with which a cardholder says that they didn't buy. */
const FRAUD_REASONS: ReadonlySet<string> = new Set(["fraudulent", "unrecognized", "debit_not_authorized"]);
const REASON = /^[a-z_]{1,64}$/;

function readDispute(payload: JsonObject): PlatformEvent {
  const disputeId = readId(payload, "ShopifyPaymentsDispute");
  const orderId = toIdDigits(payload["order_id"], "Order");
  if (orderId === undefined) return ignored("no-order-id");
  if (disputeId === undefined) return unreadable("no-dispute-id");
  const given = cleanText(payload["reason"], 64)?.toLowerCase() ?? "";
  const reason = REASON.test(given) ? given : "general";
  const dispute: Dispute = {
    disputeId,
    orderId,
    kind: payload["type"] === "inquiry" ? "inquiry" : "chargeback",
    status: DISPUTE_ENDS.get(payload["status"]) ?? "open",
    reason,
    isFraud: FRAUD_REASONS.has(reason),
    initiatedAtMs: toTimestamp(payload["initiated_at"])?.ms ?? 0,
    evidenceDueAtMs: toTimestamp(payload["evidence_due_by"])?.ms,
    evidenceSentAtMs: toTimestamp(payload["evidence_sent_on"])?.ms,
    networkCode: toNetworkCode(payload["network_reason_code"]),
  };
  return { kind: "dispute", dispute };
}

const NETWORK_CODE = /^[\dA-Za-z.]{1,16}$/;

function toNetworkCode(value: unknown): string | undefined {
  const code = cleanText(value, 16);
  return code !== undefined && NETWORK_CODE.test(code) ? code : undefined;
}

function readScopes(payload: JsonObject): PlatformEvent {
  const granted = (payload["current"] as readonly unknown[]).filter((scope) => typeof scope === "string");
  return { kind: "permissions-changed", granted };
}

type DataSubject = Omit<Extract<PlatformEvent, { readonly kind: "erase-customer" }>, "kind">;

function readCustomerErasure(payload: JsonObject): PlatformEvent {
  const subject = toDataSubject(payload, "orders_to_redact");
  return subject === null ? unreadable("no-customer") : { kind: "erase-customer", ...subject };
}

function readCustomerReport(payload: JsonObject): PlatformEvent {
  const subject = toDataSubject(payload, "orders_requested");
  if (subject === null) return unreadable("no-customer");
  // The legal deadline also applies to a request without an ID.
  const requestId = toIdDigits(toJsonObject(payload["data_request"])?.["id"], "DataRequest") ?? null;
  return { kind: "report-customer", requestId, ...subject };
}

// Longer than any email address (RFC 5321, 4.5.3.1). Limits the text that is compared.
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

/**
 * Whether the signed body names a shop other than the unsigned header, as in a replayed delivery.
 * `{shop}.myshopify.com` and null, as in Shopify's samples, don't count.
 *
 * Orders name no shop reliably: `order_status_url` has the shop's primary domain, which merchants choose.
 */
function namesAnotherShop(payload: JsonObject, tenant: TenantId): boolean {
  return ["shop_domain", "myshopify_domain", "shopify_domain"].some((member) => {
    const shop = toShopDomain(payload[member]);
    return shop !== undefined && toTenantId(shop) !== tenant;
  });
}

function ignored(reason: string): PlatformEvent {
  return { kind: "ignored", reason };
}

function unreadable(reason: string): PlatformEvent {
  return { kind: "ignored", reason, isUnreadable: true };
}

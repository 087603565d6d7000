import { cleanText } from "../../../src/mapping.ts";
import { toJsonObject, type JsonObject } from "../base/payload.ts";

/** Whether a body belongs to a topic. */
export type Shape = (payload: JsonObject) => boolean;

// An ISO time with every part is shorter than this; only its presence counts.
const TIME_MAX = 40;
const GLOBAL_ID_TYPE = /^gid:\/\/shopify\/([A-Za-z]{1,64})\//;

/*
 * Shopify signs the body and not the topic, so a body that was captured once can be sent as any topic. Each shape below
 * accepts every body that Shopify sends for its topic, in all API versions and also when personal data is withheld. It
 * rejects the bodies of the other topics in `shopify.app.toml`, except bodies that can mean the same.
 */

/** An order: the body of `orders/create`. */
export function isOrder(payload: JsonObject): boolean {
  const type = GLOBAL_ID_TYPE.exec(String(payload["admin_graphql_api_id"]))?.[1];
  if (type !== undefined) return type === "Order";
  if ("financial_status" in payload || "order_number" in payload) return true;
  // Orders from before global ids. Only checkouts and drafts also have a time of completion.
  const hasTotal = Array.isArray(payload["line_items"]) && "total_price" in payload;
  return hasTotal && !("completed_at" in payload);
}

/** An order with its lines. Without them, the order would look empty. */
export function isWholeOrder(payload: JsonObject): boolean {
  return isOrder(payload) && Array.isArray(payload["line_items"]);
}

const ID_MEMBERS = ["id", "admin_graphql_api_id"];

/** A canceled order, or only the ID of a deleted one. Either way, nothing is left to do. */
export function isEndedOrder(payload: JsonObject): boolean {
  const members = Object.keys(payload);
  if (members.every((member) => member === "id")) return members.length > 0;
  if (members.every((member) => ID_MEMBERS.includes(member))) return isOrder(payload);
  return isOrder(payload) && cleanText(payload["cancelled_at"], TIME_MAX) !== undefined;
}

/** Members of the other bodies about fulfillment orders. */
const OTHER_CHANGES = [
  "created_fulfillment_hold",
  "held_fulfillment_order_line_items",
  "remaining_fulfillment_order",
  "split_line_items",
  "fulfillment_hold",
  "original_fulfillment_order",
] as const;

/** A fulfillment order without another change: `order_routing_complete`, or `scheduled_fulfillment_order_ready`. */
export function isRouting(payload: JsonObject): boolean {
  const hasOther = OTHER_CHANGES.some((member) => member in payload);
  return toJsonObject(payload["fulfillment_order"]) !== undefined && !hasOther;
}

/** `hold_released`: the same body as when an order was routed, of a fulfillment order that isn't on hold. */
export function isHoldReleased(payload: JsonObject): boolean {
  return isRouting(payload) && toJsonObject(payload["fulfillment_order"])?.["status"] !== "on_hold";
}

/** `placed_on_hold`: the fulfillment order, and the hold that was made or the lines it covers. */
export function isPlacedOnHold(payload: JsonObject): boolean {
  const names = toJsonObject(payload["created_fulfillment_hold"]) !== undefined;
  const covers = Array.isArray(payload["held_fulfillment_order_line_items"]);
  return toJsonObject(payload["fulfillment_order"]) !== undefined && (names || covers);
}

/** `split`: the fulfillment order, and the lines that left it. */
export function isSplit(payload: JsonObject): boolean {
  return (
    toJsonObject(payload["fulfillment_order"]) !== undefined && Array.isArray(payload["split_line_items"])
  );
}

/** `moved`: the fulfillment order the lines were in, and the one they are in now. */
export function isMoved(payload: JsonObject): boolean {
  return (
    toJsonObject(payload["original_fulfillment_order"]) !== undefined &&
    toJsonObject(payload["moved_fulfillment_order"]) !== undefined
  );
}

/** `merged`: which fulfillment orders were merged, and the one they are in now. */
export function isMerged(payload: JsonObject): boolean {
  return Array.isArray(payload["merge_intents"]) && "fulfillment_order_merges" in payload;
}

/** A risk assessment of `orders/risk_assessment_changed`: its level, its provider and its order, and nothing nested. */
export function isRiskAssessment(payload: JsonObject): boolean {
  const names = "order_id" in payload || "admin_graphql_api_order_id" in payload;
  return names && "risk_level" in payload && "provider_id" in payload && hasScalarsOnly(payload);
}

/** A dispute of Shopify Payments, of an order or not. */
export function isDispute(payload: JsonObject): boolean {
  const isOfKind = payload["type"] === "inquiry" || payload["type"] === "chargeback";
  return isOfKind && "order_id" in payload && "status" in payload && "initiated_at" in payload;
}

/** A shop: the body of `app/uninstalled`. Shopify's own sample leaves its domains empty. */
export function isShop(payload: JsonObject): boolean {
  return !isOrder(payload) && "id" in payload && "myshopify_domain" in payload;
}

/** The permissions of `app/scopes_update`, before and after. */
export function isScopes(payload: JsonObject): boolean {
  return Array.isArray(payload["current"]) && "previous" in payload;
}

export function isCustomerErasure(payload: JsonObject): boolean {
  return "orders_to_redact" in payload && isAboutCustomer(payload);
}

export function isCustomerReport(payload: JsonObject): boolean {
  return "orders_requested" in payload && isAboutCustomer(payload);
}

/** A shop whose data must be erased: its ID and its domain, and nothing else. */
export function isShopErasure(payload: JsonObject): boolean {
  return "shop_id" in payload && "shop_domain" in payload && hasScalarsOnly(payload);
}

function isAboutCustomer(payload: JsonObject): boolean {
  return !isOrder(payload) && "customer" in payload && ("shop_id" in payload || "shop_domain" in payload);
}

function hasScalarsOnly(payload: JsonObject): boolean {
  return Object.values(payload).every((value) => typeof value !== "object" || value === null);
}

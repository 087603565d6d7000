import type { Authentication, PlatformEvent } from "../../../src/adapter-kit.ts";
import { toIdDigits, toJsonObject, type JsonObject } from "../base/payload.ts";
import { toShopDomain, toTenantId } from "../base/shop-domain.ts";

/** Handle of the action in `extensions/flow-action/shopify.extension.toml`. */
export const FLOW_ACTION_HANDLE = "holdfast-check-order";

/** The topic under which a run of the action is stored. Shopify has no such webhook. */
export const FLOW_ACTION_TOPIC = "flow/check_order";

const RUN_ID = /^[\x21-\x7e]{1,200}$/;

/** Whether a body is a run of our action in Shopify Flow. All relevant data is in the signed body. */
export function isFlowAction(payload: JsonObject): boolean {
  return payload["handle"] === FLOW_ACTION_HANDLE && toJsonObject(payload["properties"]) !== undefined;
}

/**
 * The shop and id of a run, or null if the body isn't a run. Flow repeats a run until it is answered, so its id is the
 * delivery's id.
 */
export function readFlowDelivery(payload: JsonObject): Authentication | null {
  const shop = toShopDomain(payload["shopify_domain"]);
  const runId = payload["action_run_id"];
  if (!isFlowAction(payload) || shop === undefined) return null;
  if (typeof runId !== "string" || !RUN_ID.test(runId)) return null;
  return {
    outcome: "accepted",
    tenant: toTenantId(shop),
    deliveryId: `flow:${runId}`,
    topic: FLOW_ACTION_TOPIC,
  };
}

export function readFlowAction(payload: JsonObject): PlatformEvent {
  const orderId = toIdDigits(toJsonObject(payload["properties"])?.["order_id"], "Order");
  return orderId === undefined
    ? { kind: "ignored", reason: "no-order-id" }
    : { kind: "check-requested", orderId };
}

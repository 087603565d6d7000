import type { Authentication, PlatformEvent } from "../../../src/index.ts";
import { toIdDigits, toJsonObject, type JsonObject } from "./payload.ts";
import { toShopDomain, toTenantId } from "./shop-domain.ts";

/** Handle of the action in `extensions/flow-action/shopify.extension.toml`. */
export const FLOW_ACTION_HANDLE = "holdfast-check-order";

/** What a run of the action is stored as. Shopify sends no such webhook. */
export const FLOW_ACTION_TOPIC = "flow/check_order";

const RUN_ID = /^[\x21-\x7e]{1,200}$/;

/** A run of our action in Shopify Flow. Everything that counts is in the body, which is signed. */
export function isFlowAction(payload: JsonObject): boolean {
  return payload["handle"] === FLOW_ACTION_HANDLE && toJsonObject(payload["properties"]) !== undefined;
}

/** Whose run it is, or null when the body isn't one. Flow sends a run again until it is answered: its id is the delivery's. */
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

/** The order that a workflow asks to have checked. */
export function readFlowAction(payload: JsonObject): PlatformEvent {
  const orderId = toIdDigits(toJsonObject(payload["properties"])?.["order_id"], "Order");
  return orderId === undefined
    ? { kind: "ignored", reason: "no-order-id" }
    : { kind: "check-requested", orderId };
}

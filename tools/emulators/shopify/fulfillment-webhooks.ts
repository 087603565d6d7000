import type { EmulatedFulfillmentOrder, EmulatedHold } from "./emulated-order.ts";

/** A webhook that the platform would sign and send. */
export interface EmulatedWebhook {
  readonly topic: string;
  readonly body: string;
}

/** `orders/risk_assessment_changed` of Shopify's own analysis. Its ids are numbers, and too long for JavaScript's. */
export function toAssessedBody(orderId: string, riskLevel: string, nowMs: number): string {
  const fields = {
    provider_id: null,
    provider_title: null,
    risk_level: riskLevel.toLowerCase(),
    created_at: new Date(nowMs).toISOString(),
    admin_graphql_api_order_id: `gid://shopify/Order/${orderId}`,
  };
  return `${JSON.stringify(fields).slice(0, -1)},"order_id":${orderId}}`;
}

/* Bodies of the webhooks about fulfillment orders, as in Shopify's reference. */

/** `fulfillment_orders/hold_released`. */
export function toReleasedBody(entry: EmulatedFulfillmentOrder): string {
  return JSON.stringify({ fulfillment_order: toEntry(entry) });
}

/** `fulfillment_orders/placed_on_hold`. */
export function toHeldBody(entry: EmulatedFulfillmentOrder, made: EmulatedHold): string {
  const holds = entry.holds.map((hold) => toHold(hold));
  return JSON.stringify({
    fulfillment_order: { ...toEntry(entry), fulfillment_holds: holds },
    remaining_fulfillment_order: null,
    held_fulfillment_order_line_items: [{ id: toLineId(entry), quantity: entry.units ?? 1 }],
    created_fulfillment_hold: toHold(made),
  });
}

/** `fulfillment_orders/split`. */
export function toSplitBody(
  entry: EmulatedFulfillmentOrder,
  rest: EmulatedFulfillmentOrder,
  quantity: number,
): string {
  return JSON.stringify({
    split_line_items: [{ id: toLineId(rest), quantity }],
    fulfillment_order: toEntry(entry),
    remaining_fulfillment_order: toEntry(rest),
    replacement_fulfillment_order: null,
  });
}

/** `fulfillment_orders/moved`. */
export function toMovedBody(
  entry: EmulatedFulfillmentOrder,
  moved: EmulatedFulfillmentOrder,
  quantity: number,
): string {
  const [from, to] = ["gid://shopify/Location/1", "gid://shopify/Location/2"];
  return JSON.stringify({
    original_fulfillment_order: { ...toEntry(entry), assigned_location_id: from },
    moved_fulfillment_order: { ...toEntry(moved), assigned_location_id: to },
    destination_location_id: to,
    fulfillment_order_line_items_requested: [{ id: toLineId(entry), quantity }],
    source_location: { id: from },
  });
}

/** `fulfillment_orders/merged`. The ids of the merged ones are numbers there. */
export function toMergedBody(
  merged: readonly EmulatedFulfillmentOrder[],
  result: EmulatedFulfillmentOrder,
): string {
  return JSON.stringify({
    merge_intents: merged.map((entry) => ({
      fulfillment_order_id: Number(toDigits(entry.id)),
      fulfillment_order_line_items: [{ id: Number(toDigits(entry.id)), quantity: entry.units ?? 1 }],
    })),
    fulfillment_order_merges: { fulfillment_order: toEntry(result) },
  });
}

function toDigits(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

function toEntry({ id, status }: EmulatedFulfillmentOrder) {
  return { id, status: status.toLowerCase() };
}

function toLineId({ id }: EmulatedFulfillmentOrder): string {
  return id.replace("FulfillmentOrder", "FulfillmentOrderLineItem");
}

function toHold({ id, handle, reason, reasonNotes, ours }: EmulatedHold) {
  return {
    id,
    reason: reason.toLowerCase(),
    reason_notes: reasonNotes,
    held_by_requesting_app: ours,
    handle,
    held_by_app: { id: ours ? "gid://shopify/App/1" : "gid://shopify/App/2" },
  };
}

import type { ObservedOrder, TenantId } from "../../../src/index.ts";
import { toPlatformRisk, type OrderRisk } from "../mapping/platform-risk.ts";
import type { AdminClient } from "../admin/admin-client.ts";
import { canHold, findOwnHold, readOn, type FulfillmentOrderPage } from "./fulfillment-orders.ts";
import { LOCATE_FULFILLMENT_ORDER, OBSERVE_ORDER } from "../admin/operations.ts";
import { toOrderGid, toOrderId, toIdDigits } from "../intake/payload.ts";
import { toShop } from "../intake/shop-domain.ts";
import { askShop } from "./step.ts";

interface ObserveAnswer {
  readonly order: {
    readonly cancelledAt: string | null;
    readonly displayFulfillmentStatus: string;
    readonly tags: readonly string[];
    readonly risk: OrderRisk;
    readonly fulfillmentOrders: FulfillmentOrderPage;
  } | null;
}

interface LocateAnswer {
  readonly fulfillmentOrder: { readonly order: { readonly id: string } } | null;
}

/** Shopify has no level above HIGH. If an order has several of our assessments, Shopify uses the most severe. */
const SEVERITY = ["HIGH", "MEDIUM", "LOW", "PENDING", "NONE"];

/**
 * What the shop shows of an order now; null when it does not know the order. One query, unless the order has more than
 * fifty fulfillment orders.
 */
export async function observeOrder(
  client: AdminClient,
  apiKey: string,
  tenant: TenantId,
  orderId: string,
  signal: AbortSignal | undefined,
): Promise<ObservedOrder | null> {
  const orderGid = toOrderGid(orderId);
  if (orderGid === undefined) return null;
  const ask = askShop(client, toShop(tenant), signal);
  const { order } = (await ask<ObserveAnswer>(OBSERVE_ORDER, { id: orderGid })).data;
  const entries = order === null ? null : await readOn(ask, orderGid, order.fulfillmentOrders);
  if (order === null || entries === null) return null;
  const ours = order.risk.assessments.filter(({ provider }) => provider?.apiKey === apiKey);
  return {
    cancelled: order.cancelledAt !== null,
    fulfilled: order.displayFulfillmentStatus === "FULFILLED",
    partlyFulfilled: order.displayFulfillmentStatus === "PARTIALLY_FULFILLED",
    holdable: entries.some(canHold),
    tags: order.tags,
    holds: entries.flatMap((entry) => {
      const hold = findOwnHold(entry);
      return hold === undefined ? [] : [{ holdId: hold.id, reference: entry.id }];
    }),
    assessment: SEVERITY.find((level) => ours.some(({ riskLevel }) => riskLevel === level)) ?? null,
    platformRisk: toPlatformRisk(order.risk, ours.length > 0),
  };
}

/** The order a fulfillment order belongs to; null when the shop does not know it. */
export async function locateOrder(
  client: AdminClient,
  tenant: TenantId,
  reference: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const digits = toIdDigits(reference, "FulfillmentOrder");
  if (digits === undefined) return null;
  const ask = askShop(client, toShop(tenant), signal);
  const id = `gid://shopify/FulfillmentOrder/${digits}`;
  const { fulfillmentOrder: found } = (await ask<LocateAnswer>(LOCATE_FULFILLMENT_ORDER, { id })).data;
  return found === null ? null : (toOrderId(found.order.id) ?? null);
}

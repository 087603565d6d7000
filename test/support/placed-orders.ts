import type { EmulatedTransaction } from "../../tools/emulators/shopify/emulated-order.ts";
import type { ShopifyStage } from "./shopify-stage.ts";
import { toShopOrder } from "./shop-orders.ts";

/** An order that a customer places. */
export interface PlacedOrder {
  /** Counts from 1; the order's name is `#1000` plus this number. */
  readonly number: number;
  /** The sandbox judges by it: `high` is `high@risk.example`. */
  readonly as: string;
  /** Default 120, in dollars. */
  readonly amount?: number;
  /** Changes to the webhook's body. */
  readonly payload?: Readonly<Record<string, unknown>>;
}

const REST: ReadonlySet<string> = new Set(["settled", "review", "failed"]);

/**
 * Place orders in a shop, tell the app, and wait until it has done everything it does by itself. Returns their ids.
 *
 * @param transactions - the payments of each. Default: none.
 */
export async function placeOrders(
  stage: ShopifyStage,
  shop: string,
  orders: readonly PlacedOrder[],
  transactions: readonly EmulatedTransaction[] = [],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const { number, as, amount = 120, payload = {} } of orders) {
    // As in real payloads, no two shops send the same bytes.
    const named = { order_status_url: `https://${shop}/1/orders/${number}`, ...payload };
    const order = toShopOrder(number, { email: `${as}@risk.example`, amount, payload: named });
    stage.emulator.shop(shop).addOrder({ orderId: order.orderId, routed: 1, payload, transactions });
    const status = await stage.deliver({ shop, topic: "orders/create", body: order.body });
    if (status !== 200) throw new Error(`the webhook was answered ${status}`);
    ids.push(order.orderId);
  }
  await stage.until(shop, (listed) =>
    ids.every((id) => listed.some(({ orderId, state }) => orderId === id && REST.has(state))),
  );
  return ids;
}

/** What has happened to an order on the platform. */
export function seeOnPlatform(stage: ShopifyStage, shop: string, orderId: string) {
  const order = stage.emulator.shop(shop).order(orderId);
  return {
    tags: order.tags,
    holds: order.fulfillmentOrders.flatMap(({ holds }) => holds).length,
    cancellations: order.cancellations.length,
    cancelled: order.cancelledAt !== null,
  };
}

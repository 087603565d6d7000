import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { APP_SECRET, atRest, createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { toShopOrder } from "../support/shop-orders.ts";

const SHOP = "workflows.myshopify.com";
const ORDER = toShopOrder(1, { email: "high@risk.example", amount: 120 });

let stage: ShopifyStage;

beforeEach(async () => {
  stage = await createShopifyStage();
  const payload = JSON.parse(ORDER.body) as Record<string, unknown>;
  stage.emulator.shop(SHOP).addOrder({ orderId: ORDER.orderId, routed: 1, payload });
  await stage.start();
  await stage.install(SHOP);
});
afterEach(() => stage.close());

/** Run the action in a workflow, as Shopify Flow does. */
async function run(
  runId: string,
  { secret = APP_SECRET, shop = SHOP, orderId = ORDER.orderId } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const body = JSON.stringify({
    shop_id: "1",
    shopify_domain: shop,
    action_run_id: runId,
    action_definition_id: "Check order with Holdfast",
    handle: "holdfast-check-order",
    properties: { order_id: orderId },
  });
  const signature = createHmac("sha256", secret).update(body).digest("base64");
  const response = await fetch(new URL("webhooks/shopify", stage.url()), {
    method: "POST",
    headers: { "content-type": "application/json", "x-shopify-hmac-sha256": signature },
    body,
  });
  return { status: response.status, text: await response.text() };
}

describe('"Check order with Holdfast" in Shopify Flow', () => {
  it("checks an order whose webhook never came, once, however often workflows ask", async () => {
    expect(await run("run-1")).toEqual({ status: 200, text: '{"status":"accepted"}' });
    const [order] = await stage.until(SHOP, atRest(1));
    expect(order).toMatchObject({ orderId: ORDER.orderId, state: "review" });

    expect(await run("run-1")).toEqual({ status: 200, text: '{"status":"duplicate"}' });
    expect((await run("run-2")).status).toBe(200);
    await stage.untilHeard();
    expect(stage.service.calls).toHaveLength(1);
  });

  it("trusts no other sender, and makes no call for a shop without the app", async () => {
    expect((await run("run-1", { secret: "another app's" })).status).toBe(401);
    expect((await run("run-2", { shop: "evil.example" })).status).toBe(400);
    expect((await run("run-3", { shop: "strangers.myshopify.com" })).status).toBe(200);
    expect((await run("run-4", { orderId: "404" })).status).toBe(200);
    await stage.untilHeard();
    expect(await stage.listOrders(SHOP)).toEqual([]);
    expect(stage.service.calls).toEqual([]);
  });
});

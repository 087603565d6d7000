import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendShopifyOrder, startShopifyTest, type ShopifyTest } from "../../tools/shopify-testing/index.ts";

const SHOP = "a-shop.myshopify.com";

let shopify: ShopifyTest;
beforeAll(async () => {
  shopify = await startShopifyTest();
  await shopify.install(SHOP);
});
afterAll(() => shopify.close());

describe("startShopifyTest", () => {
  it("takes an order from its webhook to the hold in the shop", async () => {
    const { orderId, status } = await shopify.sendOrder(SHOP, {
      email: "high@risk.example",
      amount: "899.00",
    });

    expect(status).toBe(200);
    expect(await shopify.untilFollowed(SHOP, orderId)).toEqual({
      orderId,
      state: "review",
      riskLevel: "high",
      action: "hold",
      source: "service",
      creditsSpent: 1,
      held: true,
      cancelled: false,
      tags: ["holdfast-high"],
    });
  });

  it("spends one credit on an order that is delivered again, and cancels a critical one", async () => {
    const order = { email: "critical@risk.example", webhookId: "the-same" };
    const { orderId, body } = await shopify.sendOrder(SHOP, order);
    const target = { url: new URL("webhooks/shopify", shopify.url), secret: shopify.secret, shop: SHOP };
    const again = await sendShopifyOrder(target, { body, webhookId: "the-same" });
    const followed = await shopify.untilFollowed(SHOP, orderId);

    expect(again).toEqual({ orderId, body, status: 200 });
    expect(followed).toMatchObject({ state: "settled", action: "cancel", cancelled: true, creditsSpent: 1 });
    expect(shopify.service.calls.filter((call) => call.orderId === orderId)).toHaveLength(1);
  });

  it("follows an order through an Admin API that fails", async () => {
    shopify.admin.fail(1, "reset-after-effect", { operation: "AddTags" });
    shopify.admin.fail(2, "throttled");
    const { orderId } = await shopify.sendOrder(SHOP, { email: "medium@risk.example" });

    expect(await shopify.untilFollowed(SHOP, orderId)).toMatchObject({ tags: ["holdfast-medium"] });
  });

  it("takes the shop's own policy, the fields of an order, and what Shopify knows about it", async () => {
    const shop = "a-strict-shop.myshopify.com";
    await shopify.install(shop, { levels: { low: { action: "hold" } } });
    const fields = { name: "#GIFT-1", currency: "EUR" };
    const { orderId } = await shopify.sendOrder(shop, { fields, tags: ["vip"] });

    const { held, tags } = await shopify.untilFollowed(shop, orderId);
    expect({ held, tags }).toEqual({ held: true, tags: ["vip"] });
  });

  it("says what is wrong with a policy", async () => {
    await expect(shopify.install(SHOP, { levels: { low: { action: "burn" } } })).rejects.toThrow(
      "the policy wasn't saved: levels.low.action: expected one of allow, tag, hold, cancel",
    );
  });
});

describe("sendShopifyOrder", () => {
  it("is refused by an app that has another secret", async () => {
    const url = new URL("webhooks/shopify", shopify.url);
    const { status } = await sendShopifyOrder({ url, secret: "another", shop: SHOP });

    expect(status).toBe(401);
  });

  it("needs to know which order a recorded body is", async () => {
    const target = { url: shopify.url, secret: shopify.secret, shop: SHOP };
    await expect(sendShopifyOrder(target, { body: "{}" })).rejects.toThrow("admin_graphql_api_id");
  });
});

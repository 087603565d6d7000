import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toPayload } from "../../tools/demo/demo-orders.ts";
import { atRest, createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";

const SUBSCRIBED = "subscribed.myshopify.com";
const CURIOUS = "curious.myshopify.com";
const PLANS_URL = "https://admin.shopify.com/store/curious/charges/order-check/pricing_plans";

let stage: ShopifyStage;
beforeEach(async () => {
  stage = await createShopifyStage();
});
afterEach(() => stage.close());

async function order(shop: string, orderId: string) {
  stage.emulator.shop(shop).addOrder({ orderId });
  const expected = {
    levels: [],
    actions: [],
    credits: 1,
    shown: { held: false, cancelled: false, tags: [] },
  };
  const story = { orderId, story: "low", email: "low@risk.example", amount: "49.90", expected };
  await stage.deliver({ shop, topic: "orders/create", body: toPayload(story, 1) });
  const [settled] = await stage.until(shop, atRest(1));
  return settled;
}

const serviceOf = async (shop: string) =>
  ((await stage.get(shop, "api/settings")).body as { service: unknown }).service;

describe("an operator whose shops pay by plan", () => {
  it("spends credits for shops with an active plan, and shows the others where to choose one", async () => {
    await stage.start({ SHOPIFY_BILLING: "app-pricing", SHOPIFY_APP_HANDLE: "order-check" });
    stage.emulator.shop(SUBSCRIBED).plans = ["ACTIVE"];
    await stage.install(SUBSCRIBED);
    await stage.install(CURIOUS);

    expect(await order(SUBSCRIBED, "7700000000000000101")).toMatchObject({
      source: "service",
      creditsSpent: 1,
    });
    expect(await order(CURIOUS, "7700000000000000102")).toMatchObject({ source: "local", creditsSpent: 0 });

    expect(await serviceOf(SUBSCRIBED)).toMatchObject({ from: "environment", problem: null, plansUrl: null });
    expect(await serviceOf(CURIOUS)).toMatchObject({ from: "none", problem: "no-plan", plansUrl: PLANS_URL });
    const { body } = await stage.get(CURIOUS, "api/setup");
    expect(body).toMatchObject({ steps: [{ id: "service", done: false }, {}, {}, {}] });
    expect(JSON.stringify(body)).toContain("Choose a plan, or add your own key.");
    expect(stage.service.calls.filter(({ metered }) => metered)).toHaveLength(1);
  });
});

describe("an operator without a key", () => {
  it("leaves orders to the local engine until the shop brings its own", async () => {
    await stage.start({ SHOPIFY_BILLING: "own-key", VERIFY_API_KEY: "" });
    await stage.install(CURIOUS);

    expect(await order(CURIOUS, "7700000000000000103")).toMatchObject({ source: "local", creditsSpent: 0 });
    expect(await serviceOf(CURIOUS)).toMatchObject({ from: "none", problem: "own-key-required" });
    const apiKey = stage.environment["VERIFY_API_KEY"];
    const saved = await stage.send(CURIOUS, "PUT", "api/settings", { body: { service: { apiKey } } });
    expect(saved).toMatchObject({ status: 200, body: { service: { from: "own", problem: null } } });
  });
});

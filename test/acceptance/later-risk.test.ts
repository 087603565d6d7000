import { afterEach, beforeEach, expect, it } from "vitest";
import { DEMO_ORDERS, toPayload, type DemoOrder } from "../../tools/demo/demo-orders.ts";
import { createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { until } from "../support/until.ts";

const SHOP = "later.myshopify.com";
const OTHER = "other.myshopify.com";
const [LOW] = DEMO_ORDERS as [DemoOrder];
const { orderId } = LOW;
const RULE = { name: "Shopify says cancel", when: { platformRisk: ["cancel"] }, then: { action: "hold" } };

let stage: ShopifyStage;
let sending: Promise<unknown>[];

beforeEach(async () => {
  stage = await createShopifyStage();
  await stage.start();
  await stage.install(SHOP, { rules: [RULE] });
  await stage.install(OTHER);
  sending = [];
  shop().onWebhook = (webhook) => void sending.push(stage.deliver({ shop: SHOP, ...webhook }));
});

afterEach(async () => {
  await Promise.allSettled(sending);
  await stage.close();
});

const shop = () => stage.emulator.shop(SHOP);
const show = async () => (await stage.get(SHOP, `api/orders/${orderId}`)).body;

it("holds an allowed order once Shopify's own risk analysis says cancel, and pays nothing for it", async () => {
  const body = toPayload(LOW, 1);
  const protect = { status: "ACTIVE", eligibility: "ELIGIBLE" };
  shop().addOrder({ orderId, protect, payload: JSON.parse(body) as Record<string, unknown> });
  await stage.deliver({ shop: SHOP, topic: "orders/create", body });
  await until(async () => expect(await show()).toMatchObject({ state: "settled", action: "allow" }));
  // Our own assessment, and another shop's name for the same body, change nothing.
  const assessed = {
    risk_level: "high",
    order_id: 1,
    admin_graphql_api_order_id: `gid://shopify/Order/${orderId}`,
  };
  const topic = "orders/risk_assessment_changed";
  await stage.deliver({ shop: SHOP, topic, body: JSON.stringify({ ...assessed, provider_id: 7 }) });
  await stage.deliver({ shop: OTHER, topic, body: JSON.stringify({ ...assessed, provider_id: null }) });

  shop().assessOrder(orderId, "HIGH");

  await until(async () => expect(await show()).toMatchObject({ state: "review", action: "hold" }));
  expect(await show()).toMatchObject({
    creditsSpent: 1,
    riskLevel: "low",
    context: { platformRisk: "cancel", protect: "active", protectEligibility: "eligible" },
  });
  expect(shop().order(orderId).fulfillmentOrders).toMatchObject([{ status: "ON_HOLD" }]);
  expect(stage.emulator.operations.filter(({ name }) => name === "OrderContext")).toHaveLength(1);
});

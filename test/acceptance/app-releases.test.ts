import { afterEach, beforeEach, expect, it } from "vitest";
import { placeOrders, seeOnPlatform } from "../support/placed-orders.ts";
import { createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { until } from "../support/until.ts";

const SHOP = "flow-timer.myshopify.com";
const FLOW = { app: "Flow" };

interface Shown {
  readonly state: string;
  readonly timeline: readonly { readonly kind: string; readonly event: object | null }[];
}

let stage: ShopifyStage;
/** Deliveries that the shop sent by itself. */
let sending: Promise<unknown>[];

beforeEach(async () => {
  stage = await createShopifyStage();
  await stage.start();
  await stage.install(SHOP);
  sending = [];
  shop().onWebhook = (webhook) => void sending.push(stage.deliver({ shop: SHOP, ...webhook }));
});

afterEach(async () => {
  await Promise.allSettled(sending);
  await stage.close();
});

const shop = () => stage.emulator.shop(SHOP);
const show = async (orderId: string) => (await stage.get(SHOP, `api/orders/${orderId}`)).body as Shown;
const releases = async (orderId: string) =>
  (await show(orderId)).timeline.flatMap(({ kind, event }) => (kind === "hold-overridden" ? [event] : []));

it("an order whose hold a workflow releases is held again once, stays in the queue and can be approved", async () => {
  const [orderId = ""] = await placeOrders(stage, SHOP, [{ number: 1, as: "high" }]);

  shop().releaseHold(orderId, FLOW);

  await until(async () =>
    expect((await show(orderId)).timeline.map(({ kind }) => kind)).toContain("held-again"),
  );
  expect(seeOnPlatform(stage, SHOP, orderId).holds).toBe(1);
  expect(await releases(orderId)).toEqual([{ kind: "hold-overridden", by: "app", app: "Flow" }]);

  shop().releaseHold(orderId, FLOW);

  await until(async () => expect(await releases(orderId)).toHaveLength(2));
  expect(seeOnPlatform(stage, SHOP, orderId).holds).toBe(0);
  expect(await show(orderId)).toMatchObject({
    state: "review",
    problems: [{ step: "hold", code: "released-by-app" }],
  });
  expect(stage.log()).toContain("hold_released_by_app");
  await stage.send(SHOP, "POST", `api/orders/${orderId}/approve`);
  await until(async () => expect(await show(orderId)).toMatchObject({ state: "settled", source: "person" }));
});

it("an order whose hold a person releases leaves the queue, and the answer says that a person did", async () => {
  const [orderId = ""] = await placeOrders(stage, SHOP, [{ number: 1, as: "high" }]);

  shop().releaseHold(orderId);

  await until(async () => expect(await show(orderId)).toMatchObject({ state: "settled" }));
  expect(await releases(orderId)).toEqual([{ kind: "hold-overridden", by: "person" }]);
  expect(seeOnPlatform(stage, SHOP, orderId).holds).toBe(0);
});

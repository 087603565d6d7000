import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FaultKind } from "../../tools/emulators/shopify/faults.ts";
import { placeOrders, seeOnPlatform } from "../support/placed-orders.ts";
import { toShopOrder } from "../support/shop-orders.ts";
import { createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { until } from "../support/until.ts";

const SHOP = "odd-statuses.myshopify.com";

let stage: ShopifyStage;

beforeEach(async () => {
  stage = await createShopifyStage();
  await stage.start();
  await stage.install(SHOP);
});

afterEach(() => stage.close());

const countOf = (operation: string) =>
  stage.emulator.operations.filter(({ name }) => name === operation).length;

describe("an order whose hold Shopify answers with a passing status", () => {
  it.each<FaultKind>(["408", "425", "430", "503"])("%s is held seconds later", async (kind) => {
    stage.emulator.fail(1, kind, { operation: "HoldFulfillmentOrder" });

    const [orderId = ""] = await placeOrders(stage, SHOP, [{ number: 1, as: "high" }]);

    expect(seeOnPlatform(stage, SHOP, orderId).holds).toBe(1);
    expect(countOf("HoldFulfillmentOrder")).toBe(2);
    expect(stage.log()).not.toContain("platform_refused");
  });
});

describe("a hold that Shopify can't accept", () => {
  it("fails with an alert instead of being tried for ever", async () => {
    stage.emulator.fail(1, "422", { operation: "HoldFulfillmentOrder" });

    const [orderId] = await placeOrders(stage, SHOP, [{ number: 1, as: "high" }]);

    expect((await stage.get(SHOP, `api/orders/${orderId}`)).body).toMatchObject({
      state: "failed",
      problems: [{ step: "hold", code: "PLATFORM_CALL_INVALID" }],
    });
    expect(stage.log()).toContain("enforcement_failed");
  });
});

describe("a critical order whose cancel Shopify refuses", () => {
  const { orderId, body } = toShopOrder(1, { email: "critical@risk.example", amount: 120 });

  it("as invalid is held at once, before the cancel is tried again", async () => {
    const shop = stage.emulator.shop(SHOP);
    const order = shop.addOrder({ orderId });
    order.isCancelRefused = true;
    await stage.deliver({ shop: SHOP, topic: "orders/create", body });

    await until(() => expect(seeOnPlatform(stage, SHOP, orderId).holds).toBe(1));

    const names = stage.emulator.operations.map(({ name }) => name);
    expect(
      names.slice(0, names.indexOf("HoldFulfillmentOrder")).filter((name) => name === "CancelOrder"),
    ).toHaveLength(1);
    order.isCancelRefused = false;
    await stage.until(SHOP, ([listed]) => listed?.state === "settled");
    expect(seeOnPlatform(stage, SHOP, orderId)).toMatchObject({ cancelled: true, cancellations: 1 });
  });

  it("as a call that it can't accept is held until a person decides", async () => {
    stage.emulator.shop(SHOP).addOrder({ orderId });
    stage.emulator.fail(1, "422", { operation: "CancelOrder" });
    await stage.deliver({ shop: SHOP, topic: "orders/create", body });

    await stage.until(SHOP, ([listed]) => listed?.state === "review");

    expect(seeOnPlatform(stage, SHOP, orderId)).toMatchObject({ holds: 1, cancelled: false });
    expect(countOf("CancelOrder")).toBe(1);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toShopOrder } from "../support/shop-orders.ts";
import { createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";

/** Planted where a payload says more about an order than is sent. */
const TOLD = {
  tags: "Zirconordertag",
  payment_gateway_names: ["Zircongateway"],
  shipping_lines: [{ title: "Zirconshipping" }],
  payment_terms: { payment_terms_name: "Zirconterms" },
};

let stage: ShopifyStage;

beforeAll(async () => {
  stage = await createShopifyStage();
  await stage.start();
});

afterAll(() => stage.close());

async function place(
  shop: string,
  number: number,
  email: string,
  payload: Readonly<Record<string, unknown>>,
  tags: readonly string[] = [],
) {
  const { orderId, body } = toShopOrder(number, { email, amount: 90, payload });
  const amountSpent = { amount: "90.00", currencyCode: "USD" };
  const customer = { createdAt: "2026-01-01T00:00:00Z", numberOfOrders: 1, amountSpent, tags };
  stage.emulator.shop(shop).addOrder({ orderId, customer });
  expect(await stage.deliver({ shop, topic: "orders/create", body })).toBe(200);
  await stage.until(shop, (orders) =>
    orders.some((order) => order.orderId === orderId && ["settled", "review"].includes(order.state)),
  );
  const order = (await stage.get(shop, `api/orders/${orderId}`)).body as {
    readonly action: string;
    readonly timeline: readonly { readonly detail: string }[];
  };
  const details = order.timeline.map(({ detail }) => detail);
  return { order, details, calls: stage.service.calls.filter((call) => call.orderId === orderId) };
}

describe("facts about an order that aren't sent", () => {
  it("exclude orders at a counter from the check by default, and say so", async () => {
    const shop = "counter.myshopify.com";
    await stage.install(shop);

    const { order, details, calls } = await place(shop, 1, "critical@risk.example", { source_name: "pos" });

    expect(order).toMatchObject({ action: "allow", skipReason: "SKIPPED_BY_RULE", creditsSpent: 0 });
    expect(details).toContain("allow (policy): skipped:SKIPPED_BY_RULE, channel:pos");
    expect(calls).toEqual([]);
  });

  it.each([
    ["a country", 10, {}],
    ["a country and a postal code", 20, { zip: "LS1 4AP" }],
  ])("don't keep an order from the check whose wallet gives only %s", async (_given, number, known) => {
    const shop = `wallet-${number}.myshopify.com`;
    await stage.install(shop);
    const blank = { address1: null, address2: null, city: null, province: null, zip: null };
    const wallet = { name: "Ada Example", ...blank, country: "United Kingdom", country_code: "GB", ...known };
    const payload = { billing_address: wallet, shipping_address: null };

    const online = await place(shop, number, "critical@risk.example", payload);
    const counter = await place(shop, number + 1, "critical@risk.example", {
      ...payload,
      source_name: "pos",
    });

    expect(online.order).toMatchObject({ action: "cancel", skipReason: null, creditsSpent: 1 });
    expect(online.calls).toHaveLength(1);
    expect(counter.order).toMatchObject({ skipReason: "SKIPPED_BY_RULE", creditsSpent: 0 });
  });

  it("hold a critical order for a person where the customer is opted out, and let another be canceled", async () => {
    const shop = "opted-out.myshopify.com";
    await stage.install(shop);

    const optedOut = await place(shop, 2, "critical@risk.example", {}, ["vip", "Holdfast-Manual-Review"]);
    const other = await place(shop, 3, "critical@risk.example", {}, ["vip"]);

    expect([optedOut.order.action, other.order.action]).toEqual(["hold", "cancel"]);
    expect(optedOut.details).toContain("hold (service): opted-out, level:critical");
  });

  it("match rules, are never sent, and are in no log", async () => {
    const shop = "ruled.myshopify.com";
    const when = { shippingMethod: ["zirconshipping"], customerTag: ["zircontag"] };
    await stage.install(shop, { rules: [{ name: "slow", when, then: { action: "tag", tags: ["slow"] } }] });

    const { order, calls } = await place(shop, 4, "low@risk.example", TOLD, ["Zircontag"]);

    expect(order).toMatchObject({ action: "tag", creditsSpent: 1 });
    expect(calls).toHaveLength(1);
    expect(JSON.stringify(stage.service.calls)).not.toMatch(/zircon/i);
    // The policy's own words aren't in any request's log line either.
    expect(stage.log()).not.toMatch(/zircon/i);
    expect(stage.log().length, "a silent log would prove nothing").toBeGreaterThan(1_000);
  });
});

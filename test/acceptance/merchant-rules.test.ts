import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toShopOrder } from "../support/shop-orders.ts";
import { createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";

const SHOP = "rules.myshopify.com";
const DE = { address1: "Hauptstr. 5", city: "Berlin", zip: "10115", country_code: "DE", country: "Germany" };
const FR = { address1: "5 rue du Bac", city: "Paris", zip: "75007", country_code: "FR", country: "France" };

/** Hold orders over 500 EUR that ship to another country than they are billed in. */
const RULE = {
  name: "Big EUR orders abroad",
  when: { minAmount: 500, currency: "EUR", shippingCountryDiffers: true },
  then: { atLeast: "hold" },
};

interface Shown {
  readonly orderId: string;
  readonly action: string;
  readonly reasons: readonly string[];
}

let stage: ShopifyStage;

beforeEach(async () => {
  stage = await createShopifyStage();
  await stage.start();
});

afterEach(() => stage.close());

async function place(
  number: number,
  { amount = 600, currency = "EUR", level = "low", to = FR, from = DE } = {},
): Promise<Shown> {
  const email = `${level}@risk.example`;
  const payload = { currency, shipping_address: to, billing_address: from };
  const { orderId, body } = toShopOrder(number, { email, amount, payload });
  stage.emulator.shop(SHOP).addOrder({ orderId });
  expect(await stage.deliver({ shop: SHOP, topic: "orders/create", body })).toBe(200);
  await stage.until(SHOP, (orders) =>
    orders.some((order) => order.orderId === orderId && ["settled", "review"].includes(order.state)),
  );
  return (await stage.get(SHOP, `api/orders/${orderId}`)).body as Shown;
}

describe("a rule on orders that ship to another country than they are billed in", () => {
  it("holds them, and leaves others and harsher levels alone", async () => {
    await stage.install(SHOP, { rules: [RULE] });

    expect(await place(1)).toMatchObject({ action: "hold" });
    expect(await place(2, { to: DE })).toMatchObject({ action: "allow" });
    expect(await place(3, { amount: 499 })).toMatchObject({ action: "allow" });
    expect(await place(4, { currency: "USD" })).toMatchObject({ action: "allow" });
    expect(await place(5, { level: "critical" })).toMatchObject({ action: "cancel" });
    expect(stage.emulator.shop(SHOP).order(toId(5)).cancelledAt).not.toBeNull();
  });

  it("is tried on past orders, like rules on what they shared with others", async () => {
    await stage.install(SHOP, {});
    for (const number of [1, 2]) await place(number, { to: number === 1 ? FR : DE });
    const replay = async (rule: object) => {
      const body = { policy: { rules: [{ name: "r", ...rule }] }, days: 1 };
      return (await stage.send(SHOP, "POST", "api/policy/replay", { body })).body as object;
    };
    const then = { atLeast: "hold" };
    expect(await replay(RULE)).toMatchObject({ unknown: 0, after: { hold: { orders: 1 } } });
    const billedInGermany = { billingCountry: "Germany", not: { shippingCountry: ["Germany", "Austria"] } };
    expect(await replay({ when: billedInGermany, then })).toMatchObject({ after: { hold: { orders: 1 } } });
    // Both are from one mailbox.
    expect(await replay({ when: { emailOrders1h: 2 }, then })).toMatchObject({
      unknown: 0,
      after: { hold: { orders: 1 } },
    });
  });
});

function toId(number: number): string {
  return toShopOrder(number, { email: "", amount: 1 }).orderId;
}

import { describe, expect, it } from "vitest";
import { fromEverShopCart } from "../../../adapters/evershop/index.ts";
import { readOrder } from "../../../src/screening/read-order.ts";
import { readHostPayload, withValue, type HostPayload } from "../../support/host-orders.ts";

const CART = readHostPayload("evershop-cart");
const HOME = { street: "500 W 2nd St", city: "Austin", state: "TX", postalCode: "78701", country: "US" };

describe("fromEverShopCart", () => {
  it("maps a cart with a state but no country", () => {
    expect(fromEverShopCart(CART)).toEqual({
      orderId: "9767ed6f-a269-481a-b444-3ffc989de2ca",
      orderAmount: 17.5,
      currency: "USD",
      items: [{ name: "Mug", quantity: 1, price: 12.5, sku: "MUG" }],
      customerName: "Ada Byron",
      customerEmail: "ada@example.com",
      customerPhone: "+15125550100",
      isFirstTimeCustomer: true,
      shippingAddress: HOME,
      billingAddress: HOME,
    });
  });

  it("reads EverShop's cart object, whose own export has empty objects for items", () => {
    const { items, ...data } = CART;
    const cart = {
      export: (): HostPayload => ({ ...data, items: [{}] }),
      getItems: () => (items as HostPayload[]).map((item) => ({ export: () => item })),
    };

    expect(fromEverShopCart(cart)).toEqual(fromEverShopCart(CART));
  });

  it("says that items weren't exported", () => {
    expect(readOrder(fromEverShopCart({ ...CART, items: [{}] })).warnings).toMatchObject([
      { path: "items[0].qty", message: expect.stringContaining("cart.getItems()[n].export()") },
    ]);
  });

  it("names the items of a cart object that can't be exported", () => {
    const cart = {
      export: () => CART,
      getItems: () => {
        throw new Error("no items");
      },
    };

    expect(readOrder(fromEverShopCart(cart)).warnings).toMatchObject([
      { code: "UNUSABLE_FIELD", path: "items" },
    ]);
  });

  it("reads decimal texts, and the address and browser where the shop keeps them", () => {
    const cart = { ...CART, grand_total: "17.5000", user_ip: "203.0.113.7", user_agent: "Mozilla/5.0" };

    expect(fromEverShopCart(cart)).toMatchObject({
      orderAmount: 17.5,
      ipAddress: "203.0.113.7",
      userAgent: "Mozilla/5.0",
    });
  });

  it("uses the cart's own name if the addresses have none", () => {
    let cart = withValue(CART, "billing_address.full_name", null);
    cart = withValue(cart, "shipping_address.full_name", null);
    cart = withValue(cart, "customer_full_name", "Ada Lovelace");

    expect(fromEverShopCart(cart).customerName).toBe("Ada Lovelace");
  });
});

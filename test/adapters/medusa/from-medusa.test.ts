import { describe, expect, it } from "vitest";
import { fromMedusaCart, fromMedusaOrder } from "../../../adapters/medusa/index.ts";
import { readOrder } from "../../../src/screening/read-order.ts";
import { readHostPayload, withValue } from "../../support/host-orders.ts";

const CART = readHostPayload("medusa-cart");
const ORDER = readHostPayload("medusa-order");
const HOME = { street: "500 W 2nd St", city: "Austin", state: "TX", postalCode: "78701", country: "US" };
const MAPPED = {
  orderAmount: 17.5,
  currency: "USD",
  items: [{ name: "Mug", quantity: 1, price: 12.5, sku: "MUG" }],
  customerName: "Ada Byron",
  customerEmail: "ada@example.com",
  customerPhone: "+15125550100",
  isFirstTimeCustomer: true,
  shippingAddress: HOME,
  billingAddress: HOME,
};

describe("fromMedusaCart", () => {
  it("maps a guest's cart, with a country in upper case and the name of the address", () => {
    expect(fromMedusaCart(CART)).toEqual({ orderId: CART["id"], ...MAPPED });
  });

  it("fills a missing state and postal code, and leaves out a phone number that is null", () => {
    let cart = withValue(CART, "shipping_address.province", null);
    cart = withValue(cart, "shipping_address.postal_code", "");
    for (const path of ["shipping_address.phone", "billing_address.phone"])
      cart = withValue(cart, path, null);

    const order = fromMedusaCart(cart);

    expect(order.shippingAddress).toEqual({ ...HOME, state: "N/A", postalCode: "N/A" });
    expect(order).not.toHaveProperty("customerPhone");
  });

  it("uses the shipping address where there is no billing address", () => {
    expect(fromMedusaCart(withValue(CART, "billing_address", null)).billingAddress).toEqual(HOME);
  });

  it("leaves out lines that cost nothing, and gives the unit price after discounts", () => {
    const [line] = CART["items"] as object[];
    const items = [
      { ...line, quantity: 3, unit_price: 12.5, total: 30 },
      { ...line, total: 0 },
      { ...line, unit_price: 0, total: undefined },
    ];

    expect(fromMedusaCart({ ...CART, items }).items).toEqual([
      { name: "Mug", quantity: 3, price: 10, sku: "MUG" },
    ]);
  });

  it("uses the unit price if the query didn't ask for line totals", () => {
    expect(fromMedusaCart(withValue(CART, "items.0.total", undefined)).items).toEqual(MAPPED.items);
  });

  it("sells a weight as one piece", () => {
    const cart = withValue(withValue(CART, "items.0.quantity", 1.5), "items.0.total", 18.75);

    expect(fromMedusaCart(cart).items).toEqual([{ name: "Mug", quantity: 1, price: 18.75, sku: "MUG" }]);
  });

  it.each([
    ["its BigNumber", { numeric_: 17.5, raw_: { value: "17.5" }, valueOf: (): number => 17.5 }],
    ["what its BigNumber is stored as", { value: "17.5", precision: 20 }],
    ["a text", "17.50"],
  ])("reads an amount that is %s", (_what, total) => {
    expect(fromMedusaCart({ ...CART, total, item_total: undefined }).orderAmount).toBe(17.5);
  });

  // Medusa 2.21, `decorateCartTotals`: the total is what credit lines (gift cards, store credit) leave to pay.
  it.each([
    ["all", 0],
    ["a part", 7.5],
  ])("values a cart of which gift cards paid %s at its full price", (_what, total) => {
    expect(fromMedusaCart({ ...CART, total }).orderAmount).toBe(17.5);
  });

  it("keeps the amount of a free cart, which the check skips", () => {
    const free = { ...CART, total: 0, discount_total: 17.5, item_total: 0, shipping_total: 0 };

    expect(fromMedusaCart(free).orderAmount).toBe(0);
  });

  it("names a total that the query didn't ask for", () => {
    const { total: _total, currency_code: _currency, ...cart } = CART;

    expect(() => fromMedusaCart(cart)).toThrow(
      expect.objectContaining({
        code: "ORDER_INVALID",
        message: "the Medusa cart can't be read: total, currency_code",
      }),
    );
  });

  it("counts a line whose quantity can't be read as one piece, and the check names it", () => {
    const cart = fromMedusaCart(withValue(CART, "items.0.quantity", "many"));

    expect(cart.items?.[0]).toMatchObject({ quantity: 1 });
    expect(readOrder(cart).warnings).toMatchObject([{ code: "UNUSABLE_FIELD", path: "items[0].quantity" }]);
  });
});

describe("fromMedusaOrder", () => {
  it("maps an order, with its own id and time", () => {
    expect(fromMedusaOrder(ORDER)).toEqual({
      orderId: ORDER["id"],
      orderTimestamp: "2026-11-20T09:08:34.124Z",
      ...MAPPED,
    });
  });

  it("gives the age of an account, and none for a guest", () => {
    let order = withValue(ORDER, "customer.created_at", "2026-10-20T08:53:58.553Z");
    expect(fromMedusaOrder(order)).not.toHaveProperty("accountAgeInDays");

    order = withValue(order, "customer.has_account", true);
    expect(fromMedusaOrder(order).accountAgeInDays).toBe(31);
  });
});

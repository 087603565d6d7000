import { describe, expect, it } from "vitest";
import { fromCommercetoolsOrder } from "../../../adapters/commercetools/index.ts";
import { readHostPayload, withValue } from "../../support/host-orders.ts";

const ORDER = readHostPayload("commercetools-order");
const HOME = {
  street: "Hauptstraße 5, Hinterhaus",
  city: "Berlin",
  state: "N/A",
  postalCode: "10115",
  country: "DE",
};

describe("fromCommercetoolsOrder", () => {
  it("maps an order with its taxes, in the order's language", () => {
    expect(fromCommercetoolsOrder(ORDER)).toEqual({
      orderId: "0f5f1b3e-6f0d-4d0e-9c56-4f7f5f2f3a11",
      orderAmount: 23.45,
      currency: "EUR",
      orderTimestamp: "2026-11-20T09:08:34.124Z",
      items: [{ name: "Tasse", quantity: 2, price: 9.375, sku: "MUG" }],
      customerName: "Ada Byron",
      customerEmail: "ada@example.com",
      customerPhone: "+4915112345678",
      companyName: "Analytik GmbH",
      isFirstTimeCustomer: true,
      shippingAddress: HOME,
      billingAddress: HOME,
    });
  });

  it("reads the destination of an order of several deliveries, which isn't where it is billed", () => {
    const { shippingAddress, ...order } = ORDER;
    const elsewhere = { ...(shippingAddress as object), city: "Hamburg", postalCode: "20095" };
    const shipping = [{ shippingKey: "a" }, { shippingKey: "b", shippingAddress: elsewhere }];

    expect(fromCommercetoolsOrder({ ...order, shippingMode: "Multiple", shipping })).toMatchObject({
      shippingAddress: { ...HOME, city: "Hamburg", postalCode: "20095" },
      billingAddress: HOME,
    });
  });

  it("takes prices without taxes if no taxes were set", () => {
    const order = { ...withValue(ORDER, "lineItems.0.taxedPrice", undefined), taxedPrice: undefined };

    expect(fromCommercetoolsOrder(order)).toMatchObject({ orderAmount: 19.71, items: [{ price: 7.88 }] });
  });

  it("reads each amount with its stated number of digits, or else its currency's", () => {
    const yen = { type: "centPrecision", currencyCode: "JPY", centAmount: 2345, fractionDigits: 0 };
    const { fractionDigits: _digits, ...asked } = yen;

    expect(fromCommercetoolsOrder({ ...ORDER, taxedPrice: { totalGross: yen } }).orderAmount).toBe(2345);
    expect(fromCommercetoolsOrder({ ...ORDER, taxedPrice: { totalGross: asked } }).orderAmount).toBe(2345);
  });

  it("reads cents beside a more precise amount whose digits aren't theirs", () => {
    const totalGross = {
      type: "highPrecision",
      currencyCode: "EUR",
      centAmount: 2346,
      preciseAmount: 23456789,
      fractionDigits: 6,
    };

    expect(fromCommercetoolsOrder({ ...ORDER, taxedPrice: { totalGross } }).orderAmount).toBe(23.46);
  });

  it.each([[-1], [1.5], [21]])("names decimals that are %s", (fractionDigits) => {
    const totalGross = { currencyCode: "EUR", centAmount: 2345, fractionDigits };

    expect(() => fromCommercetoolsOrder({ ...ORDER, taxedPrice: { totalGross } })).toThrow(
      expect.objectContaining({
        fields: [{ path: "taxedPrice.totalGross.fractionDigits", message: "expected 0 to 20 decimals" }],
      }),
    );
  });

  it("uses any name if the order's language has none, and GraphQL's single name", () => {
    const english = withValue(ORDER, "lineItems.0.name", { en: "Mug" });
    const graphql = withValue(ORDER, "lineItems.0.name", "Becher");

    expect(fromCommercetoolsOrder(english).items?.[0]?.name).toBe("Mug");
    expect(fromCommercetoolsOrder(graphql).items?.[0]?.name).toBe("Becher");
  });

  it("reads an email address from the addresses where the order has none", () => {
    const order = withValue(
      { ...ORDER, customerEmail: undefined },
      "shippingAddress.email",
      "ship@example.com",
    );

    expect(fromCommercetoolsOrder(order).customerEmail).toBe("ship@example.com");
  });
});

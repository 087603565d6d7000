import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { fromVendureOrder } from "../../../adapters/vendure/index.ts";
import { readHostPayload, withValue } from "../../support/host-orders.ts";

const ORDER = readHostPayload("vendure-order");
const HOME = { street: "500 W 2nd St", city: "Austin", state: "TX", postalCode: "78701", country: "US" };

describe("fromVendureOrder", () => {
  it("maps an order, in major units", () => {
    expect(fromVendureOrder(ORDER)).toEqual({
      orderId: "G7LPSV1M4WU95X8K",
      orderAmount: 17.5,
      currency: "USD",
      orderTimestamp: "2026-11-20T08:59:19.627Z",
      items: [{ name: "Mug", quantity: 1, price: 12.5, sku: "MUG" }],
      customerName: "Ada Byron",
      customerEmail: "ada@example.com",
      customerPhone: "+15125550100",
      isFirstTimeCustomer: true,
      shippingAddress: HOME,
      billingAddress: HOME,
    });
  });

  it("divides by 100 in every currency, as Vendure does, unless told otherwise", () => {
    const yen = { ...ORDER, currencyCode: "JPY" };

    expect(fromVendureOrder(yen).orderAmount).toBe(17.5);
    expect(fromVendureOrder(yen, { precision: 0 }).orderAmount).toBe(1750);
    expect(fromVendureOrder(ORDER, { precision: 3 })).toMatchObject({
      orderAmount: 1.75,
      items: [{ price: 1.25 }],
    });
  });

  it("reads an entity's dates and leaves out the time of an order that isn't placed", () => {
    const entity = { ...ORDER, orderPlacedAt: new Date("2026-11-20T08:59:19.627Z") };

    expect(fromVendureOrder(entity).orderTimestamp).toBe("2026-11-20T08:59:19.627Z");
    // Jest runs a shop's tests in a separate realm.
    const foreign: unknown = runInNewContext("new Date('2026-11-20T08:59:19.627Z')");
    expect(fromVendureOrder({ ...ORDER, orderPlacedAt: foreign })).toMatchObject({
      orderTimestamp: "2026-11-20T08:59:19.627Z",
    });
    expect(fromVendureOrder({ ...ORDER, orderPlacedAt: null })).not.toHaveProperty("orderTimestamp");
  });

  it("uses the customer's name if the address has none, and a country's name if it has no code", () => {
    let order = withValue(ORDER, "billingAddress.fullName", "");
    order = withValue(order, "shippingAddress.fullName", undefined);
    order = withValue(order, "shippingAddress.countryCode", undefined);
    order = withValue(order, "customer.lastName", "Lovelace");

    expect(fromVendureOrder(order).customerName).toBe("Ada Lovelace");
    expect(fromVendureOrder(order).shippingAddress?.country).toBe("United States");
  });

  it("spreads a discount on the order over the lines, and keeps lines that were canceled later", () => {
    let order = withValue(ORDER, "lines.0.proratedUnitPriceWithTax", 1125);
    order = withValue(order, "lines.0.quantity", 0);
    order = withValue(order, "lines.0.orderPlacedQuantity", 2);

    expect(fromVendureOrder(order).items).toEqual([{ name: "Mug", quantity: 2, price: 11.25, sku: "MUG" }]);
  });

  it("says that an amount looks like major units", () => {
    expect(() => fromVendureOrder({ ...ORDER, totalWithTax: 17.5 })).toThrow(
      expect.objectContaining({
        fields: [{ path: "totalWithTax", message: "expected a whole number of minor units" }],
      }),
    );
  });

  it("names the relation that isn't loaded", () => {
    class Entity {
      get totalWithTax(): number {
        throw new Error("Order.lines isn't joined");
      }
    }
    const { totalWithTax: _total, ...fields } = ORDER;

    expect(() => fromVendureOrder(Object.assign(new Entity(), fields))).toThrow(
      expect.objectContaining({
        fields: [{ path: "totalWithTax", message: "reading it failed; load the relation that it needs" }],
      }),
    );
  });
});

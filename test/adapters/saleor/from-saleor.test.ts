import { describe, expect, it } from "vitest";
import { fromSaleorOrder } from "../../../adapters/saleor/index.ts";
import { readHostPayload, withValue } from "../../support/host-orders.ts";

const ORDER = readHostPayload("saleor-order");
const HOME = { street: "500 W 2nd St", city: "AUSTIN", state: "TX", postalCode: "78701", country: "US" };

describe("fromSaleorOrder", () => {
  it("maps an order without its free line", () => {
    expect(fromSaleorOrder(ORDER)).toEqual({
      orderId: "T3JkZXI6MGY1ZjFiM2U=",
      orderAmount: 17.5,
      currency: "USD",
      orderTimestamp: "2026-11-20T09:08:34.124Z",
      items: [{ name: "Mug", quantity: 1, price: 12.5, sku: "MUG" }],
      customerName: "Ada Byron",
      customerEmail: "ada@example.com",
      customerPhone: "+15125550100",
      isFirstTimeCustomer: true,
      accountAgeInDays: 31,
      shippingAddress: HOME,
      billingAddress: HOME,
      paymentInfo: { brand: "visa", lastFourDigits: "4242", expiry: "04/30" },
    });
  });

  it("maps a guest's order without a card", () => {
    const { user: _user, payments: _payments, ...order } = ORDER;
    const mapped = fromSaleorOrder({ ...order, user: null, payments: [] });

    expect(mapped).not.toHaveProperty("accountAgeInDays");
    expect(mapped).not.toHaveProperty("paymentInfo");
    expect(mapped.customerName).toBe("Ada Byron");
  });

  // Saleor 3.22: `TransactionItem.paymentMethodDetails`, by id like the payments; a failed attempt stays in the list.
  it("reads the card of the last payment, from transactions too", () => {
    const failed = { brand: "visa", lastDigits: "0002", expMonth: 1, expYear: 2027 };
    const card = {
      name: "Card",
      brand: "mastercard",
      firstDigits: "5555",
      lastDigits: "4444",
      expMonth: 12,
      expYear: 2031,
    };
    const paymentInfo = { brand: "mastercard", lastFourDigits: "4444", expiry: "12/31" };
    const transactions = [failed, card, { name: "Voucher" }, null].map((paymentMethodDetails) => ({
      paymentMethodDetails,
    }));
    const payments = [{ creditCard: failed }, { creditCard: card }, { creditCard: null }];

    expect(fromSaleorOrder({ ...ORDER, payments: [], transactions }).paymentInfo).toEqual(paymentInfo);
    expect(fromSaleorOrder({ ...ORDER, payments }).paymentInfo).toEqual(paymentInfo);
  });

  // Saleor 3.24, `calculate_checkout_total_with_gift_cards`: the total is what gift cards leave to pay.
  it("values an order that gift cards paid at its full price", () => {
    const order = withValue(ORDER, "total.gross.amount", 0);
    const shippingPrice = { gross: { amount: 5 } };

    expect(fromSaleorOrder({ ...order, shippingPrice }).orderAmount).toBe(17.5);
    expect(fromSaleorOrder(order).orderAmount).toBe(12.5);
  });

  it("keeps the amount of an order whose discount is its price", () => {
    const order = withValue(withValue(ORDER, "total.gross.amount", 0), "lines.0.totalPrice.gross.amount", 0);

    expect(fromSaleorOrder(order).orderAmount).toBe(0);
  });

  it("uses the unit price if the query didn't ask for the line's total", () => {
    const order = withValue(ORDER, "lines.0.totalPrice", undefined);

    expect(fromSaleorOrder(order).items).toEqual([{ name: "Mug", quantity: 1, price: 12.5, sku: "MUG" }]);
  });

  it("names a total that the query didn't ask for", () => {
    expect(() => fromSaleorOrder({ ...ORDER, total: undefined })).toThrow(
      "the Saleor order can't be read: total.gross.amount, total.gross.currency",
    );
  });
});

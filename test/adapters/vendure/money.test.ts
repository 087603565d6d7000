import { describe, expect, it } from "vitest";
import { cancelOrder, capturePayments, voidPayments } from "../../../adapters/vendure/money.ts";
import { toShop } from "../../../adapters/vendure/shop.ts";
import { aShop } from "./shop-services.ts";

const CARD = { id: 1, state: "Authorized", amount: 5_000 };
const GIFT_CARD = { id: 2, state: "Settled", amount: 1_000 };

describe("the money of a Vendure order that is canceled", () => {
  it("is refunded and voided before the order is canceled, even if only a part is settled", async () => {
    const { services, order, calls } = aShop("PaymentAuthorized", [CARD, GIFT_CARD]);

    expect(await cancelOrder(services, {}, order, { refund: true })).toMatchObject({ outcome: "done" });
    expect(calls).toEqual(["refund 2", "void 1", "cancel order"]);
  });

  it("is the amount that wasn't refunded before", async () => {
    const refunds = [
      { state: "Settled", total: 300 },
      { state: "Failed", total: 700 },
    ];
    const { services, order, payments } = aShop("PaymentSettled", [{ ...GIFT_CARD, refunds }]);

    await cancelOrder(services, {}, order, { refund: true });

    expect(payments[0]?.refunds.at(-1)).toEqual({ state: "Settled", total: 700 });
  });

  it("stays with the order when the provider refuses the refund, which Vendure reports as failed", async () => {
    const shop = aShop("PaymentSettled", [GIFT_CARD], { refusing: [2] });

    expect(await cancelOrder(shop.services, {}, shop.order, { refund: true })).toEqual({
      outcome: "impossible",
      reason: "refund-failed",
    });
    expect(shop.order.state).toBe("PaymentSettled");
  });

  it("isn't voided when the refund beside it is refused", async () => {
    const shop = aShop("PaymentAuthorized", [CARD, GIFT_CARD], { refusing: [2] });

    await cancelOrder(shop.services, {}, shop.order, { refund: true });

    expect(shop.calls).toEqual(["refund 2"]);
  });
});

describe("the money of a Vendure order that is approved", () => {
  it("is captured if it's authorized", async () => {
    const { services, order, calls } = aShop("PaymentAuthorized", [CARD, GIFT_CARD]);

    expect(await capturePayments(services, {}, order)).toMatchObject({ outcome: "done" });
    expect(calls).toEqual(["settle 1"]);
  });

  it("needs no capture if all of it was captured", async () => {
    const { services, order } = aShop("PaymentSettled", [GIFT_CARD], { total: 1_000 });

    expect(await capturePayments(services, {}, order)).toMatchObject({ outcome: "moot" });
  });

  it.each([
    ["voided", { ...CARD, state: "Cancelled" }, GIFT_CARD],
    ["refunded", CARD, { ...GIFT_CARD, refunds: [{ state: "Settled", total: 1_000 }] }],
  ])("doesn't count as captured when a part of it was %s", async (_case, card, giftCard) => {
    const { services, order, calls } = aShop("PaymentAuthorized", [card, giftCard]);

    expect(await capturePayments(services, {}, order)).toEqual({
      outcome: "impossible",
      reason: "payments-below-total",
    });
    expect(calls).toEqual([]);
  });
});

describe("the money of a Vendure order that is refused when it is placed", () => {
  it("is returned", async () => {
    const { services, order, calls } = aShop("ArrangingPayment", [CARD, GIFT_CARD]);

    await voidPayments(services, {}, order);

    expect(calls).toEqual(["refund 2", "void 1"]);
  });

  it.each([
    [1, "not voided or refunded: payment 1 (CANCEL_PAYMENT_ERROR)"],
    [2, "not voided or refunded: payment 2 (refund-failed)"],
  ])("is returned where possible, and the refused payment %i is named", async (refused, message) => {
    const { services, order, calls } = aShop("ArrangingPayment", [CARD, GIFT_CARD], { refusing: [refused] });

    await expect(voidPayments(services, {}, order)).rejects.toThrow(message);
    expect(calls).toEqual(["refund 2", "void 1"]);
  });
});

describe("the payments of a Vendure order", () => {
  it("are listed by their provider's IDs, with those that failed", async () => {
    const { services } = aShop("PaymentAuthorized", [
      { id: 1, state: "Declined", amount: 6_000, transactionId: "pi_1" },
      { id: 2, state: "Authorized", amount: 6_000, transactionId: "pi_2" },
      { id: 3, state: "Settled", amount: 1_000 },
    ]);

    expect(await toShop(services, {}).listPayments?.("1")).toEqual(["pi_1", "pi_2", ""]);
  });
});

import { describe, expect, it } from "vitest";
import { toPaymentInfo } from "../../../../adapters/shopify/mapping/payment.ts";

describe("toPaymentInfo", () => {
  it("maps everything there is", () => {
    const payment_details = {
      credit_card_company: "Visa",
      credit_card_number: "•••• •••• •••• 4242",
      credit_card_name: "Jane Example",
      credit_card_expiration_month: 7,
      credit_card_expiration_year: "2031",
    };
    expect(toPaymentInfo({ payment_details })).toStrictEqual({
      brand: "Visa",
      lastFourDigits: "4242",
      expiry: "07/31",
      holderName: "Jane Example",
    });
  });

  it("uses the last four digits and never more", () => {
    const info = toPaymentInfo({ payment_details: { credit_card_number: "4242424242421234" } });
    expect(info).toStrictEqual({ lastFourDigits: "1234" });
  });

  it.each(["XXXX", "•••• •••• •••• 424", "", "12", null, 4242])(
    "reads no digits from %j",
    (credit_card_number) => {
      expect(toPaymentInfo({ payment_details: { credit_card_number } })).toBeUndefined();
    },
  );

  it.each<[unknown, unknown]>([
    [0, 2030],
    [13, 2030],
    [1.5, 2030],
    [5, 30],
    [5, 2100],
    [null, 2030],
    [5, null],
  ])("reads no expiry from month %j and year %j", (month, year) => {
    const payment_details = { credit_card_expiration_month: month, credit_card_expiration_year: year };
    expect(toPaymentInfo({ payment_details })).toBeUndefined();
  });

  it.each([undefined, null, {}, [], "Visa"])("returns nothing for %j", (payment_details) => {
    expect(toPaymentInfo({ payment_details })).toBeUndefined();
  });
});

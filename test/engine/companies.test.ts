import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../src/engine/engine.ts";
import type { OrderContext } from "../../src/order/order-context.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import { orderWith } from "./sample-order.ts";

const engine = createLocalEngine();
const OFFICE = { street: "88 Market St", city: "Portland", state: "OR", postalCode: "97204", country: "US" };
const BRANCH = { street: "9 Harbor Way", city: "Tampa", state: "FL", postalCode: "33602", country: "US" };
const ABROAD = {
  street: "9 Harbour Way",
  city: "Toronto",
  state: "ON",
  postalCode: "M5H 2N2",
  country: "CA",
};
const goods = (name: string, quantity: number, price: number) => ({
  items: [{ name, quantity, price }],
  orderAmount: quantity * price,
});
const LAPTOPS = goods("Laptop 14 inch", 6, 980);
const CHAIRS = goods("Office chair", 20, 290);

/** The points of a company's first order, by signal. */
function pointsOf(changes: Partial<VerificationRequest>, context?: OrderContext): Record<string, number> {
  const order = orderWith({
    isFirstTimeCustomer: true,
    accountAgeInDays: 0,
    totalOrders: 0,
    fulfilledOrders: 0,
    averageOrderValue: 0,
    customerEmail: "jane.sample@northwind-tools.com",
    companyName: "Northwind Tools Inc",
    billingAddress: OFFICE,
    shippingAddress: BRANCH,
    paymentInfo: { brand: "visa", lastFourDigits: "8821", expiry: "08/28", holderName: "JANE SAMPLE" },
    ...LAPTOPS,
    ...changes,
  });
  const { contributions } = engine.assess(order, undefined, [], context).scorecard;
  return Object.fromEntries(contributions.map(({ code, points }) => [code, points]));
}

describe("a company's order for a branch in another region", () => {
  it("counts as a company's if the platform knows the company", () => {
    const points = pointsOf({}, { companyOrder: true });

    expect(points).toMatchObject({ RESALE_QUANTITY: 6, AMOUNT_HIGH_FIRST: 8 });
    expect(points).not.toHaveProperty("NEW_ACCOUNT_RESALE_ELSEWHERE");
    expect(pointsOf(goods("Gift card", 40, 25), { companyOrder: true })).toMatchObject({ GIFT_CARDS: 8 });
  });

  it.each<[string, Partial<VerificationRequest>, OrderContext | undefined]>([
    ["only its domain is known, which anybody can buy", {}, undefined],
    ["the goods go abroad", { shippingAddress: ABROAD }, { companyOrder: true }],
    [
      "the card is somebody else's",
      { paymentInfo: { brand: "visa", lastFourDigits: "8821", expiry: "08/28", holderName: "TOM BAKER" } },
      { companyOrder: true },
    ],
  ])("doesn't, with laptops, if %s", (_what, changes, context) => {
    expect(pointsOf(changes, context)).toMatchObject({
      RESALE_QUANTITY: 14,
      AMOUNT_HIGH_FIRST: 14,
      NEW_ACCOUNT_RESALE_ELSEWHERE: 10,
    });
  });

  it("counts as a company's with a domain of its name, if nothing in it is easy to resell", () => {
    expect(pointsOf(CHAIRS)).toMatchObject({ AMOUNT_HIGH_FIRST: 8 });
    expect(pointsOf({ ...CHAIRS, shippingAddress: ABROAD })).toMatchObject({ AMOUNT_HIGH_FIRST: 14 });
    expect(pointsOf({ ...CHAIRS, customerEmail: "jane.sample@gmail.com" })).toMatchObject({
      AMOUNT_HIGH_FIRST: 14,
    });
    expect(pointsOf(goods("Gift card", 60, 50))).toMatchObject({ GIFT_CARDS: 24, AMOUNT_HIGH_FIRST: 14 });
  });
});

describe("an office's mailbox", () => {
  it.each(["einkauf", "achats", "compras", "acquisti", "inkoop", "biuro"])(
    "needn't contain the buyer's name: %s@",
    (local) => {
      expect(pointsOf({ customerEmail: `${local}@northwind-tools.com` })).not.toHaveProperty(
        "EMAIL_NAME_MISMATCH",
      );
    },
  );
});

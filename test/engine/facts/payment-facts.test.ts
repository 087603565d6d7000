import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLocalEngine, type LocalAssessment } from "../../../src/engine/engine.ts";
import { PLATFORM_RISKS, type OrderContext } from "../../../src/order/order-context.ts";
import type { VerificationRequest } from "../../../src/order/request.ts";
import { orderArbitrary } from "../arbitrary-order.ts";
import { PLAIN_ORDER, SAMPLE_TIME } from "../sample-order.ts";

const engine = createLocalEngine({ now: () => Date.parse(SAMPLE_TIME) });

function assess(order: VerificationRequest, context?: unknown): LocalAssessment {
  return engine.assess(order, undefined, [], context as OrderContext);
}

function toRisk({ scorecard }: LocalAssessment): number {
  return scorecard.contributions.reduce((sum, part) => sum + Math.round(part.contribution * 100), 0);
}

const contextArbitrary = fc.record(
  {
    avs: fc.constantFrom("A", "F", "G", "N", "U", "X", "Y", "Z"),
    cvv: fc.constantFrom("M", "N", "P", "U"),
    wallet: fc.constantFrom("apple_pay", "google_pay", "shop_pay", "masterpass"),
    platformRisk: fc.constantFrom(...PLATFORM_RISKS),
    giftCard: fc.boolean(),
    products: fc.array(
      fc.record({
        sku: fc.constantFrom("Z-1", "Z-2"),
        category: fc.constantFrom("Electronics", "Phones > Cases", "Gift cards", "Furniture"),
      }),
      { maxLength: 2 },
    ),
    gateways: fc.constantFrom([], ["gift_card"], ["shopify_payments", "gift_card"]),
  },
  { requiredKeys: [] },
);

describe("LocalEngine.assess with a platform's context", () => {
  it("never finds more risk when the platform says less", () => {
    fc.assert(
      fc.property(orderArbitrary, contextArbitrary, (order, context) => {
        const whole = assess(order, context);
        for (const field of Object.keys(context)) {
          const less = assess(order, { ...context, [field]: undefined });

          expect(toRisk(less), field).toBeLessThanOrEqual(toRisk(whole));
          expect(less.confidence, field).toBeLessThanOrEqual(whole.confidence);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("gives the bank and the wallet together at most eight points of credit", () => {
    fc.assert(
      fc.property(orderArbitrary, contextArbitrary, (order, context) => {
        const before = assess(order).scorecard.trust;

        expect(assess(order, context).scorecard.trust).toBeGreaterThanOrEqual(before - 8);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ["nothing", undefined],
    ["no object", "N"],
    ["codes that mean that nothing was compared", { avs: "U", cvv: "P" }],
    ["unknown codes", { avs: "Ω", cvv: 7, wallet: ["apple_pay"], platformRisk: "CANCEL!" }],
    ["a platform that finds the risk low", { platformRisk: "accept", cvv: "M", giftCard: false }],
    ["payment with a gift card", { gateways: ["gift_card"] }],
    ["invalid products", { products: [null, 7, "Phones", { sku: 7, category: ["Phones"] }] }],
    ["a category that thieves don't want", { products: [{ sku: "SHEET-Q", category: "Bedding > Sheets" }] }],
    ["a cheap piece of a category", { products: [{ sku: "SHEET-Q", category: "Electronics" }] }],
    ["another SKU's category", { products: [{ sku: "sheet-q", category: "Gift cards" }] }],
    ["text for products", { products: "Phones" }],
    [
      "getters that throw",
      Object.defineProperty({}, "avs", {
        enumerable: true,
        get: () => {
          throw new Error("no");
        },
      }),
    ],
    ["inherited facts", Object.create({ avs: "N", cvv: "N" })],
  ])("gives neither credit nor points for %s", (_what, context) => {
    expect(assess(PLAIN_ORDER, context)).toEqual(assess(PLAIN_ORDER));
  });

  it("recognizes goods that are easy to resell by their category", () => {
    const items = [{ name: "Zirkon 256", quantity: 1, price: 140, sku: "Z-1" }];
    const { riskFactors } = assess(
      { ...PLAIN_ORDER, items },
      { products: [{ sku: "Z-1", category: "Phones" }] },
    );

    expect(riskFactors.map(({ description }) => description)).toContain(
      "Easy to sell on at a good price, by category in the catalog: “Zirkon 256”. [RESALE_ITEM]",
    );
  });

  it("cancels the credit for what the customer typed when the bank disagrees", () => {
    const order = { ...PLAIN_ORDER, paymentInfo: { holderName: "Jane Sample" } };

    expect(assess(order).scorecard.trust).toBe(-15);
    expect(assess(order, { avs: "N", wallet: "apple_pay" }).scorecard.trust).toBe(-5);
  });

  it("doesn't call an order critical because the platform repeats what two groups found", () => {
    const order = { ...PLAIN_ORDER, customerEmail: "jane@yopmail.com", ipAddress: "185.220.101.1" };

    expect(assess(order, { platformRisk: "cancel" })).toMatchObject({
      riskLevel: "high",
      scorecard: { capped: true },
    });
  });
});

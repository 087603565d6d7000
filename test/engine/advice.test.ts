import { describe, expect, it } from "vitest";
import { createLocalEngine, type LocalAssessment } from "../../src/engine/engine.ts";
import { recommend } from "../../src/engine/reasons.ts";
import type { OrderContext } from "../../src/order/order-context.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import { readFactorCode } from "../../src/order/result.ts";
import { listAnswers } from "./answers.ts";
import { orderWith } from "./sample-order.ts";

const CODES = "Release codes and gift cards only after the payment has settled.";
const AS_USUAL = "If nothing else holds it, process the order as usual.";

const assess = (changes: Partial<VerificationRequest>, context?: OrderContext): LocalAssessment =>
  createLocalEngine().assess(orderWith(changes), undefined, [], context);

const giftCards = (quantity: number): Partial<VerificationRequest> => ({
  items: [{ name: "Gift card 25", quantity, price: 25 }],
  orderAmount: 25 * quantity,
});

describe("the advice", () => {
  it("for a company that buys many gift cards says when to release them", () => {
    const { riskLevel, recommendations } = assess(
      { ...giftCards(40), companyName: "Sample Trading Ltd" },
      { companyOrder: true },
    );

    expect(riskLevel).toBe("low");
    expect(recommendations).toEqual([
      "The risk is low, but check this before you ship: Gift cards or codes.",
      CODES,
    ]);
  });

  it("for one gift card as a present is to process the order", () => {
    expect(assess(giftCards(1)).recommendations).toEqual([AS_USUAL]);
  });

  it.each<[string, OrderContext, string]>([
    ["the platform", { platformRisk: "investigate" }, "Read in the platform what its own analysis found."],
    [
      "the bank, of the code,",
      { cvv: "N" },
      "Ask the customer to pay again, with the card's correct security code.",
    ],
    [
      "the bank, of the address,",
      { avs: "N" },
      "Ask the customer for the billing address that the bank has.",
    ],
  ])("where %s objects to an order of low risk names that", (_who, context, check) => {
    const { riskLevel, recommendations } = assess({}, context);

    expect(riskLevel).toBe("low");
    expect(recommendations.slice(1)).toEqual([check]);
    expect(recommendations[0]).toMatch(/^The risk is low, but check this before you ship: /);
  });

  it("names the check of a strong factor, even if three others count more", () => {
    const weak = ["EMAIL_TYPO_DOMAIN", "CVV_MISMATCH", "POSTCODE_REGION"].map((code) => ({
      code,
      points: 12,
      category: "technical" as const,
    }));
    const strong = { code: "IP_MULTI_EMAIL", points: 20, category: "technical" as const };

    expect(recommend("medium", [...weak, strong])).toContain(
      "Review the other orders from this network together with this one.",
    );
  });

  it("names what to check in every answer with a strong factor", async () => {
    const bare = (await listAnswers()).filter(({ answer: { riskFactors, riskLevel, recommendations } }) => {
      const strong = riskFactors.filter(({ severity }) => severity === "high" || severity === "critical");
      const checks = strong.flatMap(({ description, category }) =>
        recommend("medium", [{ code: readFactorCode(description) ?? "", category, points: 16 }]).slice(1),
      );
      const isNamed = riskLevel !== "low" || recommendations[0]?.includes(strong[0]?.factor ?? "") === true;
      return strong.length > 0 && !(isNamed && checks.some((check) => recommendations.includes(check)));
    });

    expect(bare.map(({ from }) => from)).toEqual([]);
  });
});

describe("the title of goods in a sentence", () => {
  const say = (name: string): string => {
    const { riskFactors } = assess({ items: [{ name, quantity: 6, price: 100 }] });
    return riskFactors.find(({ description }) => description.endsWith("[GIFT_CARDS]"))?.description ?? "";
  };

  it("is that of the shop", () => {
    expect(say("Amazon Gift Card 100 €")).toBe(
      "“Amazon Gift Card 100 €”: 6 in all, worth about 600 USD, which can be used like cash. [GIFT_CARDS]",
    );
  });

  it("says once what a gift card is worth that is the whole order", () => {
    const { riskFactors } = assess({
      items: [{ name: "E-gift card", quantity: 1, price: 500 }],
      orderAmount: 500,
      isFirstTimeCustomer: true,
      totalOrders: 0,
    });

    expect(riskFactors.map(({ description }) => description)).toEqual(
      expect.arrayContaining([
        "The whole order is “E-gift card”, which can be used like cash. [GIFT_CARDS]",
        "The order is worth about 500 USD. [AMOUNT_HIGH_FIRST]",
      ]),
    );
  });

  it("is cut to 60 characters, without splitting one", () => {
    const [, title = ""] = /“([^”]*)”/.exec(say(`Gift card ${"🎁".repeat(80)}`)) ?? [];

    expect(Array.from(title)).toHaveLength(60);
    expect(title).toMatch(/^Gift card (?:🎁)+…$/u);
  });

  it.each([
    ["tags", "Gift card <img src=x onerror=alert(1)>", "Gift card"],
    ["half a tag", "Gift card <script", "Gift card script"],
    ["tags within control characters", "Gift card <\u0000b\u0007>x</b>", "Gift card x"],
    ["line breaks and tabs", "Gift\ncard\t\r\n 50", "Gift card 50"],
    ["marks that turn the text around", "Gift card \u202e05\u2066", "Gift card 05"],
    ["invisible characters", "Gift card\u200b \ufeff50\u00ad", "Gift card 50"],
    ["half a character", "Gift card \ud83d", "Gift card"],
    ["the end of the quotation", "Gift card” is fine. “", "Gift card is fine."],
    ["the code of another factor", "Gift card [IP_TOR]", "Gift card (IP_TOR)"],
    ["placeholders", "Gift card {worth}", "Gift card worth"],
  ])("has no %s", (_what, name, shown) => {
    expect(say(name)).toMatch(/^“[^“”<>{}\p{Cc}]*”: 6 in all, .* \[GIFT_CARDS\]$/u);
    expect(/“([^”]*)”/.exec(say(name))?.[1]).toBe(shown);
  });

  it("is left out if nothing of it can be read", () => {
    const items = [{ name: "<gift card>", quantity: 6, price: 100 }];

    expect(assess({ items }).riskFactors.map(({ description }) => description)).toContain(
      "Gift cards or codes: 6 in all, worth about 600 USD, which can be used like cash. [GIFT_CARDS]",
    );
  });
});

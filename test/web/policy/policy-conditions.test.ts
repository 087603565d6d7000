import { describe, expect, it } from "vitest";
import { CONDITION_GROUPS } from "../../../web/data/policy/condition-groups.ts";
import { CONDITION_NAMES, CONDITIONS } from "../../../web/data/policy/policy-conditions.ts";
import { toRuleSentence } from "../../../web/data/policy/rule-sentence.ts";
import { parsePolicy, type PolicyDocument } from "../../../src/policy/policy.ts";
import { CONDITION_NAMES as KNOWN_NAMES } from "../../../src/policy/conditions/conditions.ts";

type Rule = NonNullable<PolicyDocument["rules"]>[number];

function say(when: Rule["when"], then: Rule["then"] = { action: "hold" }): string {
  const [rule] = parsePolicy({ rules: [{ name: "A rule", when, then }] }).rules;
  return rule === undefined ? "" : toRuleSentence(rule);
}

describe("toRuleSentence", () => {
  it.each<[string, Rule["when"], Rule["then"] | undefined]>([
    [
      "Hold orders of 500 USD or more from first-time customers shipped to Norway.",
      { minAmount: 500, currency: ["usd"], firstTimeCustomer: true, shippingCountry: ["NO"] },
      undefined,
    ],
    ["Hold high or critical-risk orders.", { level: ["high", "critical"] }, undefined],
    [
      "Hold orders between 10 and 1,500.5 in EUR or USD.",
      { minAmount: 10, maxAmount: 1500.5, currency: ["EUR", "USD"] },
      undefined,
    ],
    ["Hold orders in USD.", { currency: ["USD"] }, undefined],
    [
      "Hold orders of 20 or less in any currency from returning customers.",
      { maxAmount: 20, firstTimeCustomer: false },
      undefined,
    ],
    ["Hold orders checked without the service.", { degraded: true }, undefined],
    ["Hold orders from people, not companies.", { companyOrder: false }, undefined],
    [
      "Hold orders from the channel draft paid through paypal of 5 units or more with a gift card without a discount.",
      { channel: ["draft"], gateway: ["paypal"], quantity: 5, giftCard: true, discount: false },
      undefined,
    ],
    [
      "Hold orders tagged “rush” from customers tagged “new” shipped by “Express” from companies.",
      { orderTag: ["rush"], customerTag: ["new"], shippingMethod: ["Express"], companyOrder: true },
      undefined,
    ],
    [
      "Hold orders with the AVS code N with the CVV code N or P where the platform advises to investigate or cancel.",
      { avs: ["N"], cvv: ["N", "P"], platformRisk: ["investigate", "cancel"] },
      undefined,
    ],
    ["Hold orders from a, b, c, or d.", { email: ["a", "b", "c", "d"] }, undefined],
    ["Hold orders from a, b, c, or 2 others.", { email: ["a", "b", "c", "d", "e"] }, undefined],
    [
      "Don't check orders with an email address at shop.example. Allow them.",
      { emailDomain: ["shop.example"] },
      { skip: true },
    ],
    [
      "Tag orders with a product name containing “gift card” with “gift”.",
      { product: ["gift card"] },
      { action: "tag", tags: ["gift"] },
    ],
    [
      "Cancel orders paid with visa, and tag them “a” and “b”.",
      { paymentBrand: ["visa"] },
      { action: "cancel", tags: ["a", "b"] },
    ],
    [
      "Hold orders of 500 EUR or more shipped to another country than they are billed in, unless the risk level does more.",
      { minAmount: 500, currency: "EUR", shippingCountryDiffers: true },
      { atLeast: "hold" },
    ],
    [
      "Tag orders with a risk score between 20 and 60 with the risk factor address with “look”, unless the risk level does more.",
      { minScore: 20, maxScore: 60, factor: "address" },
      { atLeast: "tag", tags: ["look"] },
    ],
    [
      "Hold orders from accounts opened at most 7 days ago from customers with 1 to 3 earlier orders of 2.5 times the customer's average or more.",
      { accountAgeDays: { max: 7 }, totalOrders: { min: 1, max: 3 }, timesAverage: 2.5 },
      undefined,
    ],
    [
      "Hold orders either shipped to Nigeria or (with high risk of 200 USD or more), except those from companies or from customers tagged “vip”.",
      {
        any: [{ shippingCountry: "NG" }, { level: "high", minAmount: 200, currency: "USD" }],
        not: [{ companyOrder: true }, { customerTag: "vip" }],
      },
      undefined,
    ],
    [
      "Hold orders placed from another country than they are billed in, except those (from first-time customers not paid with visa).",
      { ipCountryDiffers: true, not: { firstTimeCustomer: true, not: { paymentBrand: "visa" } } },
      undefined,
    ],
    ["Hold orders from an email address with 3 or more orders in an hour.", { emailOrders1h: 3 }, undefined],
  ])("says: %s", (sentence, when, then) => {
    expect(say(when, then)).toBe(sentence);
  });

  it("leaves a gap for what isn't written yet", () => {
    const rule = { when: { minAmount: Number.NaN, sku: [] }, then: { action: "hold" as const } };

    expect(toRuleSentence(rule)).toBe("Hold orders of … or more in any currency with the SKU ….");
  });
});

describe("CONDITIONS", () => {
  it("has every condition of the policy", () => {
    expect(CONDITION_NAMES.toSorted()).toStrictEqual([...KNOWN_NAMES].toSorted());
  });

  it("offers every condition in one group", () => {
    const offered = CONDITION_GROUPS.flatMap(([, names]) => names);

    expect(offered.toSorted()).toStrictEqual([...KNOWN_NAMES].toSorted());
  });

  it.each(CONDITION_NAMES)("has its own words for %s", (name) => {
    const { kind, first } = CONDITIONS[name];
    const value = kind === "list" || kind === "countries" ? ["XX"] : first;

    expect(toRuleSentence({ when: { [name]: value }, then: { action: "hold" } })).not.toBe("Hold orders.");
  });
});

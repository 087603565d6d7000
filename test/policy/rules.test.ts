import { describe, expect, it } from "vitest";
import type { OrderContext } from "../../src/order/order-context.ts";
import type { PartialVerificationRequest } from "../../src/order/request.ts";
import { parsePolicy, type Policy } from "../../src/policy/policy.ts";
import { findSkip, findSkipRule, isOptedOut, matchRule } from "../../src/policy/rules.ts";
import { toOrderFacts, toStoredFacts } from "../../src/policy/order-facts.ts";
import type { CheckOutcome } from "../../src/policy/check-facts.ts";
import { anOrder } from "../support/orders.ts";

const HOLD = { action: "hold" };
const SKIP = { skip: true };

function policyOf(...rules: readonly [name: string, when: unknown, then: unknown][]): Policy {
  return parsePolicy({ rules: rules.map(([name, when, then]) => ({ name, when, then })) });
}

const ORDER = anOrder({
  orderAmount: 100,
  currency: "eur",
  customerEmail: "Jane@Shop.Example.com ",
  customerPhone: "+1 (555) 010-0199",
  isFirstTimeCustomer: true,
  items: [
    { name: "Gift Card €50", quantity: 1, price: 50, sku: "GIFT-50" },
    { name: "Large  Mug", quantity: 2, price: 25 },
  ],
  shippingAddress: {
    street: "12, Main-Street",
    city: "Springfield",
    state: "IL",
    postalCode: "62701",
    country: "US",
  },
  billingAddress: {
    street: "Hauptstraße 5",
    city: "Berlin",
    state: "BE",
    postalCode: "10115",
    country: "Germany",
  },
  paymentInfo: { brand: "Visa" },
});

const LOW: CheckOutcome = { level: "low", score: 5, degraded: false };

function matches(
  when: unknown,
  order: PartialVerificationRequest = ORDER,
  outcome: CheckOutcome = LOW,
): boolean {
  return matchRule(policyOf(["r", when, HOLD]), toOrderFacts(order), outcome) !== null;
}

const CONTEXT: Required<OrderContext> = {
  channel: "Web",
  locale: "en",
  gateways: ["shopify_payments", "Gift_Card"],
  orderTags: ["Wholesale", "rush"],
  customerTags: ["VIP"],
  shippingMethods: ["Express  Shipping"],
  giftCard: true,
  quantity: 12,
  discount: false,
  companyOrder: true,
  paymentTerms: "Net 30",
  avs: "N",
  cvv: "M",
  bin: "424242",
  wallet: "apple_pay",
  platformRisk: "investigate",
  protect: "active",
  protectEligibility: "eligible",
  authorizationExpiresAt: "2026-11-27T12:00:00Z",
  products: [
    { sku: "P-1", category: "Electronics >Mobile  Phones", brand: "Acme", manufacturer: "Acme  Works" },
    { sku: "P-2", brand: "ÉCLAT" },
  ],
};

describe("rules on an order's context", () => {
  const matchesContext = (when: unknown, context?: OrderContext) =>
    matchRule(policyOf(["r", when, HOLD]), toOrderFacts({}, context), LOW) !== null;

  it.each<[when: Record<string, unknown>, expected: boolean]>([
    [{ channel: ["pos", "WEB"] }, true],
    [{ channel: ["draft"] }, false],
    [{ gateway: ["paypal", "gift_card"] }, true],
    [{ gateway: ["shopify"] }, false],
    [{ orderTag: ["RUSH"] }, true],
    [{ orderTag: ["vip"] }, false],
    [{ customerTag: ["vip"] }, true],
    [{ customerTag: ["rush"] }, false],
    [{ shippingMethod: ["express shipping"] }, true],
    [{ shippingMethod: ["express"] }, false],
    [{ giftCard: true }, true],
    [{ giftCard: false }, false],
    [{ quantity: 12 }, true],
    [{ quantity: 13 }, false],
    [{ avs: ["y", "n"] }, true],
    [{ avs: ["Y"] }, false],
    [{ cvv: ["m"] }, true],
    [{ cvv: ["N"] }, false],
    [{ platformRisk: ["cancel", "investigate"] }, true],
    [{ platformRisk: ["accept"] }, false],
    [{ protect: ["active", "pending"] }, true],
    [{ protect: ["inactive"] }, false],
    [{ companyOrder: true }, true],
    [{ companyOrder: false }, false],
    [{ discount: false }, true],
    [{ discount: true }, false],
    [{ productCategory: ["shoes", "ELECTRONICS > mobile phones"] }, true],
    [{ productCategory: ["electronics"] }, true],
    [{ productCategory: ["mobile phones"] }, false],
    [{ productCategory: ["electron"] }, false],
    [{ brand: ["acme"] }, true],
    [{ brand: ["éclat"] }, true],
    [{ brand: ["acme works"] }, false],
    [{ manufacturer: ["ACME WORKS"] }, true],
    [{ manufacturer: ["acme"] }, false],
  ])("checks %j: %s, and never matches unknown values", (when, expected) => {
    expect(matchesContext(when, CONTEXT)).toBe(expected);
    expect(matchesContext(when, {})).toBe(false);
    expect(matchesContext(when)).toBe(false);
  });

  it("stores no tags, which may name a person, and nothing that no rule uses", () => {
    const { context } = toStoredFacts(toOrderFacts({}, CONTEXT));

    expect(context).toEqual({
      channel: "web",
      gateways: ["shopify_payments", "gift_card"],
      shippingMethods: ["express shipping"],
      giftCard: true,
      quantity: 12,
      discount: false,
      companyOrder: true,
      avs: "n",
      cvv: "m",
      platformRisk: "investigate",
      protect: "active",
      // Not known of all its lines: this order has none.
      productCategories: ["electronics", "electronics > mobile phones", null],
      brands: ["acme", "éclat", null],
      manufacturers: ["acme works", null],
    });
  });

  it("skips channels before it applies rules, if the policy says so", () => {
    const facts = (channel?: string) => toOrderFacts(ORDER, channel === undefined ? {} : { channel });
    const rules = [{ name: "all", when: { minAmount: 1 }, then: SKIP }];
    const policy = parsePolicy({ skipChannels: ["Draft", "subscription"], rules });

    expect(findSkip(parsePolicy({}), facts("pos"))).toEqual({ channel: "pos" });
    expect(findSkip(parsePolicy({}), facts("web"))).toBeNull();
    expect(findSkip(parsePolicy({}), facts())).toBeNull();
    expect(findSkip(parsePolicy({ skipChannels: [] }), facts("pos"))).toBeNull();
    expect(findSkip(policy, facts("draft"))).toEqual({ channel: "Draft" });
    expect(findSkip(policy, facts("pos"))).toEqual({ rule: "all" });
  });

  it("recognizes opted-out customers by the customer's tags, never by the order's", () => {
    const facts = (context: OrderContext) => toOrderFacts({}, context);

    expect(isOptedOut(parsePolicy({}), facts({ customerTags: ["Holdfast-Manual-Review"] }))).toBe(true);
    expect(isOptedOut(parsePolicy({}), facts({ orderTags: ["holdfast-manual-review"] }))).toBe(false);
    expect(isOptedOut(parsePolicy({}), facts({}))).toBe(false);
    expect(isOptedOut(parsePolicy({ optOutTags: [] }), facts({ customerTags: ["x"] }))).toBe(false);
    expect(isOptedOut(parsePolicy({ optOutTags: ["x"] }), { ...facts({}), optedOut: true })).toBe(true);
  });
});

describe("toOrderFacts", () => {
  it("folds compared texts and leaves missing values undefined", () => {
    expect(toOrderFacts(ORDER)).toEqual({
      amount: 100,
      currency: "eur",
      shippingCountry: "us",
      billingCountry: "germany",
      shippingCountryDiffers: true,
      ipCountryDiffers: undefined,
      firstTimeCustomer: true,
      accountAgeDays: undefined,
      totalOrders: undefined,
      timesAverage: undefined,
      email: "jane@shop.example.com",
      emailDomain: "shop.example.com",
      phone: "15550100199",
      streets: ["12 main street", "hauptstrasse 5"],
      skus: ["gift-50"],
      products: ["gift card €50", "large mug"],
      paymentBrand: "visa",
      context: {},
    });
    expect(toOrderFacts({})).toEqual({
      amount: undefined,
      currency: undefined,
      shippingCountry: undefined,
      billingCountry: undefined,
      shippingCountryDiffers: undefined,
      ipCountryDiffers: undefined,
      firstTimeCustomer: undefined,
      accountAgeDays: undefined,
      totalOrders: undefined,
      timesAverage: undefined,
      email: undefined,
      emailDomain: undefined,
      phone: undefined,
      streets: undefined,
      skus: undefined,
      products: undefined,
      paymentBrand: undefined,
      context: {},
    });
  });

  it("treats blank text and an email without a domain as unknown", () => {
    const facts = toOrderFacts({ customerEmail: "not an address", customerPhone: "n/a", currency: "  " });

    expect(facts).toMatchObject({ emailDomain: undefined, phone: undefined, currency: undefined });
  });
});

describe("matchRule", () => {
  it.each<[name: string, when: unknown, expected: boolean]>([
    ["an amount at the minimum", { minAmount: 100 }, true],
    ["an amount below the minimum", { minAmount: 100.01 }, false],
    ["an amount at the maximum", { maxAmount: 100 }, true],
    ["an amount above the maximum", { maxAmount: 99.99 }, false],
    ["a currency in any case", { currency: ["USD", "EUR"] }, true],
    ["another currency", { currency: ["USD"] }, false],
    ["the shipping country as country", { country: ["us"] }, true],
    ["the billing country as country", { country: ["GERMANY"] }, true],
    ["neither country", { country: ["FR"] }, false],
    ["the code of a country that the order names", { country: ["DE"] }, true],
    ["the code of the billing country that the order names", { billingCountry: ["de"] }, true],
    ["the shipping country", { shippingCountry: ["US"] }, true],
    ["the billing country as shipping country", { shippingCountry: ["Germany"] }, false],
    ["the billing country", { billingCountry: ["Germany"] }, true],
    ["the shipping country as billing country", { billingCountry: ["US"] }, false],
    ["a first-time customer", { firstTimeCustomer: true }, true],
    ["a returning customer", { firstTimeCustomer: false }, false],
    ["an email in any case", { email: ["JANE@shop.example.com"] }, true],
    ["part of an email", { email: ["jane"] }, false],
    ["an email domain", { emailDomain: ["Shop.Example.com"] }, true],
    ["an email domain with its @", { emailDomain: ["@shop.example.com"] }, true],
    ["a parent domain", { emailDomain: ["example.com"] }, false],
    ["a phone number by digits", { phone: ["1-555-010-0199"] }, true],
    ["part of a phone number", { phone: ["555 010 0199"] }, false],
    ["part of the shipping street", { address: ["12 MAIN street"] }, true],
    ["part of the billing street", { address: ["hauptstrasse"] }, true],
    ["another street", { address: ["Side Street"] }, false],
    ["a sku in any case", { sku: ["other", "gift-50"] }, true],
    ["part of a sku", { sku: ["GIFT"] }, false],
    ["part of a product's name", { product: ["gift card"] }, true],
    ["another product", { product: ["plate"] }, false],
    ["a card brand", { paymentBrand: ["VISA"] }, true],
    ["another card brand", { paymentBrand: ["Mastercard"] }, false],
    ["the level", { level: ["high", "low"] }, true],
    ["another level", { level: ["high"] }, false],
    ["a check with the service", { degraded: false }, true],
    ["a check without the service", { degraded: true }, false],
    ["conditions that all hold", { minAmount: 50, email: ["jane@shop.example.com"], level: ["low"] }, true],
    ["conditions of which one fails", { minAmount: 50, email: ["joe@example.com"], level: ["low"] }, false],
  ])("checks %s", (_name, when, expected) => {
    expect(matches(when)).toBe(expected);
  });

  it.each<[when: unknown]>([
    [{ minAmount: 0 }],
    [{ maxAmount: 1_000 }],
    [{ currency: ["EUR"] }],
    [{ country: ["US"] }],
    [{ shippingCountry: ["US"] }],
    [{ billingCountry: ["US"] }],
    [{ firstTimeCustomer: false }],
    [{ email: ["jane@example.com"] }],
    [{ emailDomain: ["@"] }],
    [{ phone: ["1"] }],
    [{ address: ["main"] }],
    [{ sku: ["A"] }],
    [{ product: ["mug"] }],
    [{ paymentBrand: ["visa"] }],
    [{ level: ["low"] }],
  ])("never matches %j on an order without that value", (when) => {
    expect(matches(when, {}, { level: null, score: null, degraded: true })).toBe(false);
  });

  it("returns the first matching rule, with its tags", () => {
    const policy = policyOf(
      ["big", { minAmount: 500 }, { action: "cancel" }],
      ["gifts", { product: ["gift"] }, { action: "tag", tags: ["gift"] }],
      ["any", { minAmount: 0 }, HOLD],
    );

    expect(matchRule(policy, toOrderFacts(ORDER), LOW)).toEqual({
      name: "gifts",
      action: "tag",
      tags: ["gift"],
    });
    expect(matchRule(policy, toOrderFacts({ orderAmount: 1 }), LOW)).toEqual({
      name: "any",
      action: "hold",
      tags: [],
    });
    expect(matchRule(policy, toOrderFacts({}), LOW)).toBeNull();
  });

  it("ignores rules that skip", () => {
    const policy = policyOf(["skip", { minAmount: 0 }, SKIP], ["hold", { minAmount: 0 }, HOLD]);

    expect(matchRule(policy, toOrderFacts(ORDER), LOW)?.name).toBe("hold");
  });
});

describe("findSkipRule", () => {
  const facts = toOrderFacts(ORDER);

  it("names the rule that skips", () => {
    const policy = policyOf(
      ["big", { minAmount: 500 }, SKIP],
      ["staff", { emailDomain: ["shop.example.com"] }, SKIP],
    );

    expect(findSkipRule(policy, facts)).toBe("staff");
  });

  it("finds none if none matches", () => {
    expect(findSkipRule(policyOf(["big", { minAmount: 500 }, SKIP]), facts)).toBeNull();
    expect(findSkipRule(parsePolicy({}), facts)).toBeNull();
  });

  it("stops at an earlier matching rule with an action", () => {
    const policy = policyOf(["gifts", { product: ["gift"] }, HOLD], ["small", { maxAmount: 200 }, SKIP]);

    expect(findSkipRule(policy, facts)).toBeNull();
  });

  it("continues past an earlier rule that doesn't match", () => {
    const policy = policyOf(["plates", { product: ["plate"] }, HOLD], ["small", { maxAmount: 200 }, SKIP]);

    expect(findSkipRule(policy, facts)).toBe("small");
  });

  it.each<[when: Record<string, unknown>]>([
    [{ level: ["critical"] }],
    [{ degraded: false }],
    [{ degraded: true }],
  ])("skips an earlier rule on %j, which isn't known yet", (when) => {
    const policy = policyOf(["later", { ...when, minAmount: 1 }, HOLD], ["small", { maxAmount: 200 }, SKIP]);

    expect(findSkipRule(policy, facts)).toBe("small");
  });
});

import { describe, expect, it } from "vitest";
import { isHoldfastError } from "../../src/base/errors.ts";
import { toCheckFacts, type CheckOutcome } from "../../src/policy/check-facts.ts";
import { meetsAll, metAllThen, type Conditions } from "../../src/policy/conditions/groups.ts";
import { toMappedFacts, toOrderFacts, type OrderFacts } from "../../src/policy/order-facts.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import type { MappedOrder } from "../../src/platform/platform.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import { anOrder } from "../support/orders.ts";

const HIGH: CheckOutcome = { level: "high", score: 73, degraded: false };

function whenOf(when: unknown): Conditions {
  const [rule] = parsePolicy({ rules: [{ name: "r", when, then: { action: "hold" } }] }).rules;
  return rule!.when;
}

function problemsOf(when: unknown): Record<string, string> {
  try {
    whenOf(when);
  } catch (error) {
    if (isHoldfastError(error))
      return Object.fromEntries(error.fields.map(({ path, message }) => [path, message]));
    throw error;
  }
  return {};
}

function matches(when: unknown, facts: OrderFacts, outcome: CheckOutcome = HIGH): boolean {
  return meetsAll(whenOf(when), facts, outcome);
}

function order(changes: Partial<VerificationRequest> = {}): OrderFacts {
  return toOrderFacts(anOrder(changes));
}

const IN = (country: string) => ({
  street: "1 Main Street",
  city: "Springfield",
  state: "IL",
  postalCode: "62701",
  country,
});

/** Conditions that are met, not met and unknown on an ordinary order. */
const [MET, UNMET, UNKNOWN] = [{ minAmount: 10 }, { minAmount: 1_000 }, { paymentBrand: ["visa"] }];

describe("groups of conditions", () => {
  it.each<[when: object, expected: boolean]>([
    [{ any: [UNMET, MET] }, true],
    [{ any: [UNMET, UNKNOWN] }, false],
    [{ any: [UNKNOWN, MET] }, true],
    [{ any: MET, ...UNMET }, false],
    [{ not: UNMET }, true],
    [{ not: MET }, false],
    [{ not: [UNMET, MET] }, false],
    [{ not: { ...MET, sku: ["X"] } }, true],
    // Neither a condition on something unknown nor its opposite matches.
    [UNKNOWN, false],
    [{ not: UNKNOWN }, false],
    [{ not: [UNMET, UNKNOWN] }, false],
    [{ not: { ...UNKNOWN, ...MET } }, false],
    // Whatever is unknown here, not all of it can be met.
    [{ not: { ...UNKNOWN, ...UNMET } }, true],
    [{ any: [{ not: UNKNOWN }, { not: UNMET }] }, true],
    [{ not: { any: [UNMET, UNMET] } }, true],
    [{ not: { any: [UNMET, MET] } }, false],
    [{ not: { any: [UNMET, UNKNOWN] } }, false],
    [{ not: { not: MET } }, true],
    [{ not: { not: UNKNOWN } }, false],
  ])("reads %j on an ordinary order as %s", (when, expected) => {
    expect(matches(when, order())).toBe(expected);
  });

  it("nests two levels deep, and no deeper", () => {
    expect(problemsOf({ any: [{ not: { ...MET, any: [MET] } }] })).toEqual({
      "rules[0].when.any[0].not[0].any": "groups of conditions nest at most two levels deep",
    });
    expect(problemsOf({ any: [{ not: MET }, { any: [MET, MET] }] })).toEqual({});
  });

  it.each<[when: object, path: string, message: RegExp]>([
    [{ any: [] }, "rules[0].when.any", /1 to 20/],
    [{ any: "x" }, "rules[0].when.any", /expected conditions, or a list/],
    [{ not: {} }, "rules[0].when.not[0]", /at least one condition/],
    [{ any: Array.from({ length: 21 }, () => MET) }, "rules[0].when.any", /1 to 20/],
    [{ any: [{ minAmount: 5, maxAmount: 4 }] }, "rules[0].when.any[0].maxAmount", /not below minAmount/],
    [{ minScore: 50, maxScore: 49 }, "rules[0].when.maxScore", /not below minScore/],
    [{ minScore: 101 }, "rules[0].when.minScore", /whole number from 0 to 100/],
    [{ accountAgeDays: {} }, "rules[0].when.accountAgeDays", /min, max or both/],
    [{ accountAgeDays: 3 }, "rules[0].when.accountAgeDays", /an object/],
    [{ totalOrders: { min: 3, max: 2 } }, "rules[0].when.totalOrders.max", /not below min/],
    [{ timesAverage: 0 }, "rules[0].when.timesAverage", /above 0/],
    [{ emailOrders1h: 0 }, "rules[0].when.emailOrders1h", /whole number from 1/],
    [{ any: [{ ...MET, colour: ["red"] }] }, "rules[0].when.any[0].colour", /not a setting/],
  ])("refuses %j at its place", (when, path, message) => {
    expect(problemsOf(when)).toEqual({ [path]: expect.stringMatching(message) });
  });

  it("can't use the check's outcome in a rule that skips it, at any level", () => {
    const when = {
      minAmount: 1,
      any: [{ not: { maxScore: 20 } }, { factor: ["address"] }, { emailCards24h: 2 }],
    };
    const problems = () => parsePolicy({ rules: [{ name: "r", when, then: { skip: true } }] });

    expect(problems).toThrow(
      expect.objectContaining({
        fields: ["any[0].not[0].maxScore", "any[1].factor", "any[2].emailCards24h"].map((path) => ({
          path: `rules[0].when.${path}`,
          code: "condition-of-outcome",
          message: "a rule that skips the check can't use its outcome: remove this condition",
        })),
      }) as Error,
    );
  });
});

describe("metAllThen", () => {
  const hidden = new Set(["email" as const]);
  const EMAIL = { email: ["jane@example.com"] };

  it.each<[when: object, expected: boolean | undefined]>([
    [EMAIL, undefined],
    [{ ...EMAIL, ...MET }, undefined],
    [{ ...EMAIL, ...UNMET }, false],
    [{ not: EMAIL }, undefined],
    [{ not: { ...EMAIL, ...UNMET } }, true],
    [{ not: { not: EMAIL } }, undefined],
    [{ any: [EMAIL, MET] }, true],
    [{ any: [EMAIL, UNMET] }, undefined],
    [{ any: [{ not: EMAIL }, UNMET], ...UNMET }, false],
    [{ any: [EMAIL, { not: EMAIL }] }, undefined],
    [{ ...EMAIL, ...UNKNOWN }, false],
  ])("reads %j without the email address as %s", (when, expected) => {
    expect(metAllThen(whenOf(when), order(), HIGH, hidden)).toBe(expected);
  });
});

describe("conditions on countries", () => {
  it("understands a country's English name, and saves its code", () => {
    expect(whenOf({ country: ["Germany", " de ", "UK", "United States of America"] })).toEqual({
      country: ["DE", "DE", "GB", "US"],
    });
    expect(matches({ shippingCountry: "Germany" }, order({ shippingAddress: IN("DE") }))).toBe(true);
    expect(matches({ shippingCountry: "DE" }, order({ shippingAddress: IN("Germany") }))).toBe(true);
    expect(matches({ not: { shippingCountry: "Germany" } }, order({ shippingAddress: IN("FR") }))).toBe(true);
  });

  it("compares the shipping country with the billing country, however they are written", () => {
    const abroad = order({ shippingAddress: IN("FR"), billingAddress: IN("Germany") });
    const home = order({ shippingAddress: IN("DE"), billingAddress: IN("Germany") });

    expect(matches({ shippingCountryDiffers: true }, abroad)).toBe(true);
    expect(matches({ shippingCountryDiffers: false }, abroad)).toBe(false);
    expect(matches({ shippingCountryDiffers: true }, home)).toBe(false);
    expect(matches({ shippingCountryDiffers: false }, home)).toBe(true);
  });

  it("compares the country of the IP address with the billing country", () => {
    // An address of a provider in the United States.
    const from = (country: string) =>
      order({ ipAddress: "73.158.64.15", shippingAddress: IN("US"), billingAddress: IN(country) });

    expect(matches({ ipCountryDiffers: true }, from("FR"))).toBe(true);
    expect(matches({ ipCountryDiffers: true }, from("US"))).toBe(false);
    expect(matches({ ipCountryDiffers: false }, from("US"))).toBe(true);
  });

  it.each<[string, Partial<MappedOrder>, Partial<VerificationRequest>]>([
    ["a copy of the other address", { standIns: ["billingAddress"] }, { ipAddress: "73.158.64.15" }],
    ["a filled-in country", { standIns: ["billingAddress.country"] }, { ipAddress: "73.158.64.15" }],
    ["no known country", {}, { billingAddress: IN("Atlantis"), ipAddress: "73.158.64.15" }],
  ])("knows nothing from %s", (_, about, changes) => {
    const facts = toMappedFacts({
      outcome: "screenable",
      test: false,
      request: anOrder(changes),
      ...about,
    } as MappedOrder);

    for (const differs of [true, false]) {
      expect(matches({ shippingCountryDiffers: differs }, facts)).toBe(false);
      expect(matches({ ipCountryDiffers: differs }, facts)).toBe(false);
      expect(matches({ not: { ipCountryDiffers: differs } }, facts)).toBe(false);
    }
  });
});

describe("conditions on the customer's history", () => {
  const regular = order({ accountAgeInDays: 200, totalOrders: 4, averageOrderValue: 20, orderAmount: 60 });

  it.each<[when: object, expected: boolean]>([
    [{ accountAgeDays: { max: 200 } }, true],
    [{ accountAgeDays: { max: 199 } }, false],
    [{ accountAgeDays: { min: 200, max: 300 } }, true],
    [{ totalOrders: { min: 4 } }, true],
    [{ totalOrders: { min: 5 } }, false],
    [{ totalOrders: { max: 0 } }, false],
    [{ timesAverage: 3 }, true],
    [{ timesAverage: 3.01 }, false],
  ])("reads %j as %s, and never matches an order without a history", (when, expected) => {
    expect(matches(when, regular)).toBe(expected);
    expect(matches(when, order())).toBe(false);
    expect(matches({ not: when }, order())).toBe(false);
  });

  it("doesn't compare with an average of nothing", () => {
    expect(matches({ timesAverage: 1 }, order({ averageOrderValue: 0, totalOrders: 0 }))).toBe(false);
  });
});

describe("conditions on the check", () => {
  const seen = toCheckFacts(
    [
      { category: "technical", description: "Through Tor. [IP_TOR]" },
      { category: "address", description: "No code" },
    ],
    {
      emailOrders1h: 3,
      ipEmails24h: undefined,
      cardEmails7d: 1,
      addressEmails7d: undefined,
      emailCards24h: undefined,
      emailBillingPostcodes7d: undefined,
      cardBillingPostcodes7d: undefined,
    },
  );

  it.each<[when: object, expected: boolean]>([
    [{ minScore: 73 }, true],
    [{ minScore: 74 }, false],
    [{ maxScore: 73 }, true],
    [{ maxScore: 72 }, false],
    [{ factor: ["ip_tor"] }, true],
    [{ factor: ["Address"] }, true],
    [{ factor: ["customer", "NIGHT"] }, false],
    [{ not: { factor: ["customer"] } }, true],
    [{ emailOrders1h: 3 }, true],
    [{ emailOrders1h: 4 }, false],
    [{ not: { cardEmails7d: 2 } }, true],
    [{ ipEmails24h: 1 }, false],
    [{ not: { ipEmails24h: 1 } }, false],
  ])("reads %j as %s, and never matches an order that wasn't checked", (when, expected) => {
    expect(matches(when, order(), { ...HIGH, seen })).toBe(expected);
    const unchecked = { level: null, score: null, degraded: false };
    expect(matches(when, order(), unchecked)).toBe(false);
    expect(matches({ not: when }, order(), unchecked)).toBe(false);
  });
});

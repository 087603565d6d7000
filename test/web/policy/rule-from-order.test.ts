import { describe, expect, it } from "vitest";
import { parsePolicy } from "../../../src/policy/policy.ts";
import { findUnmatchable } from "../../../src/policy/unmatchable.ts";
import type { OrderDetail } from "../../../web/data/api/api-types.ts";
import { toRuleLike } from "../../../web/data/policy/rule-from-order.ts";

const ORDER = {
  name: "#1001",
  amount: 640,
  currency: "EUR",
  context: { avs: "N", cvv: "M" },
  contents: {
    buyer: { name: "Jane Example", email: "jane@example.com", earlierOrders: 0, accountAgeInDays: 2 },
    items: [],
    checks: {},
    countries: { ip: "US", shipping: "FR", billing: "DE" },
    unread: {},
    signs: [],
  },
  factors: [
    { factor: "Tor", category: "technical", severity: "high", description: "Through Tor. [IP_TOR]" },
    { factor: "Night", category: "behavioral", severity: "low", description: "At night. [NIGHT]" },
  ],
} as unknown as OrderDetail;

describe("toRuleLike", () => {
  it("takes what stands out about an order, and names nobody", () => {
    const rule = toRuleLike(ORDER, []);

    expect(rule).toEqual({
      name: "Like order #1001",
      when: {
        minAmount: 600,
        currency: ["EUR"],
        shippingCountryDiffers: true,
        ipCountryDiffers: true,
        totalOrders: { max: 0 },
        accountAgeDays: { max: 30 },
        avs: ["N"],
        factor: ["IP_TOR"],
      },
      then: { atLeast: "hold", tags: [] },
    });
    const policy = parsePolicy({ rules: [rule] });
    expect(policy.rules).toEqual([rule]);
    expect(findUnmatchable(policy)).toEqual([]);
    expect(JSON.stringify(rule)).not.toMatch(/jane/i);
  });

  it("leaves out what isn't known, and names the country if it's the same", () => {
    const erased = { ...ORDER, contents: null, context: null, factors: [] };
    expect(toRuleLike(erased, ["Like order #1001"])).toMatchObject({
      name: "Like order #1001 (2)",
      when: { minAmount: 600, currency: ["EUR"] },
    });

    const countries = { shipping: "NG", billing: "NG" };
    const home = {
      ...ORDER,
      amount: null,
      contents: { ...ORDER.contents!, countries },
      context: null,
      factors: [],
    };
    expect(toRuleLike(home, []).when).toMatchObject({ shippingCountry: ["NG"] });
    expect(toRuleLike(home, []).when).not.toHaveProperty("minAmount");
  });
});

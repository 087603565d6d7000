import { describe, expect, it } from "vitest";
import type { RuleConditions } from "../../../src/policy/policy.ts";
import { findUnfinished } from "../../../web/data/policy/unfinished.ts";

const pathsOf = (...whens: readonly RuleConditions[]) =>
  findUnfinished({ rules: whens.map((when) => ({ name: "R", when, then: { skip: true } })) }).map(
    ({ path }) => path,
  );

describe("what isn't finished in a rule", () => {
  it.each<[string, RuleConditions, readonly string[]]>([
    ["nothing", { minAmount: 500, currency: ["EUR"], firstTimeCustomer: false }, []],
    ["all of it", {}, ["rules[0].when"]],
    ["a list without entries", { shippingCountry: [] }, ["rules[0].when.shippingCountry"]],
    ["a range without an end", { accountAgeDays: {} }, ["rules[0].when.accountAgeDays"]],
    ["what isn't a number", { minAmount: Number.NaN }, ["rules[0].when.minAmount"]],
    ["a set of a group", { any: [{ minAmount: 0 }, {}] }, ["rules[0].when.any[1]"]],
    [
      "a set within a set, and its neighbor",
      { minAmount: 5, not: [{ any: [{}] }, { sku: [] }] },
      ["rules[0].when.not[0].any[0]", "rules[0].when.not[1].sku"],
    ],
  ])("is found as the server names it: %s", (_what, when, expected) => {
    expect(pathsOf(when)).toEqual(expected);
  });

  it("is found in every rule", () => {
    expect(pathsOf({ minAmount: 1 }, {}, { any: [{}] })).toEqual(["rules[1].when", "rules[2].when.any[0]"]);
  });
});

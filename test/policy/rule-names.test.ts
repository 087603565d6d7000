import { expect, it } from "vitest";
import { parsePolicy } from "../../src/policy/policy.ts";
import { findPersonalRuleNames } from "../../src/policy/unmatchable.ts";

const withName = (name: string) =>
  parsePolicy({ rules: [{ name, when: { country: ["US"] }, then: { action: "hold" } }] });

it.each(["jane@example.com", "jane＠example.com", "555 010 0199", "+49\u200b170 12", "１２３４５"])(
  "refuses the rule name %j",
  (name) => {
    expect(findPersonalRuleNames(withName(name))).toMatchObject([
      {
        path: "rules[0].name",
        code: "name-personal",
        message: expect.stringContaining("without @") as unknown,
      },
    ]);
  },
);

it.each(["Gift cards over 500", "> 1000 €", "大口注文"])("accepts the rule name %j", (name) => {
  expect(findPersonalRuleNames(withName(name))).toEqual([]);
});

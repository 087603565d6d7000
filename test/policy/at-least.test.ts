import { describe, expect, it } from "vitest";
import type { Action, Decision } from "../../src/order/decision.ts";
import type { RiskLevel } from "../../src/order/risk-level.ts";
import { chooseAction } from "../../src/policy/choose-action.ts";
import { toOrderFacts } from "../../src/policy/order-facts.ts";
import { parsePolicy, type Policy } from "../../src/policy/policy.ts";
import { anOrder, aResult } from "../support/orders.ts";

function policyOf(then: object): Policy {
  return parsePolicy({ rules: [{ name: "abroad", when: { minAmount: 1 }, then }] });
}

function decideOn(level: RiskLevel, policy: Policy, changes: object = {}): Decision {
  const facts = toOrderFacts(anOrder());
  const asked = {
    policy,
    policyVersion: 3,
    facts,
    result: aResult(level),
    source: "service",
    degraded: false,
  } as const;
  return chooseAction({ ...asked, ...changes });
}

describe("a rule that asks for an action at least", () => {
  it.each<[level: RiskLevel, atLeast: Action, expected: Partial<Decision>]>([
    ["low", "hold", { action: "hold", tags: ["abroad"], reasons: ["rule:abroad", "level:low"] }],
    [
      "high",
      "hold",
      { action: "hold", tags: ["holdfast-high", "abroad"], reasons: ["rule:abroad", "level:high"] },
    ],
    [
      "critical",
      "hold",
      { action: "cancel", tags: ["holdfast-critical", "abroad"], reasons: ["level:critical", "rule:abroad"] },
    ],
    ["high", "tag", { action: "hold", reasons: ["level:high", "rule:abroad"] }],
    ["medium", "cancel", { action: "cancel", reasons: ["rule:abroad", "level:medium"] }],
  ])("raises the action of %s to at least %s", (level, atLeast, expected) => {
    const policy = policyOf({ atLeast, tags: ["abroad"] });

    const causes = { rule: "abroad", atLeast: true };
    expect(decideOn(level, policy)).toMatchObject({ ...expected, causes });
  });

  it("takes an action or at least one, not both", () => {
    const both = () => policyOf({ action: "tag", atLeast: "hold" });
    expect(both).toThrow(
      expect.objectContaining({
        fields: [
          {
            path: "rules[0].then.atLeast",
            code: "either-action",
            message: "expected either action or atLeast",
          },
        ],
      }) as Error,
    );
    expect(() => policyOf({ atLeast: "allow" })).toThrow("at fault");
  });

  it("never lets a guess cancel", () => {
    const policy = policyOf({ atLeast: "cancel" });
    const guessed = { source: "local", degraded: true };

    expect(decideOn("low", policy, guessed)).toMatchObject({
      action: "hold",
      heldInstead: "local-never-cancels",
    });
  });

  it("is what a trusted buyer's milder action is compared with", () => {
    const listed = { list: "trust", kind: "mailbox" };

    expect(decideOn("high", policyOf({ atLeast: "tag" }), { listed })).toMatchObject({ action: "tag" });
    expect(decideOn("high", policyOf({ atLeast: "hold" }), { listed })).toMatchObject({ action: "hold" });
  });
});

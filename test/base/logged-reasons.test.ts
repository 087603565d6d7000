import { describe, expect, it } from "vitest";
import { chooseAction } from "../../src/policy/choose-action.ts";
import { toLoggedReasons } from "../../src/base/log-redaction.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import { toOrderFacts } from "../../src/policy/order-facts.ts";
import { aResult, anOrder } from "../support/orders.ts";

const NAME = "block jane@example.com";

describe("toLoggedReasons", () => {
  it("leaves out the name of the rule that decided, and nothing else", () => {
    const rule = { name: NAME, when: { email: ["jane@example.com"] }, then: { action: "hold" } };
    const { reasons } = chooseAction({
      policy: parsePolicy({ mode: "shadow", rules: [rule] }),
      policyVersion: 1,
      facts: toOrderFacts(anOrder()),
      result: aResult("low"),
      source: "local",
      degraded: true,
      problem: "VERIFICATION_TIMEOUT",
    });
    expect(reasons).toContain(`rule:${NAME}`);

    expect(toLoggedReasons(reasons)).toEqual([
      "rule",
      "level:low",
      "degraded:VERIFICATION_TIMEOUT",
      "shadow",
    ]);
  });

  it("leaves out the name of the rule that skipped", () => {
    const { reasons } = chooseAction({
      policy: parsePolicy({ rules: [{ name: NAME, when: { minAmount: 1 }, then: { skip: true } }] }),
      policyVersion: 1,
      facts: toOrderFacts(anOrder()),
      result: null,
      source: "policy",
      degraded: false,
      skipReason: "SKIPPED_BY_RULE",
    });
    expect(reasons).toContain(`rule:${NAME}`);

    expect(toLoggedReasons(reasons)).toEqual(["skipped:SKIPPED_BY_RULE", "rule"]);
  });

  it("doesn't change its input", () => {
    const reasons = Object.freeze(["rule:a", "level:high"]);
    expect(toLoggedReasons(reasons)).toEqual(["rule", "level:high"]);
  });
});

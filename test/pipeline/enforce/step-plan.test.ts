import { describe, expect, it } from "vitest";
import type { Decision, Guess } from "../../../src/order/decision.ts";
import type { SkipReason } from "../../../src/order/skip-reasons.ts";
import { toSteps } from "../../../src/pipeline/enforce/step-plan.ts";

const ALLOWED: Decision = {
  action: "allow",
  tags: [],
  reasons: [],
  source: "service",
  degraded: false,
  riskLevel: "low",
  riskScore: 5,
  enforce: true,
  policyVersion: 1,
};

const GUESS: Guess = { riskLevel: "low", riskScore: 5, missing: [] };

function captures(changes: Partial<Decision>, skipReason: SkipReason | null = null): boolean {
  const decision = { ...ALLOWED, ...changes };
  return toSteps({ decision, skipReason, records: [], coolOff: false, capture: true }).includes("capture");
}

describe("what is captured when the order is allowed", () => {
  it.each<[string, Partial<Decision>]>([
    ["the service's answer", {}],
    ["the service's answer, kept from before", { source: "cache" }],
    ["a person", { source: "person", degraded: true }],
    ["a local engine that stands alone", { source: "local", degraded: true }],
  ])("is what %s allows", (_case, changes) => {
    expect(captures(changes)).toBe(true);
  });

  it.each<[string, Partial<Decision>, SkipReason | null]>([
    [
      "the service couldn't check",
      { source: "local", degraded: true, unchecked: "VERIFICATION_TIMEOUT" },
      null,
    ],
    ["has no email address", { source: "local", unchecked: "NO_EMAIL" }, "NO_EMAIL"],
    ["has its personal data withheld", { source: "local" }, "PERSONAL_DATA_NOT_GRANTED"],
    ["is a test", { source: "local" }, "TEST_ORDER"],
    ["too little is known of", { source: "local", degraded: true, guess: GUESS }, null],
    ["nobody judged", { source: "policy", degraded: true }, null],
  ])("isn't an order that %s", (_case, changes, skipReason) => {
    expect(captures(changes, skipReason)).toBe(false);
  });
});

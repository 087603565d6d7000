import { describe, expect, it } from "vitest";
import type { Decision, Guess } from "../../../src/order/decision.ts";
import type { SkipReason } from "../../../src/order/skip-reasons.ts";
import { toSteps } from "../../../src/pipeline/order-life/step-plan.ts";
import type { StepRecord } from "../../../src/store/store.ts";

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

const CRITICAL: Decision = { ...ALLOWED, action: "cancel", riskLevel: "critical", riskScore: 91 };

const GUESS: Guess = { riskLevel: "low", riskScore: 5, missing: [] };

function captures(changes: Partial<Decision>, skipReason: SkipReason | null = null): boolean {
  const decision = { ...ALLOWED, ...changes };
  return toSteps({
    decision,
    skipReason,
    records: [],
    isHeld: false,
    coolOff: false,
    capture: true,
  }).includes("capture");
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

describe("the steps of a cancel", () => {
  const plan = (cancel?: Partial<StepRecord>, isHeld = false) =>
    toSteps({
      decision: CRITICAL,
      skipReason: null,
      records:
        cancel === undefined
          ? []
          : [{ step: "cancel", state: "waiting", detail: "", atMs: 1, memory: {}, ...cancel }],
      isHeld,
      coolOff: false,
      capture: false,
    });

  it.each<[string, Partial<StepRecord> | undefined, readonly string[]]>([
    ["wasn't tried", undefined, ["assess", "cancel"]],
    ["was refused for now, or not answered", { state: "waiting" }, ["hold", "assess", "cancel"]],
    ["has begun on the platform", { state: "waiting", begun: true }, ["assess", "cancel"]],
    ["can't be done", { state: "impossible" }, ["assess", "cancel", "hold"]],
    ["is done", { state: "done" }, ["assess", "cancel"]],
  ])("that %s", (_case, cancel, steps) => {
    expect(plan(cancel)).toEqual(steps);
  });

  it("leave the hold of an earlier decision as it is, so that a person's release of it counts", () => {
    expect(plan({ state: "waiting" }, true)).toEqual(["assess", "cancel"]);
  });
});

import { describe, expect, it } from "vitest";
import { diffPolicies } from "../../../web/data/policy/policy-diff.ts";
import {
  areSameWeights,
  toSuggested,
  toWeightBasis,
  toWeightRows,
  toWeightState,
  type WeightProposal,
} from "../../../web/data/policy/weights.ts";
import { parsePolicy } from "../../../src/policy/policy.ts";

const PROPOSAL: WeightProposal = {
  since: "2025-11-20T00:00:00.000Z",
  until: "2026-11-20T00:00:00.000Z",
  days: 365,
  known: { fraud: 63, good: 1_204 },
  needed: { fraud: 50, good: 500 },
  enough: true,
  signals: [
    { code: "NIGHT", title: "Placed at night", points: 6, fraud: 12, good: 400, factor: 0.5 },
    {
      code: "SAME_PLACE",
      title: "Shipped where it's billed",
      points: -6,
      fraud: 20,
      good: 900,
      factor: 1.25,
    },
    { code: "UA_OLD", title: "Old browser", points: 6, fraud: 1, good: 30, factor: 1 },
  ],
};

describe("toWeightRows", () => {
  it("shows each signal whose points would change, now and suggested", () => {
    expect(toWeightRows(PROPOSAL)).toEqual([
      {
        code: "NIGHT",
        title: "Placed at night",
        now: "+6",
        standard: null,
        suggested: "+3",
        seen: "On 12 of 63 fraudulent and 400 of 1,204 good orders",
      },
      {
        code: "SAME_PLACE",
        title: "Shipped where it's billed",
        now: "−6",
        standard: null,
        suggested: "−7.5",
        seen: "On 20 of 63 fraudulent and 900 of 1,204 good orders",
      },
    ]);
  });

  it("shows how the policy differs from the standard, even for signals that no order showed", () => {
    const rows = toWeightRows(PROPOSAL, { NIGHT: 1.5, UA_OLD: 1.2, IP_TOR: 1.1 });
    expect(rows).toMatchObject([
      { code: "NIGHT", now: "+9", standard: "+6", suggested: "+3" },
      { code: "SAME_PLACE", now: "−6", standard: null },
      { code: "UA_OLD", now: "+7.2", standard: "+6", suggested: "+6" },
      { code: "IP_TOR", now: "×1.1", standard: "×1", suggested: "×1" },
    ]);
  });
});

describe("suggested weights", () => {
  it("are the ones that differ from the standard, or none", () => {
    expect(toSuggested(PROPOSAL)).toEqual({ NIGHT: 0.5, SAME_PLACE: 1.25 });
    expect(toSuggested({ ...PROPOSAL, signals: [] })).toBeUndefined();
  });

  it("are the same in any order, and with or without a factor of 1", () => {
    expect(areSameWeights({ A: 1.5, B: 1 }, { A: 1.5 })).toBe(true);
    expect(areSameWeights(undefined, {})).toBe(true);
    expect(areSameWeights({ A: 1.5 }, { A: 1.4 })).toBe(false);
    expect(areSameWeights(undefined, { A: 1.4 })).toBe(false);
  });
});

describe("words about weights", () => {
  it("say what a policy has and what a suggestion rests on", () => {
    expect(toWeightState(undefined)).toBe("In this policy: the standard weights.");
    expect(toWeightState({ NIGHT: 0.5 })).toBe("In this policy: your own weights for 1 signal.");
    expect(toWeightBasis(PROPOSAL)).toContain("63 fraudulent orders and 1,204 good orders");
    const few = { ...PROPOSAL, enough: false, known: { fraud: 2, good: 340 } };
    expect(toWeightBasis(few)).toMatch(
      /needs 50 fraudulent and 500 good orders.*So far there are 2 and 340\./,
    );
  });

  it("name each weight that a change of the policy sets or takes back", () => {
    const weights = { SAME_PLACE: 1.25, NIGHT: 0.5, UA_OLD: 1 };
    const [none, own] = [parsePolicy({}), parsePolicy({ localWeights: weights })];
    const path = "localWeights";
    const label = "Weights of the local engine's signals";
    const words = "NIGHT ×0.5, SAME_PLACE ×1.25";
    expect(diffPolicies(none, own)).toEqual([{ path, label, before: "standard", after: words }]);
    expect(diffPolicies(own, none)).toEqual([{ path, label, before: words, after: "standard" }]);
    expect(diffPolicies(none, parsePolicy({ localWeights: {} }))).toEqual([]);
  });
});

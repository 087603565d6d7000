import { describe, expect, it } from "vitest";
import { parsePolicy } from "../../../src/policy/policy.ts";
import {
  areSameModels,
  toModelBasis,
  toModelRows,
  toModelState,
  type ModelProposal,
} from "../../../web/data/policy/model.ts";
import { diffPolicies } from "../../../web/data/policy/policy-diff.ts";

const MODEL = { center: 1, points: { "NIGHT:6": -3, "percentile:97": 12.5 } };
const PROPOSAL: ModelProposal = {
  since: "2025-11-20T00:00:00.000Z",
  until: "2026-11-20T00:00:00.000Z",
  days: 365,
  known: { fraud: 63, good: 1_204 },
  needed: { fraud: 25, good: 250 },
  offered: true,
  model: MODEL,
  comparison: { fraud: 38, good: 722, base: 0.701, model: 0.8234, gain: 0.1224, interval: [0.0312, 0.2136] },
  calibration: [],
  parts: [
    { feature: "percentile:97", title: "Larger than 97 to 100 % of the shop's orders", points: 12.5 },
    { feature: "hour:3", title: "Ordered between 3:00 and 6:00 local time", points: 4 },
    { feature: "NIGHT:6", title: "Ordered at night", points: -3 },
    { feature: "emailOrders1h", title: "Orders of the mailbox within an hour", points: 2 },
  ],
};

describe("the panel of the shop's own model", () => {
  it("names what the model changes, in the page's words", () => {
    expect(toModelRows(PROPOSAL).map(({ title, points }) => [title, points])).toEqual([
      ["Larger than 97 % of your orders, up to the next step", "+12.5"],
      ["Ordered in the three hours from 3:00", "+4"],
      ["Ordered at night", "−3"],
      ["Orders per email address, 1 hour", "+2"],
    ]);
  });

  it("says what the model is worth, and whether it is offered", () => {
    expect(toModelBasis(PROPOSAL)).toEqual([
      "On 38 fraudulent and 722 good orders that came later, the model ranks a fraud above a good order 82.3 % of the time, the standard points 70.1 %. In 95 of 100 samples, the difference is +3.1 to +21.4.",
    ]);
    expect(toModelBasis({ ...PROPOSAL, offered: false })[1]).toMatch(/isn't offered/);
    const few = { ...PROPOSAL, comparison: null, known: { fraud: 2, good: 340 } };
    expect(toModelBasis(few)).toEqual([
      expect.stringMatching(/needs 25 fraudulent and 250 good orders.*So far there are 2 and 340\./),
    ]);
  });

  it("says what a policy has, and what a change of it sets or takes back", () => {
    expect(toModelState(undefined)).toBe("No model in this policy.");
    expect(toModelState(MODEL)).toBe("In this policy: a model that changes 2 signals.");
    expect(areSameModels(MODEL, { points: { "percentile:97": 12.5, "NIGHT:6": -3 }, center: 1 })).toBe(true);
    expect(areSameModels(MODEL, undefined)).toBe(false);
    const [none, own] = [parsePolicy({}), parsePolicy({ localModel: MODEL })];
    const [path, label] = ["localModel", "The local engine's own model"];
    const words = "NIGHT:6 −3, percentile:97 +12.5";
    expect(diffPolicies(none, own)).toEqual([{ path, label, before: "none", after: words }]);
    expect(diffPolicies(own, none)).toEqual([{ path, label, before: words, after: "none" }]);
  });
});

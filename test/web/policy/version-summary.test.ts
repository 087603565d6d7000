import { describe, expect, it } from "vitest";
import { listPolicyChanges } from "../../../src/policy/policy-changes.ts";
import { parsePolicy, type PolicyDocument } from "../../../src/policy/policy.ts";
import { toVersionSummary } from "../../../web/data/policy/version-summary.ts";

const then = { action: "hold" } as const;

describe("toVersionSummary", () => {
  it.each<[summary: string, before: PolicyDocument, after: PolicyDocument]>([
    ["", {}, {}],
    ["Rule “Big” added", {}, { rules: [{ name: "Big", when: { minAmount: 5 }, then }] }],
    [
      "Rule “Big” removed, Critical risk changed",
      { rules: [{ name: "Big", when: { minAmount: 5 }, then }] },
      { levels: { critical: { action: "hold" } } },
    ],
    [
      "Mode changed, Holds: deadline (hours) changed, Cancellations: maximum per hour changed, 2 more",
      {},
      {
        mode: "shadow",
        hold: { deadlineHours: 5 },
        cancel: { maxPerHour: 1 },
        testOrders: "skip",
        localWeights: { NIGHT: 0.5 },
      },
    ],
    [
      "Tags for orders not checked by the service changed, Weights of the local engine's signals changed",
      {},
      { unchecked: { tags: [] }, localWeights: { NIGHT: 0.5 } },
    ],
  ])("says: %s", (summary, before, after) => {
    const changes = listPolicyChanges(parsePolicy(before), parsePolicy(after));

    expect(toVersionSummary(changes)).toBe(summary);
  });
});

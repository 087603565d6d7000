import { describe, expect, it } from "vitest";
import { listPolicyChanges } from "../../../src/policy/policy-changes.ts";
import { parsePolicy, type PolicyDocument } from "../../../src/policy/policy.ts";
import { toVersionSummary } from "../../../web/data/policy/version-summary.ts";

const then = { action: "hold" } as const;

const MODEL = { center: 0, points: { "NIGHT:6": -3 } };

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
        localModel: MODEL,
      },
    ],
    [
      "Tags for orders not checked by the service changed, The local engine's own model changed",
      {},
      { unchecked: { tags: [] }, localModel: MODEL },
    ],
  ])("says: %s", (summary, before, after) => {
    const changes = listPolicyChanges(parsePolicy(before), parsePolicy(after));

    expect(toVersionSummary(changes)).toBe(summary);
  });
});

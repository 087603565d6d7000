import { describe, expect, it } from "vitest";
import { listPolicyChanges } from "../../src/policy/policy-changes.ts";
import { DEFAULT_POLICY, parsePolicy, type PolicyDocument } from "../../src/policy/policy.ts";

const rule = (name: string, minAmount: number) => ({
  name,
  when: { minAmount },
  then: { action: "hold" as const },
});

describe("listPolicyChanges", () => {
  it.each<[before: PolicyDocument, after: PolicyDocument, changes: readonly object[]]>([
    [{}, {}, []],
    [{}, { rules: [rule("big", 5)] }, [{ kind: "rule-added", rule: "big" }]],
    [{ rules: [rule("big", 5)] }, {}, [{ kind: "rule-removed", rule: "big" }]],
    [{ rules: [rule("big", 5)] }, { rules: [rule("big", 6)] }, [{ kind: "rule-changed", rule: "big" }]],
    [
      { rules: [rule("a", 1), rule("b", 2), rule("c", 3)] },
      { rules: [rule("b", 2), rule("a", 1), rule("d", 4)] },
      [{ kind: "rule-added", rule: "d" }, { kind: "rule-removed", rule: "c" }, { kind: "rules-moved" }],
    ],
    [
      { rules: [rule("a", 1), rule("b", 2)] },
      { rules: [rule("b", 2)] },
      [{ kind: "rule-removed", rule: "a" }],
    ],
    [
      {},
      { levels: { high: { action: "cancel" }, low: { tags: ["ok"] } } },
      [
        { kind: "level", level: "low" },
        { kind: "level", level: "high" },
      ],
    ],
    [
      {},
      {
        mode: "shadow",
        hold: { deadlineHours: 48 },
        budget: { daily: 5 },
        localModel: { center: 0, points: {} },
      },
      ["mode", "hold.deadlineHours", "budget.daily", "localModel"].map((path) => ({
        kind: "setting",
        path,
      })),
    ],
  ])("lists what differs between %j and %j", (before, after, changes) => {
    const found = listPolicyChanges(parsePolicy(before), parsePolicy(after));

    expect(found).toHaveLength(changes.length);
    expect(found).toEqual(expect.arrayContaining([...changes]));
  });

  it("names every setting of the defaults", () => {
    const other = parsePolicy({
      mode: "shadow",
      unchecked: { tags: [] },
      blockedAtCheckout: "refuse",
      hold: { deadlineHours: 1, onDeadline: "release", onAppRelease: "respect" },
      cancel: { refund: false, restock: false, notifyCustomer: true, coolOffMinutes: 1, maxPerHour: 1 },
      whenUnavailable: "hold",
      whileChecking: "hold",
      captureWhenApproved: true,
      testOrders: "skip",
      skipChannels: [],
      agentChannels: ["assistant"],
      optOutTags: [],
      rescreenOnChange: false,
      budget: { daily: 1, monthly: 1, perSourceHourly: 1 },
    });

    const settings = listPolicyChanges(DEFAULT_POLICY, other).map((change) =>
      "path" in change ? change.path : "",
    );
    expect(settings).toHaveLength(22);
  });
});

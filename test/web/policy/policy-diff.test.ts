import { describe, expect, it } from "vitest";
import { diffPolicies, findSofter } from "../../../web/data/policy/policy-diff.ts";
import { DEFAULT_POLICY, parsePolicy, type PolicyDocument } from "../../../src/policy/policy.ts";

type Rule = NonNullable<PolicyDocument["rules"]>[number];

const FIRST: Rule = { name: "First", when: { minAmount: 100 }, then: { action: "hold" } };
const SECOND: Rule = { name: "Second", when: { sku: ["A-1"] }, then: { skip: true } };
const RULES = [FIRST, SECOND];

function diff(before: PolicyDocument, after: PolicyDocument) {
  return diffPolicies(parsePolicy(before), parsePolicy(after));
}

/** Every leaf of a policy without rules, by its path. */
function toPaths(value: unknown, path = ""): readonly string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([key, one]) => toPaths(one, path === "" ? key : `${path}.${key}`));
}

/** The default policy with another value at a path. */
function withOther(path: string): PolicyDocument {
  const document = structuredClone(DEFAULT_POLICY) as unknown as Record<string, unknown>;
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  const place = keys.reduce((at, key) => at[key] as Record<string, unknown>, document);
  place[last] = OTHERS[path] ?? toOther(place[last]);
  return document;
}

const OTHERS: Readonly<Record<string, unknown>> = {
  mode: "shadow",
  "hold.onDeadline": "cancel",
  "hold.onAppRelease": "respect",
  whenUnavailable: "hold",
  blockedAtCheckout: "refuse",
  whileChecking: "hold",
  testOrders: "skip",
  "verify.methods": ["evidence"],
  "verify.language": "ja",
  lists: [
    {
      list: "block",
      kind: "phone",
      digest: "d".repeat(22),
      label: "ending in 42",
      owner: "person:7",
      reason: "chargeback",
      until: null,
    },
  ],
};

function toOther(value: unknown): unknown {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (value === null) return 7;
  return typeof value === "string" ? (value === "hold" ? "tag" : "hold") : ["other"];
}

describe("findSofter", () => {
  const cancel = (name: string) => ({ name, when: { minAmount: 5 }, then: { action: "cancel" } }) as const;

  it("names what is canceled today and no longer would be", () => {
    const before = parsePolicy({ rules: [cancel("A"), cancel("B")], hold: { onDeadline: "cancel" } });
    const after = parsePolicy({ rules: [cancel("B")], levels: { critical: { action: "hold" } } });

    expect(findSofter(before, after)).toEqual(["critical risk", "rule “A”", "holds past their deadline"]);
    expect(findSofter(before, { ...before, mode: "shadow" })).toEqual(["every order"]);
    expect(findSofter({ ...before, mode: "shadow" }, after)).toEqual([]);
    expect(findSofter(before, before)).toEqual([]);
  });
});

describe("diffPolicies", () => {
  it("finds nothing between a policy and itself", () => {
    expect(diff({ rules: RULES }, { rules: RULES })).toStrictEqual([]);
  });

  it.each(toPaths(DEFAULT_POLICY).filter((path) => path !== "rules"))(
    "notices a change of %s and nothing else",
    (path) => {
      const changes = diff({}, withOther(path));

      expect(changes.map((change) => change.path)).toStrictEqual([path]);
      expect(changes[0]?.before).not.toBe(changes[0]?.after);
    },
  );

  it("notices a cap per source", () => {
    expect(diff({}, { budget: { perSourceHourly: null } })).toStrictEqual([
      {
        path: "budget.perSourceHourly",
        label: "Credit limits: per source per hour",
        before: "30",
        after: "no limit",
      },
    ]);
  });

  it("describes actions in words", () => {
    expect(diff({}, { levels: { high: { action: "cancel" } } })).toStrictEqual([
      { path: "levels.high.action", label: "High risk", before: "Hold", after: "Cancel" },
    ]);
  });

  it("describes a new rule's effect", () => {
    expect(diff({ rules: [FIRST] }, { rules: RULES })).toStrictEqual([
      {
        path: "rules[1]",
        label: "New rule “Second”",
        before: null,
        after: "Don't check orders with the SKU A-1. Allow them.",
      },
    ]);
  });

  it("describes a removed rule's effect", () => {
    expect(diff({ rules: RULES }, { rules: [SECOND] })).toStrictEqual([
      {
        path: "rules[0]",
        label: "Removed rule “First”",
        before: "Hold orders of 100 or more in any currency.",
        after: null,
      },
    ]);
  });

  it("shows the order of rules that changed places", () => {
    expect(diff({ rules: RULES }, { rules: RULES.toReversed() })).toStrictEqual([
      { path: "rules", label: "Rule order", before: "“First”, “Second”", after: "“Second”, “First”" },
    ]);
  });

  it("recognizes a rule that was only renamed", () => {
    expect(diff({ rules: RULES }, { rules: [{ ...FIRST, name: "Other" }, SECOND] })).toStrictEqual([
      { path: "rules[0].name", label: "Rule “Other”", before: "First", after: "Other" },
    ]);
  });

  it("names the conditions of a rule that changed", () => {
    const changed: Rule = {
      name: "First",
      when: { maxAmount: 5, firstTimeCustomer: true },
      then: { action: "tag", tags: ["x"] },
    };

    expect(diff({ rules: RULES }, { rules: [changed, SECOND] })).toStrictEqual([
      {
        path: "rules[0].when.minAmount",
        label: "Rule “First”: minimum amount",
        before: "100",
        after: null,
      },
      { path: "rules[0].when.maxAmount", label: "Rule “First”: maximum amount", before: null, after: "5" },
      {
        path: "rules[0].when.firstTimeCustomer",
        label: "Rule “First”: customer",
        before: null,
        after: "First-time customers",
      },
      { path: "rules[0].then", label: "Rule “First”: what happens", before: "Hold", after: "Tag, tags x" },
    ]);
  });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ERROR_CODES } from "../../src/base/errors.ts";
import { type Action, type Decision, type DecisionSource, ACTIONS } from "../../src/order/decision.ts";
import { SKIP_REASONS, type SkipReason } from "../../src/order/skip-reasons.ts";
import { chooseAction } from "../../src/policy/choose-action.ts";
import type { DecisionInput } from "../../src/policy/rating.ts";
import { parsePolicy, type Policy } from "../../src/policy/policy.ts";
import { toOrderFacts } from "../../src/policy/order-facts.ts";
import { RISK_LEVELS, type RiskLevel } from "../../src/order/risk-level.ts";
import { anOrder, aResult } from "../support/orders.ts";

const FACTS = toOrderFacts(anOrder());
const SOURCES: readonly DecisionSource[] = ["service", "cache", "local", "policy", "person"];

function policyOf(
  document: object,
  ...rules: readonly [name: string, when: unknown, then: unknown][]
): Policy {
  return parsePolicy({ ...document, rules: rules.map(([name, when, then]) => ({ name, when, then })) });
}

/** Decides on a fresh answer from the service, except for `changes`. */
function decideOn(level: RiskLevel | null, changes: Partial<DecisionInput> = {}): Decision {
  return chooseAction({
    policy: parsePolicy({}),
    policyVersion: 3,
    facts: FACTS,
    result: level === null ? null : aResult(level),
    source: "service",
    degraded: false,
    ...changes,
  });
}

const LOCAL = { source: "local", degraded: true, problem: "VERIFICATION_TIMEOUT" } as const;

describe("chooseAction", () => {
  it.each<[level: RiskLevel, expected: Partial<Decision>]>([
    ["low", { action: "allow", tags: [], reasons: ["level:low"], riskScore: 12 }],
    ["medium", { action: "tag", tags: ["holdfast-medium"], reasons: ["level:medium"], riskScore: 45 }],
    ["high", { action: "hold", tags: ["holdfast-high"], reasons: ["level:high"], riskScore: 73 }],
    [
      "critical",
      { action: "cancel", tags: ["holdfast-critical"], reasons: ["level:critical"], riskScore: 93 },
    ],
  ])("follows the level %s", (level, expected) => {
    expect(decideOn(level)).toEqual({
      ...expected,
      causes: {},
      riskLevel: level,
      source: "service",
      degraded: false,
      enforce: true,
      policyVersion: 3,
    });
  });

  describe("for an order that a configured service didn't check", () => {
    const UNCHECKED = { ...LOCAL, hasService: true } as const;

    it.each<
      [what: string, changes: Partial<DecisionInput>, unchecked: string, reason: string, action: Action]
    >([
      ["it did not answer", UNCHECKED, "VERIFICATION_TIMEOUT", "degraded:VERIFICATION_TIMEOUT", "allow"],
      [
        "it was not sent",
        { source: "local", hasService: true, skipReason: "NO_EMAIL" },
        "NO_EMAIL",
        "skipped:NO_EMAIL",
        "tag",
      ],
      [
        "personal data is withheld",
        { source: "local", hasService: true, skipReason: "PERSONAL_DATA_NOT_GRANTED" },
        "PERSONAL_DATA_NOT_GRANTED",
        "skipped:PERSONAL_DATA_NOT_GRANTED",
        "tag",
      ],
    ])(
      "gives no level when the local engine says low and %s",
      (_what, changes, unchecked, reason, action) => {
        expect(decideOn("low", changes)).toMatchObject({
          action,
          tags: ["holdfast-unchecked"],
          reasons: ["unchecked", reason],
          riskLevel: null,
          riskScore: null,
          unchecked,
          guess: { riskLevel: "low", riskScore: 12, missing: [] },
        });
      },
    );

    it.each<[RiskLevel, string, string]>([
      ["medium", "tag", "holdfast-medium"],
      ["high", "hold", "holdfast-high"],
      ["critical", "hold", "holdfast-critical"],
    ])("keeps the level %s of the local engine beside its tag", (level, action, tag) => {
      const decision = decideOn(level, UNCHECKED);

      expect(decision).toMatchObject({ action, riskLevel: level, unchecked: "VERIFICATION_TIMEOUT" });
      expect(decision.tags).toEqual([tag, "holdfast-unchecked"]);
      expect(decision).not.toHaveProperty("guess");
    });

    it("follows the policy for low, without the tags that say so", () => {
      const policy = policyOf({
        levels: { low: { action: "tag", tags: ["checked-fine"] } },
        unchecked: { tags: ["look", "twice"] },
      });

      expect(decideOn("low", { ...UNCHECKED, policy })).toMatchObject({
        action: "tag",
        tags: ["look", "twice"],
      });
    });

    it("allows an order that can't be sent if the shop wants no tag for it", () => {
      const policy = policyOf({ unchecked: { tags: [] } });
      const unsent = { source: "local", hasService: true, skipReason: "NO_NAME", policy } as const;

      expect(decideOn("low", unsent)).toMatchObject({ action: "allow", tags: [], riskLevel: null });
    });

    it("doesn't match rules on low", () => {
      const policy = policyOf({}, ["fine", { level: ["low"] }, { action: "allow", tags: ["fine"] }]);

      expect(decideOn("low", { ...UNCHECKED, policy }).tags).toEqual(["holdfast-unchecked"]);
      expect(decideOn("low", { policy }).tags).toEqual(["fine"]);
    });

    it("keeps the tag if a rule allows the order", () => {
      const policy = policyOf({}, ["mine", { emailDomain: ["example.com"] }, { action: "allow" }]);

      expect(decideOn("high", { ...UNCHECKED, policy })).toMatchObject({
        action: "allow",
        tags: ["holdfast-unchecked"],
      });
    });

    it("adds the tag if the local engine didn't judge it either", () => {
      const policy = policyOf({ whenUnavailable: "allow" });

      expect(decideOn(null, { ...UNCHECKED, source: "policy", policy })).toMatchObject({
        action: "allow",
        tags: ["holdfast-unchecked"],
        riskLevel: null,
        unchecked: "VERIFICATION_TIMEOUT",
      });
    });

    it("holds the order while its answer is pending, if nothing ships unchecked", () => {
      const policy = policyOf({ whileChecking: "hold" });

      expect(decideOn("low", { ...UNCHECKED, policy })).toMatchObject({
        action: "hold",
        tags: ["holdfast-unchecked"],
        reasons: ["held-to-check", "unchecked", "degraded:VERIFICATION_TIMEOUT"],
        riskLevel: null,
      });
    });

    it.each(["CONFIG_INVALID", "VERIFICATION_UNAUTHORIZED", "VERIFICATION_FORBIDDEN"] as const)(
      "holds every order if the set-up can't work: %s",
      (problem) => {
        for (const whenUnavailable of ["local", "hold", "allow"]) {
          const policy = policyOf({ whenUnavailable });

          expect(decideOn("low", { ...UNCHECKED, policy, problem }).action).toBe("hold");
          expect(decideOn(null, { ...UNCHECKED, source: "policy", policy, problem }).action).toBe("hold");
        }
      },
    );

    it.each([
      [
        "the shop would rather ship",
        { policy: policyOf({ whileChecking: "hold", whenUnavailable: "allow" }) },
      ],
      ["credits have to be bought first", { problem: "VERIFICATION_NO_CREDITS" }],
      ["the budget is spent", { problem: "BUDGET_SPENT" }],
      ["the service refuses the order", { problem: "VERIFICATION_REFUSED" }],
      [
        "a rule allows it",
        { policy: policyOf({ whileChecking: "hold" }, ["fine", { minAmount: 0 }, { action: "allow" }]) },
      ],
    ] as const)("isn't held for the check when %s", (_, more) => {
      const policy = policyOf({ whileChecking: "hold" });

      expect(decideOn("low", { ...UNCHECKED, policy, ...more }).action).toBe("allow");
    });

    it("gives a test order no level and no tag", () => {
      const decision = decideOn("low", { source: "local", hasService: true, skipReason: "TEST_ORDER" });

      expect(decision).toMatchObject({ action: "allow", tags: [], riskLevel: null, unchecked: "TEST_ORDER" });
    });

    it.each(["ZERO_AMOUNT", "CANCELLED", "IMPORTED", "SKIPPED_BY_RULE"] as const)(
      "takes no action for %s",
      (skipReason) => {
        const decision = decideOn(null, { source: "policy", hasService: true, skipReason });

        expect(decision).toMatchObject({ action: "allow", tags: [] });
        expect(decision).not.toHaveProperty("unchecked");
      },
    );
  });

  it("gives no level for too little data if no service is configured", () => {
    const guess = { source: "local", degraded: true } as const;

    expect(decideOn("low", { ...guess, missing: ["name", "address"] })).toMatchObject({
      action: "allow",
      tags: [],
      reasons: ["too-little-known", "degraded"],
      riskLevel: null,
      guess: { missing: ["name", "address"] },
    });
    expect(decideOn("low", guess)).toMatchObject({ riskLevel: "low", reasons: ["level:low", "degraded"] });
    expect(decideOn("medium", { ...guess, missing: ["email"] })).toMatchObject({ riskLevel: "medium" });
  });

  it.each(["hold", "allow"] as const)(
    "treats a risk that can't be determined like a missing answer: %s",
    (choice) => {
      const policy = policyOf({
        whenUnavailable: choice,
        levels: { low: { action: "tag", tags: ["fine"] } },
      });
      const guess = { source: "local", degraded: true, policy } as const;

      expect(decideOn("low", { ...guess, missing: ["detail"] })).toMatchObject({
        action: choice,
        tags: [],
        reasons: ["too-little-known", "degraded"],
        riskLevel: null,
      });
      expect(decideOn("low", guess)).toMatchObject({ action: "tag", tags: ["fine"] });
      expect(decideOn("high", { ...guess, missing: ["detail"] })).toMatchObject({
        riskLevel: "high",
        action: "hold",
      });
    },
  );

  it.each([
    ["hold", "hold", "too-little-known"],
    ["allow", "allow", "too-little-known"],
    ["local", "tag", "unchecked"],
  ] as const)(
    "follows whenUnavailable for too little data if a service couldn't be asked: %s",
    (whenUnavailable, action, reason) => {
      const policy = policyOf({ whenUnavailable, levels: { low: { action: "tag", tags: ["fine"] } } });
      const unasked = { source: "local", policy, hasService: true, skipReason: "NO_NAME" } as const;

      expect(decideOn("low", { ...unasked, missing: ["name", "address", "detail"] })).toMatchObject({
        action,
        tags: ["holdfast-unchecked"],
        reasons: [reason, "skipped:NO_NAME"],
        riskLevel: null,
        unchecked: "NO_NAME",
      });
      // Nothing is missing, but the service didn't check it.
      expect(decideOn("low", unasked)).toMatchObject({
        action: "tag",
        reasons: ["unchecked", "skipped:NO_NAME"],
      });
    },
  );

  it("follows the level if the score contradicts it", () => {
    const result = { ...aResult("low"), riskScore: 99 };

    expect(decideOn("low", { result })).toMatchObject({ action: "allow", riskLevel: "low", riskScore: 99 });
  });

  it("lets the first matching rule override the action and add its tags", () => {
    const policy = policyOf({}, [
      "gifts",
      { product: ["mug"] },
      { action: "hold", tags: ["mug", "holdfast-medium"] },
    ]);

    expect(decideOn("medium", { policy })).toMatchObject({
      action: "hold",
      tags: ["holdfast-medium", "mug"],
      reasons: ["rule:gifts", "level:medium"],
    });
  });

  it("drops the level's tags when a rule allows, and keeps the rule's own", () => {
    const policy = policyOf({}, [
      "friends",
      { email: ["jane@example.com"] },
      { action: "allow", tags: ["friend"] },
    ]);

    expect(decideOn("critical", { policy })).toMatchObject({
      action: "allow",
      tags: ["friend"],
      reasons: ["rule:friends", "level:critical"],
    });
  });

  it("keeps the tags of a level whose action is allow", () => {
    const policy = parsePolicy({ levels: { low: { tags: ["checked"] } } });

    expect(decideOn("low", { policy })).toMatchObject({ action: "allow", tags: ["checked"] });
  });

  it("cancels on a stored answer from the service", () => {
    expect(decideOn("critical", { source: "cache" })).toMatchObject({ action: "cancel", source: "cache" });
  });

  it("lets a rule cancel on an answer from the service", () => {
    const policy = policyOf({}, ["block", { email: ["jane@example.com"] }, { action: "cancel" }]);

    expect(decideOn("low", { policy })).toMatchObject({
      action: "cancel",
      reasons: ["rule:block", "level:low"],
    });
  });

  it.each<[name: string, changes: Partial<DecisionInput>, reasons: readonly string[]]>([
    ["local", { source: "local" }, ["local-never-cancels", "level:critical"]],
    ["local and degraded", LOCAL, ["local-never-cancels", "level:critical", "degraded:VERIFICATION_TIMEOUT"]],
    ["degraded", { degraded: true }, ["local-never-cancels", "level:critical", "degraded"]],
    [
      "about an order without an email",
      { source: "local", skipReason: "NO_EMAIL" },
      ["local-never-cancels", "level:critical", "skipped:NO_EMAIL"],
    ],
    [
      "about an order that could not be sent, whatever the source says",
      { skipReason: "NO_NAME" },
      ["local-never-cancels", "level:critical", "skipped:NO_NAME"],
    ],
    [
      "about a test order",
      { source: "local", skipReason: "TEST_ORDER" },
      ["local-never-cancels", "level:critical", "skipped:TEST_ORDER"],
    ],
    ["a person's", { source: "person" }, ["local-never-cancels", "level:critical"]],
  ])("holds instead of canceling when the answer is %s", (_name, changes, reasons) => {
    expect(decideOn("critical", changes)).toMatchObject({
      action: "hold",
      tags: ["holdfast-critical"],
      reasons,
    });
  });

  it("holds instead of canceling by a rule if the order wasn't judged", () => {
    const policy = policyOf({}, ["block", { minAmount: 1 }, { action: "cancel", tags: ["blocked"] }]);

    expect(decideOn(null, { policy, degraded: true })).toMatchObject({
      action: "hold",
      tags: ["blocked"],
      reasons: ["local-never-cancels", "rule:block", "unavailable:local", "degraded"],
      source: "policy",
    });
  });

  it.each([
    ["the local engine sees nothing", "low", {}, "hold"],
    ["the local engine sees something", "medium", {}, "hold"],
    ["nobody judged it", null, { whenUnavailable: "allow" }, "hold"],
    ["its level is held anyway", "high", {}, "hold"],
    ["its level would be cancelled", "critical", {}, "hold"],
  ] as const)("holds an order of a flood even if %s", (_name, level, document, action) => {
    const policy = parsePolicy(document);
    const decision = decideOn(level, { ...LOCAL, policy, problem: "BURST_BRAKED" });

    expect(decision.action).toBe(action);
    expect(decision.reasons).toContain("degraded:BURST_BRAKED");
    expect(decision.tags).toEqual(level === null ? [] : policy.levels[level].tags);
  });

  it("lets a rule decide on an order of a flood", () => {
    const policy = policyOf({}, ["vip", { email: ["jane@example.com"] }, { action: "allow" }]);

    expect(decideOn("low", { ...LOCAL, policy, problem: "BURST_BRAKED" })).toMatchObject({
      action: "allow",
      reasons: ["rule:vip", "burst", "level:low", "degraded:BURST_BRAKED"],
    });
  });

  it.each<[whenUnavailable: string, action: string]>([
    ["hold", "hold"],
    ["allow", "allow"],
    ["local", "hold"],
  ])("turns %s without a result into %s", (whenUnavailable, action) => {
    const policy = parsePolicy({ whenUnavailable });

    expect(decideOn(null, { ...LOCAL, source: "policy", policy })).toEqual({
      action,
      tags: [],
      reasons: [`unavailable:${whenUnavailable}`, "degraded:VERIFICATION_TIMEOUT"],
      causes: { problem: "VERIFICATION_TIMEOUT" },
      source: "policy",
      degraded: true,
      riskLevel: null,
      riskScore: null,
      enforce: true,
      policyVersion: 3,
    });
  });

  it("applies rules to degraded decisions", () => {
    const policy = policyOf({ whenUnavailable: "allow" }, [
      "careful",
      { degraded: true, minAmount: 50 },
      { action: "hold", tags: ["unchecked"] },
    ]);

    expect(decideOn(null, { policy, degraded: true })).toMatchObject({ action: "hold", tags: ["unchecked"] });
    expect(decideOn("low", { policy })).toMatchObject({ action: "allow" });
  });

  it.each<[reason: SkipReason]>([["ZERO_AMOUNT"], ["CANCELLED"], ["IMPORTED"], ["SKIPPED_BY_RULE"]])(
    "takes no action for %s, whatever the rules say",
    (skipReason) => {
      const policy = policyOf({}, ["all", { minAmount: 0 }, { action: "hold", tags: ["x"] }]);

      expect(decideOn(null, { policy, source: "local", degraded: true, skipReason })).toEqual({
        action: "allow",
        tags: [],
        reasons: [`skipped:${skipReason}`],
        causes: { skipReason },
        source: "policy",
        degraded: false,
        riskLevel: null,
        riskScore: null,
        enforce: true,
        policyVersion: 3,
      });
    },
  );

  it("names the skipped channel, before any rule", () => {
    const policy = policyOf({}, ["small orders", { maxAmount: 60 }, { skip: true }]);
    const facts = toOrderFacts(anOrder(), { channel: "pos" });

    expect(decideOn(null, { policy, facts, skipReason: "SKIPPED_BY_RULE" }).reasons).toEqual([
      "skipped:SKIPPED_BY_RULE",
      "channel:pos",
    ]);
  });

  it.each<[source: DecisionSource, reason: string]>([
    ["service", "opted-out"],
    ["cache", "opted-out"],
    ["local", "local-never-cancels"],
  ])("never cancels the order of an opted-out customer, answered by %s", (source, reason) => {
    const facts = toOrderFacts(anOrder(), { customerTags: ["holdfast-manual-review"] });
    const byRule = policyOf({}, ["fraud", { level: ["high"] }, { action: "cancel" }]);

    expect(decideOn("critical", { facts, source })).toMatchObject({
      action: "hold",
      reasons: [reason, "level:critical"],
    });
    expect(decideOn("high", { facts, source, policy: byRule }).action).toBe("hold");
    expect(decideOn("high", { facts, source }).reasons).toEqual(["level:high"]);
    expect(decideOn("low", { facts, source }).action).toBe("allow");
  });

  it("names the rule that skipped", () => {
    const policy = policyOf({}, ["small orders", { maxAmount: 60 }, { skip: true }]);

    expect(decideOn(null, { policy, skipReason: "SKIPPED_BY_RULE" }).reasons).toEqual([
      "skipped:SKIPPED_BY_RULE",
      "rule:small orders",
    ]);
  });

  it("takes no action on test orders if the policy skips them", () => {
    const policy = parsePolicy({ testOrders: "skip" });

    expect(decideOn(null, { policy, skipReason: "TEST_ORDER" })).toMatchObject({
      action: "allow",
      tags: [],
      reasons: ["skipped:TEST_ORDER"],
      source: "policy",
    });
  });

  it("judges a test order like any other if the policy sends it to the service", () => {
    const policy = parsePolicy({ testOrders: "service" });

    expect(decideOn("critical", { policy, skipReason: "TEST_ORDER" })).toMatchObject({
      action: "cancel",
      reasons: ["level:critical"],
    });
  });

  it("decides but enforces nothing in shadow mode", () => {
    const policy = parsePolicy({ mode: "shadow" });

    expect(decideOn("critical", { policy })).toMatchObject({
      action: "cancel",
      enforce: false,
      reasons: ["level:critical", "shadow"],
    });
    expect(decideOn(null, { policy, skipReason: "ZERO_AMOUNT" })).toMatchObject({
      enforce: false,
      reasons: ["skipped:ZERO_AMOUNT", "shadow"],
    });
  });

  const anInput = fc.record({
    policy: fc
      .record({
        mode: fc.constantFrom("active", "shadow"),
        critical: fc.constantFrom(...ACTIONS),
        high: fc.constantFrom(...ACTIONS),
        then: fc.oneof(
          fc.record({ action: fc.constantFrom(...ACTIONS) }),
          fc.record({ atLeast: fc.constantFrom("tag", "hold", "cancel") }),
        ),
        level: fc.subarray([...RISK_LEVELS], { minLength: 1 }),
        whenUnavailable: fc.constantFrom("local", "hold", "allow"),
        testOrders: fc.constantFrom("local", "service", "skip"),
      })
      .map(({ critical, high, then, level, ...document }) =>
        policyOf({ ...document, levels: { critical: { action: critical }, high: { action: high } } }, [
          "r",
          { level },
          { ...then, tags: ["r"] },
        ]),
      ),
    policyVersion: fc.nat(),
    facts: fc.constant(FACTS),
    result: fc.option(fc.constantFrom(...RISK_LEVELS).map((level) => aResult(level))),
    source: fc.constantFrom(...SOURCES),
    degraded: fc.boolean(),
    problem: fc.option(fc.constantFrom(...ERROR_CODES), { nil: undefined }),
    skipReason: fc.option(fc.constantFrom(...SKIP_REASONS)),
  });

  it("never cancels on anything but an answer from the service, for any input", () => {
    fc.assert(
      fc.property(anInput, (input) => {
        const decision = chooseAction(input);
        if (decision.action !== "cancel") return;
        expect(input.result).not.toBeNull();
        expect(["service", "cache"]).toContain(input.source);
        expect(input.degraded).toBe(false);
        expect(decision.source).toBe(input.source);
      }),
      { numRuns: 2_000 },
    );
  });

  it("decides the same for the same input, without repeating a tag or a reason", () => {
    fc.assert(
      fc.property(anInput, (input) => {
        const decision = chooseAction(input);
        expect(chooseAction(input)).toEqual(decision);
        expect(new Set(decision.tags).size).toBe(decision.tags.length);
        expect(new Set(decision.reasons).size).toBe(decision.reasons.length);
        expect(decision.reasons.length).toBeGreaterThan(0);
        expect(decision.enforce).toBe(input.policy.mode === "active");
      }),
    );
  });
});

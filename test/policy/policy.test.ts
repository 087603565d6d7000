import { describe, expect, expectTypeOf, it } from "vitest";
import { MODEL_LIMITS } from "../../src/engine/model/shop-model.ts";
import { HoldfastError } from "../../src/base/errors.ts";
import { DEFAULT_POLICY, parsePolicy, type Policy, type PolicyDocument } from "../../src/policy/policy.ts";
import { POLICY_LIMITS } from "../../src/policy/schema-fields.ts";
import type { Action } from "../../src/order/decision.ts";

/** The fields because of which a document is refused, or none. */
function problemsOf(document: unknown): Record<string, string> {
  try {
    parsePolicy(document);
    return {};
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    expect(error).toMatchObject({ code: "POLICY_INVALID", retryable: false });
    return Object.fromEntries(error.fields.map(({ path, message }) => [path, message]));
  }
}

function rule(when: unknown, then: unknown = { action: "hold" }, name: unknown = "a rule"): unknown {
  return { name, when, then };
}

const withRule = (...parts: Parameters<typeof rule>): unknown => ({ rules: [rule(...parts)] });

function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}

describe("parsePolicy", () => {
  it("accepts a model of the shop's own within its bounds, and has none by default", () => {
    const localModel = {
      center: 1.5,
      points: { "NIGHT:6": -3, "SAME_PLACE:-6": 2.5, emailOrders1h: 20, "GONE:1": 1 },
    };
    expect(parsePolicy({ localModel }).localModel).toEqual(localModel);
    expect(isDeeplyFrozen(parsePolicy({ localModel }))).toBe(true);
    expect(parsePolicy({})).not.toHaveProperty("localModel");
  });

  it.each([
    [{ "NIGHT:6": 20.5 }, "localModel.points.NIGHT:6", /-20 to 20/],
    [{ "NIGHT:6": -21 }, "localModel.points.NIGHT:6", /-20 to 20/],
    [{ "NIGHT:6": "1" }, "localModel.points.NIGHT:6", /-20 to 20/],
    [{ "NIGHT:6": null }, "localModel.points.NIGHT:6", /-20 to 20/],
    [{ "not a name": 1 }, "localModel.points.not a name", /features by name/],
    [["NIGHT:6"], "localModel.points", /features by name/],
    [null, "localModel.points", /features by name/],
    [
      Object.fromEntries(Array.from({ length: MODEL_LIMITS.features + 1 }, (_, index) => [`S${index}`, 1])),
      "localModel.points",
      /at most 200/,
    ],
  ])("refuses a model with the points %j", (points, path, message) => {
    expect(problemsOf({ localModel: { center: 0, points } })).toEqual({
      [path]: expect.stringMatching(message),
    });
  });

  it("refuses a model without a center", () => {
    expect(problemsOf({ localModel: { points: {} } })).toEqual({
      "localModel.center": expect.stringMatching(/-100 to 100/),
    });
  });

  it("fills an empty document with the documented defaults", () => {
    expect(parsePolicy({})).toEqual({
      mode: "active",
      levels: {
        low: { action: "allow", tags: [] },
        medium: { action: "tag", tags: ["holdfast-medium"] },
        high: { action: "hold", tags: ["holdfast-high"] },
        critical: { action: "cancel", tags: ["holdfast-critical"] },
      },
      unchecked: { tags: ["holdfast-unchecked"] },
      rules: [],
      lists: [],
      blockedAtCheckout: "nothing",
      hiddenPayments: [
        "credit card",
        "debit card",
        "Shopify Payments",
        "Shop Pay",
        "Apple Pay",
        "Google Pay",
        "PayPal",
      ],
      hold: { deadlineHours: 72, onDeadline: "keep", onAppRelease: "hold-again" },
      cancel: { refund: true, restock: true, notifyCustomer: false, coolOffMinutes: 0, maxPerHour: 20 },
      verify: { methods: ["earlier-address", "card-code", "evidence"], language: "en", keepAddresses: false },
      whenUnavailable: "local",
      whileChecking: "nothing",
      captureWhenApproved: false,
      testOrders: "local",
      skipChannels: ["pos"],
      agentChannels: [],
      optOutTags: ["holdfast-manual-review"],
      rescreenOnChange: true,
      budget: { daily: null, monthly: null, perSourceHourly: 30 },
    });
  });

  it("adds defaults for missing keys, at every level", () => {
    const policy = parsePolicy({
      levels: { high: { action: "tag" }, low: { tags: ["seen"] } },
      cancel: { maxPerHour: 5 },
      budget: { daily: 100 },
    });

    expect(policy.levels.high).toEqual({ action: "tag", tags: ["holdfast-high"] });
    expect(policy.levels.low).toEqual({ action: "allow", tags: ["seen"] });
    expect(policy.levels.critical).toEqual(DEFAULT_POLICY.levels.critical);
    expect(policy.cancel).toEqual({ ...DEFAULT_POLICY.cancel, maxPerHour: 5 });
    expect(policy.budget).toEqual({ daily: 100, monthly: null, perSourceHourly: 30 });
  });

  it("treats undefined as absent", () => {
    expect(
      parsePolicy({ mode: undefined, levels: { high: undefined }, budget: { daily: undefined } }),
    ).toEqual(DEFAULT_POLICY);
  });

  it("parses its own result back unchanged, even after JSON", () => {
    const policy = parsePolicy({
      mode: "shadow",
      rules: [rule({ level: ["high"], minAmount: 10 }), rule({ sku: ["GIFT"] }, { skip: true }, "gifts")],
    });

    expect(parsePolicy(policy)).toEqual(policy);
    expect(parsePolicy(JSON.parse(JSON.stringify(policy)))).toEqual(policy);
  });

  it("freezes the result and doesn't change the document", () => {
    const document = { levels: { high: { tags: ["mine"] } }, rules: [rule({ email: ["jane@example.com"] })] };

    const policy = parsePolicy(document);

    expect(isDeeplyFrozen(policy)).toBe(true);
    expect(isDeeplyFrozen(DEFAULT_POLICY)).toBe(true);
    expect(Object.isFrozen(document.levels.high.tags)).toBe(false);
    expect(document).toEqual({
      levels: { high: { tags: ["mine"] } },
      rules: [rule({ email: ["jane@example.com"] })],
    });
  });

  it("doesn't share defaults between policies", () => {
    expect(parsePolicy({}).levels.high).not.toBe(parsePolicy({}).levels.high);
  });

  it.each([
    ["null", null],
    ["a list", []],
    ["text", "{}"],
    ["undefined", undefined],
  ])("refuses %s as a document", (_name, document) => {
    expect(problemsOf(document)).toEqual({ "": "expected an object" });
  });

  it.each<[path: string, document: unknown]>([
    ["mood", { mood: "active" }],
    ["levels.hihg", { levels: { hihg: {} } }],
    ["levels.high.tag", { levels: { high: { tag: "x" } } }],
    ["hold.deadline", { hold: { deadline: 1 } }],
    ["cancel.force", { cancel: { force: true } }],
    ["budget.weekly", { budget: { weekly: 1 } }],
    ["rules[0].if", { rules: [Object.assign({ if: 1 }, rule({ degraded: true }))] }],
    ["rules[0].when.riskLevel", withRule({ degraded: true, riskLevel: ["high"] })],
    ["rules[0].then.tag", withRule({ degraded: true }, { action: "tag", tag: "x" })],
    ["rules[0].then.action", withRule({ sku: ["A"] }, { skip: true, action: "allow" })],
    ["__proto__", JSON.parse('{"__proto__":{"mode":"shadow"}}')],
  ])("refuses the unknown key %s by name", (path, document) => {
    const problems = problemsOf(document);

    expect(Object.keys(problems)).toEqual([path]);
    expect(problems[path]).toMatch(/^not a setting; expected one of \w+/);
  });

  it("cuts a long unknown key", () => {
    expect(Object.keys(problemsOf({ ["k".repeat(5_000)]: 1 }))[0]).toHaveLength(60);
  });

  it.each<[path: string, expected: string, document: unknown]>([
    ["mode", "expected one of active, shadow", { mode: "on" }],
    ["levels", "expected an object", { levels: null }],
    ["levels.high", "expected an object", { levels: { high: "hold" } }],
    [
      "levels.high.action",
      "expected one of allow, tag, hold, cancel",
      { levels: { high: { action: "block" } } },
    ],
    ["levels.low.tags", "expected a list of at most 10 tags", { levels: { low: { tags: "x" } } }],
    [
      "levels.low.tags",
      "expected a list of at most 10 tags",
      { levels: { low: { tags: Array(11).fill("x") } } },
    ],
    ["hold.deadlineHours", "expected a whole number from 1 to 2160", { hold: { deadlineHours: 0 } }],
    ["hold.deadlineHours", "expected a whole number from 1 to 2160", { hold: { deadlineHours: 2161 } }],
    ["hold.deadlineHours", "expected a whole number from 1 to 2160", { hold: { deadlineHours: 1.5 } }],
    ["hold.deadlineHours", "expected a whole number from 1 to 2160", { hold: { deadlineHours: "72" } }],
    ["hold.onDeadline", "expected one of keep, release, cancel", { hold: { onDeadline: "drop" } }],
    ["hold.onAppRelease", "expected one of hold-again, respect", { hold: { onAppRelease: "again" } }],
    ["cancel.refund", "expected true or false", { cancel: { refund: "yes" } }],
    ["cancel.restock", "expected true or false", { cancel: { restock: 1 } }],
    ["cancel.notifyCustomer", "expected true or false", { cancel: { notifyCustomer: null } }],
    [
      "cancel.coolOffMinutes",
      "expected a whole number from 0 to 10080",
      { cancel: { coolOffMinutes: 10_081 } },
    ],
    ["cancel.coolOffMinutes", "expected a whole number from 0 to 10080", { cancel: { coolOffMinutes: -1 } }],
    ["cancel.maxPerHour", "expected a whole number from 0 to 10000", { cancel: { maxPerHour: 10_001 } }],
    ["cancel.maxPerHour", "expected a whole number from 0 to 10000", { cancel: { maxPerHour: NaN } }],
    ["whenUnavailable", "expected one of local, hold, allow", { whenUnavailable: "cancel" }],
    ["whileChecking", "expected one of nothing, hold", { whileChecking: "cancel" }],
    ["testOrders", "expected one of local, service, skip", { testOrders: false }],
    ["rescreenOnChange", "expected true or false", { rescreenOnChange: "true" }],
    ["skipChannels", "expected a list of at most 20 channels", { skipChannels: "pos" }],
    ["skipChannels[0]", "expected 1 to 100 characters, not only white space", { skipChannels: [" "] }],
    ["agentChannels", "expected a list of at most 20 channels", { agentChannels: "assistant" }],
    [
      "agentChannels[0]",
      "expected the platform's name of an agent's channel, not web, pos, draft or subscription",
      { agentChannels: ["Web"] },
    ],
    ["optOutTags", "expected a list of at most 10 tags", { optOutTags: null }],
    ["rules[0].when.quantity", "expected a whole number from 1 to 1000000", withRule({ quantity: 0 })],
    ["rules[0].when.giftCard", "expected true or false", withRule({ giftCard: "yes" })],
    [
      "rules[0].when.platformRisk[0]",
      "expected one of accept, investigate, cancel",
      withRule({ platformRisk: ["high"] }),
    ],
    [
      "budget.daily",
      "expected a whole number that is not negative, or null for no cap",
      { budget: { daily: -1 } },
    ],
    [
      "budget.monthly",
      "expected a whole number that is not negative, or null for no cap",
      { budget: { monthly: 0.5 } },
    ],
    ["rules", "expected a list of at most 200 rules", { rules: {} }],
    [
      "rules",
      "expected a list of at most 200 rules",
      { rules: Array.from({ length: 201 }, (_, index) => rule({ degraded: true }, undefined, `r${index}`)) },
    ],
    ["rules[0]", "expected an object", { rules: ["hold all"] }],
    [
      "rules[0].name",
      "expected 1 to 100 characters, not only white space",
      withRule({ degraded: true }, undefined, " "),
    ],
    [
      "rules[0].name",
      "expected 1 to 100 characters, not only white space",
      withRule({ degraded: true }, undefined, "n".repeat(101)),
    ],
    [
      "rules[0].name",
      "expected 1 to 100 characters, not only white space",
      withRule({ degraded: true }, undefined, 7),
    ],
    ["rules[0].when", "expected at least one condition", withRule({})],
    ["rules[0].when", "expected at least one condition", withRule({ level: undefined })],
    ["rules[0].when", "expected an object", withRule(null)],
    [
      "rules[0].when.level[1]",
      "expected one of low, medium, high, critical",
      withRule({ level: ["low", "severe"] }),
    ],
    ["rules[0].when.level", "expected a list of 1 to 1000 entries", withRule({ level: 3 })],
    ["rules[0].when.level", "expected a list of 1 to 1000 entries", withRule({ level: [] })],
    [
      "rules[0].when.email",
      "expected a list of 1 to 1000 entries",
      withRule({ email: Array(1_001).fill("a@example.com") }),
    ],
    [
      "rules[0].when.email[0]",
      "expected 1 to 500 characters, not only white space",
      withRule({ email: [" "] }),
    ],
    ["rules[0].when.degraded", "expected true or false", withRule({ degraded: "no" })],
    ["rules[0].when.minAmount", "expected an amount that is not negative", withRule({ minAmount: -0.01 })],
    ["rules[0].when.minAmount", "expected an amount", withRule({ minAmount: "10" })],
    ["rules[0].when.maxAmount", "expected an amount", withRule({ maxAmount: Infinity })],
    [
      "rules[0].when.maxAmount",
      "expected an amount that is not below minAmount",
      withRule({ minAmount: 5, maxAmount: 4.99 }),
    ],
    ["rules[0].when.currency[0]", "expected a three-letter currency code", withRule({ currency: ["US"] })],
    ["rules[0].when.phone[0]", "expected a phone number with digits", withRule({ phone: ["unknown"] })],
    ["rules[0].when.address[0]", "expected letters or digits", withRule({ address: [" -- "] })],
    [
      "rules[0].then",
      "expected an action or atLeast with optional tags, or skip: true",
      withRule({ degraded: true }, "hold"),
    ],
    [
      "rules[0].then.skip",
      "expected an action or atLeast with optional tags, or skip: true",
      withRule({ sku: ["A"] }, { skip: false, action: "hold" }),
    ],
    [
      "rules[0].then.action",
      "expected one of allow, tag, hold, cancel",
      withRule({ degraded: true }, { tags: ["x"] }),
    ],
    [
      "rules[0].when.level",
      "a rule that skips the check can't use its outcome: remove this condition",
      withRule({ level: ["low"], sku: ["A"] }, { skip: true }),
    ],
    [
      "rules[0].when.degraded",
      "a rule that skips the check can't use its outcome: remove this condition",
      withRule({ degraded: false, sku: ["A"] }, { skip: true }),
    ],
  ])("refuses a wrong %s: %s", (path, expected, document) => {
    expect(problemsOf(document)).toEqual({ [path]: expected });
  });

  it("accepts a single entry of a condition without a list", () => {
    const { rules } = parsePolicy(withRule({ level: "high", country: "US" }));
    expect(rules[0]?.when).toEqual({ level: ["high"], country: ["US"] });
  });

  it.each([["a,b"], [" x"], ["x "], [""], ["a\nb"], ["a\u0000b"], ["a\ud800"], ["t".repeat(41)], [7]])(
    "refuses the tag %j",
    (tag) => {
      expect(problemsOf({ levels: { high: { tags: ["fine", tag] } } })).toEqual({
        "levels.high.tags[1]":
          "expected 1 to 40 characters without commas, line breaks or white space at the ends",
      });
    },
  );

  it("accepts the last valid value of every limit", () => {
    const rules = Array.from({ length: POLICY_LIMITS.rules }, (_, index) =>
      rule(
        { address: ["1 Main"], phone: ["+1 555 0100"], minAmount: 5, maxAmount: 5 },
        { action: "tag", tags: [`${"t".repeat(39)}x`] },
        `${"n".repeat(97)}${String(index).padStart(3, "0")}`,
      ),
    );
    const policy = parsePolicy({
      rules,
      levels: { low: { tags: Array.from({ length: 10 }, (_, index) => `two words ${index}`) } },
      hold: { deadlineHours: 2_160 },
      cancel: { coolOffMinutes: 10_080, maxPerHour: 10_000 },
      budget: { daily: 0, monthly: 1_000_000 },
    });

    expect(policy.rules).toHaveLength(POLICY_LIMITS.rules);
    expect(parsePolicy({ hold: { deadlineHours: 1 }, cancel: { maxPerHour: 0 } }).cancel.maxPerHour).toBe(0);
  });

  it("refuses a second rule with the same name, at the second", () => {
    const document = {
      rules: [rule({ degraded: true }), rule({ sku: ["A"] }), rule({ sku: ["B"] }, undefined, "b")],
    };

    expect(problemsOf(document)).toEqual({
      "rules[1].name": "expected a unique name: another rule has this one",
    });
  });

  it("reports every invalid field at once and counts them in the message", () => {
    const document = { mode: "x", hold: { deadlineHours: 0 }, extra: 1 };

    expect(Object.keys(problemsOf(document)).toSorted()).toEqual(["extra", "hold.deadlineHours", "mode"]);
    expect(() => parsePolicy(document)).toThrow("the policy is invalid: 3 fields are at fault");
    expect(() => parsePolicy({ mode: "x" })).toThrow("the policy is invalid: one field is at fault");
  });

  it("never repeats a value", () => {
    const secret = "jane@example.com";
    const documents: unknown[] = [
      { mode: secret },
      secret,
      withRule(
        { phone: [secret], currency: [secret], level: [secret], degraded: secret },
        { action: secret },
      ),
      withRule({ email: secret }, secret, secret.repeat(20)),
      { levels: { low: { tags: [`${secret},`] } } },
    ];

    for (const document of documents) {
      const problems = problemsOf(document);
      expect(Object.keys(problems)).not.toEqual([]);
      expect(JSON.stringify(problems)).not.toContain(secret);
    }
  });

  it("types the result as complete and the document as optional", () => {
    expectTypeOf<Policy["levels"]["high"]["action"]>().toEqualTypeOf<Action>();
    expectTypeOf<Policy["budget"]["daily"]>().toEqualTypeOf<number | null>();
    expectTypeOf<{ mode: "shadow" }>().toExtend<PolicyDocument>();
    expectTypeOf<Policy>().toExtend<PolicyDocument>();
  });
});

import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../src/engine/engine.ts";
import { findForcedOutcome, SANDBOX_SCENARIOS, SANDBOX_TABLE } from "../../src/sandbox/sandbox-scenarios.ts";
import { judge } from "../../src/sandbox/scorer.ts";
import { isScoreInBand, RISK_BANDS, RISK_LEVELS } from "../../src/order/risk-level.ts";
import { orderWith } from "../engine/sample-order.ts";

const SCORES = SANDBOX_SCENARIOS.flatMap(({ customerEmail, rule, outcome }) =>
  outcome.kind === "score" ? [{ customerEmail, rule, ...outcome }] : [],
);

describe("SANDBOX_SCENARIOS", () => {
  it("has the four levels, every score and the failures, each once", () => {
    const rules = SANDBOX_SCENARIOS.map(({ rule }) => rule);

    expect(new Set(rules).size).toBe(rules.length);
    expect(rules.filter((rule) => /^score-\d+$/.test(rule))).toHaveLength(101);
    expect(rules.filter((rule) => !rule.startsWith("score-"))).toEqual([
      "low",
      "medium",
      "high",
      "critical",
      "error-400",
      "error-401",
      "error-402",
      "error-403",
      "error-429",
      "error-500",
      "error-503",
      "timeout",
      "slow-2500",
      "reset",
      "reset-before",
      "malformed",
      "truncated",
      "oversized",
      "html",
      "redirect",
      "unknown-level",
      "wrong-shape",
    ]);
  });

  it("costs what the service bills", () => {
    const unmetered = SANDBOX_SCENARIOS.filter(({ outcome }) => "metered" in outcome && !outcome.metered);

    expect(unmetered.map(({ rule }) => rule)).toEqual([
      "error-401",
      "error-402",
      "error-403",
      "error-429",
      "reset-before",
    ]);
  });

  it("recognizes an order's email address", () => {
    for (const { customerEmail, ...scenario } of SANDBOX_SCENARIOS) {
      expect(findForcedOutcome({ customerEmail: customerEmail.toUpperCase() })).toEqual(scenario);
    }
  });
});

describe("SANDBOX_TABLE", () => {
  it("has a line for every scenario and every card, with its cost", () => {
    const lines = new Set(SANDBOX_TABLE.map(({ value }) => value));
    const scored = (value: string) =>
      value.replace(/^score-\d+@/, "score-N@").replace(/^slow-\d+@/, "slow-N@");

    for (const { customerEmail, outcome } of SANDBOX_SCENARIOS) {
      const line = SANDBOX_TABLE.find(({ value }) => value === scored(customerEmail));
      expect(line, customerEmail).toMatchObject({ by: "customerEmail" });
      expect(line?.metered, customerEmail).toBe("metered" in outcome ? outcome.metered : true);
      lines.delete(scored(customerEmail));
    }
    expect([...lines]).toEqual(["factor.CODE@risk.example", "9235", "4954", "0019"]);
  });
});

describe("findForcedOutcome", () => {
  const of = (name: string) => findForcedOutcome({ customerEmail: `${name}@risk.example` });

  it("reads a delay of up to a minute", () => {
    expect(of("slow-0")?.outcome).toEqual({ kind: "delay", delayMs: 0 });
    expect(of("slow-60000")).toEqual({
      by: "customerEmail",
      rule: "slow-60000",
      outcome: { kind: "delay", delayMs: 60_000 },
    });
    expect(of("slow-60001")).toBeUndefined();
  });

  it("reads codes in any case, each once", () => {
    expect(of("factor.email_disposable.IP_TOR.ip_tor")?.outcome).toEqual({
      kind: "factors",
      codes: ["EMAIL_DISPOSABLE", "IP_TOR"],
    });
  });

  it.each(["factor", "factor.", "factor..a", "factor.a-b", `factor${".a".repeat(11)}`])(
    "reads no codes in %s",
    (name) => {
      expect(of(name)).toBeUndefined();
    },
  );

  it("prefers the email address to the card", () => {
    const paymentInfo = { lastFourDigits: "4954" };

    expect(findForcedOutcome({ paymentInfo })).toMatchObject({ rule: "card-4954" });
    expect(findForcedOutcome({ paymentInfo, customerEmail: "low@risk.example" })).toMatchObject({
      rule: "low",
    });
    expect(findForcedOutcome({ paymentInfo, customerEmail: "jane@risk.example" })).toMatchObject({
      rule: "card-4954",
    });
  });

  it.each([
    null,
    undefined,
    "text",
    7,
    [],
    {},
    { customerEmail: 7 },
    { paymentInfo: null },
    { paymentInfo: { lastFourDigits: 4954 } },
  ])("finds nothing in %j", (order) => {
    expect(findForcedOutcome(order)).toBeUndefined();
  });
});

describe("judge", () => {
  const engine = createLocalEngine({ sandbox: true });
  const assess = (customerEmail: string) => {
    const order = orderWith({ customerEmail });
    return judge(engine, order, findForcedOutcome(order));
  };

  it.each([
    ["low@risk.example", 12, "low"],
    ["medium@risk.example", 45, "medium"],
    ["high@risk.example", 73, "high"],
    ["critical@risk.example", 93, "critical"],
    ["score-0@risk.example", 0, "low"],
    ["score-30@risk.example", 30, "low"],
    ["score-31@risk.example", 31, "medium"],
    ["score-60@risk.example", 60, "medium"],
    ["score-61@risk.example", 61, "high"],
    ["score-85@risk.example", 85, "high"],
    ["score-86@risk.example", 86, "critical"],
    ["score-100@risk.example", 100, "critical"],
    [" HIGH@Risk.Example ", 73, "high"],
  ])("answers %s with %d, %s", (customerEmail, riskScore, riskLevel) => {
    expect(assess(customerEmail)).toMatchObject({ riskScore, riskLevel });
  });

  it("gives every score that an address requests, and says that it was requested", () => {
    for (const { customerEmail, rule, score } of SCORES) {
      const assessment = assess(customerEmail);

      expect(assessment).toMatchObject({
        riskScore: score,
        sandbox: { forced: true, by: "customerEmail", rule },
        reasoning: expect.stringMatching(/^Sandbox:/),
      });
      expect(isScoreInBand(assessment), rule).toBe(true);
      expect(assessment.riskFactors.length, rule).toBeGreaterThan(0);
    }
  });

  it("has factors of every severity in a critical answer", () => {
    const severities = SCORES.flatMap(({ customerEmail }) => assess(customerEmail).riskFactors);

    expect(new Set(severities.map(({ severity }) => severity))).toEqual(
      new Set(["low", "medium", "high", "critical"]),
    );
    expect(new Set(severities.map(({ category }) => category))).toEqual(
      new Set(["customer", "address", "technical", "behavioral"]),
    );
  });

  it.each(RISK_LEVELS)("recommends something for %s orders, and never an automatic refusal", (level) => {
    const { riskLevel, recommendations } = assess(`score-${RISK_BANDS[level][1]}@risk.example`);

    expect(riskLevel).toBe(level);
    expect(recommendations.length).toBeGreaterThan(0);
    expect(recommendations.join(" ")).not.toMatch(/\b(?:cancel|reject|decline|block|automatic)/i);
  });

  it.each(["score-101@risk.example", "score-007@risk.example", "low@risk.example.com", "x.low@risk.example"])(
    "really judges %s, which is in no table",
    (customerEmail) => {
      expect(assess(customerEmail).sandbox).toBeUndefined();
    },
  );
});

describe("createLocalEngine", () => {
  it.each([true, false])("forces nothing, whatever an address requests (sandbox: %s)", (sandbox) => {
    const engine = createLocalEngine({ sandbox });
    for (const { customerEmail, rule } of SANDBOX_SCENARIOS) {
      const { reasoning, scorecard } = engine.assess(orderWith({ customerEmail }));
      const isTestData = scorecard.contributions.some(({ code }) => code === "EMAIL_RESERVED_DOMAIN");

      expect(reasoning, rule).not.toContain("Sandbox");
      expect(isTestData, rule).toBe(!sandbox);
    }
  });
});

import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../src/local/engine.ts";
import { SANDBOX_SCENARIOS } from "../../src/local/sandbox.ts";
import { isScoreInBand } from "../../src/verification/result.ts";
import { orderWith } from "./sample-order.ts";

const SCORES = SANDBOX_SCENARIOS.flatMap(({ customerEmail, rule, outcome }) =>
  outcome.kind === "score" ? [{ customerEmail, rule, ...outcome }] : [],
);
const OTHERS = SANDBOX_SCENARIOS.filter(({ outcome }) => outcome.kind !== "score");

describe("SANDBOX_SCENARIOS", () => {
  it("holds the four levels, every score and the failures, each once", () => {
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
      "malformed",
      "slow-2500",
    ]);
  });

  it("bills what the service bills", () => {
    const unmetered = SANDBOX_SCENARIOS.filter(
      ({ outcome }) => outcome.kind === "status" && !outcome.metered,
    );

    expect(unmetered.map(({ rule }) => rule)).toEqual(["error-401", "error-402", "error-403", "error-429"]);
  });
});

describe("createLocalEngine in sandbox mode", () => {
  const engine = createLocalEngine({ sandbox: true });

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
    expect(engine.assess(orderWith({ customerEmail }))).toMatchObject({ riskScore, riskLevel });
  });

  it.each(SCORES)("says of $rule that the answer was asked for", ({ customerEmail, rule, score }) => {
    const assessment = engine.assess(orderWith({ customerEmail }));

    expect(assessment.riskScore).toBe(score);
    expect(isScoreInBand(assessment)).toBe(true);
    expect(assessment.sandbox).toEqual({ forced: true, by: "customerEmail", rule });
    expect(assessment.reasoning).toMatch(/^Sandbox:/);
    expect(assessment.riskFactors.length).toBeGreaterThan(0);
    expect(assessment.scorecard.score).toBe(score);
  });

  it("carries factors of every severity in a critical answer's company", () => {
    const severities = SCORES.flatMap(({ customerEmail }) => engine.assess({ customerEmail }).riskFactors);

    expect(new Set(severities.map(({ severity }) => severity))).toEqual(
      new Set(["low", "medium", "high", "critical"]),
    );
    expect(new Set(severities.map(({ category }) => category))).toEqual(
      new Set(["customer", "address", "technical", "behavioral"]),
    );
  });

  it.each(OTHERS)("really judges $rule, which only the service carries out", ({ customerEmail }) => {
    const assessment = engine.assess(orderWith({ customerEmail }));

    expect(assessment.sandbox).toBeUndefined();
    expect(assessment.scorecard.base).toBe(10);
  });

  it.each(["score-101@risk.example", "score-007@risk.example", "low@risk.example.com", "x.low@risk.example"])(
    "really judges %s, which is in no table",
    (customerEmail) => {
      expect(engine.assess(orderWith({ customerEmail })).sandbox).toBeUndefined();
    },
  );
});

describe("createLocalEngine in live mode", () => {
  const engine = createLocalEngine();

  it.each(SANDBOX_SCENARIOS.map(({ customerEmail }) => customerEmail))(
    "forces nothing for %s",
    (customerEmail) => {
      const assessment = engine.assess(orderWith({ customerEmail }));

      expect(assessment.sandbox).toBeUndefined();
      expect(assessment.reasoning).not.toContain("Sandbox");
      expect(assessment.scorecard.contributions.map(({ code }) => code)).toContain("EMAIL_RESERVED_DOMAIN");
    },
  );
});

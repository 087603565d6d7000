import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readResult } from "../../src/service/read-result.ts";
import { verificationResultSchema } from "../../src/order/result.ts";
import { RISK_BANDS, RISK_LEVELS } from "../../src/order/risk-level.ts";
import { RESULT } from "./samples.ts";
import { anyText } from "../support/any-text.ts";

const [FACTOR] = RESULT.riskFactors;

describe("readResult", () => {
  it("doesn't change an answer that matches the interface", () => {
    expect(readResult(RESULT)).toEqual({ result: RESULT, unusable: [] });
  });

  it("requires only the level", () => {
    expect(readResult({ riskLevel: "critical" })).toEqual({
      result: {
        riskLevel: "critical",
        riskScore: 86,
        riskFactors: [],
        reasoning: "",
        recommendations: [],
      },
      unusable: ["reasoning", "riskScore", "riskFactors", "recommendations"],
    });
  });

  it.each([undefined, null, "72", -1, 101, Number.NaN])(
    "takes the lowest score of the level for %j",
    (score) => {
      const { result, unusable } = readResult({ ...RESULT, riskScore: score });

      expect(result.riskScore).toBe(61);
      expect(unusable).toEqual(["riskScore"]);
    },
  );

  it("keeps a factor with an unknown severity and category, and reports their values", () => {
    const { result, unusable } = readResult({
      ...RESULT,
      riskFactors: [{ factor: "Card testing", severity: "info", category: "payment" }, FACTOR],
    });

    expect(result.riskFactors).toEqual([
      {
        factor: "Card testing",
        severity: "medium",
        description: "Severity given: info. Category given: payment.",
        category: "behavioral",
      },
      FACTOR,
    ]);
    expect(unusable).toEqual(["riskFactors[].severity", "riskFactors[].category"]);
  });

  it.each([
    ["its title alone", { ...FACTOR, description: undefined }, { factor: FACTOR?.factor, description: "" }],
    ["its description alone", { ...FACTOR, factor: 7 }, { factor: FACTOR?.description }],
    ["text in place of a factor", "Card testing", { factor: "Card testing", severity: "medium" }],
  ])("keeps a factor for %s", (_what, entry, expected) => {
    expect(readResult({ ...RESULT, riskFactors: [entry] }).result.riskFactors).toMatchObject([expected]);
  });

  it.each([null, 7, [], {}, "", { ...FACTOR, factor: " ", description: null }])(
    "leaves out a factor without text: %j",
    (entry) => {
      const { result, unusable } = readResult({ ...RESULT, riskFactors: [entry, FACTOR] });

      expect(result.riskFactors).toEqual([FACTOR]);
      expect(unusable).toContain("riskFactors[]");
    },
  );

  it("leaves out recommendations that aren't text", () => {
    const { result, unusable } = readResult({ ...RESULT, recommendations: [1, "Call.", null, ""] });

    expect(result.recommendations).toEqual(["Call."]);
    expect(unusable).toEqual(["recommendations[]"]);
  });

  it("limits long texts and lists, without splitting a character", () => {
    const long = `${"x".repeat(199)}${"😀".repeat(100_000)}`;
    const { result } = readResult({
      riskLevel: "low",
      riskFactors: Array.from({ length: 5_000 }, () => ({ factor: long, description: long, severity: long })),
      reasoning: long,
      recommendations: Array.from({ length: 5_000 }, () => long),
    });

    expect(result.riskFactors).toHaveLength(50);
    expect(result.riskFactors[0]?.factor).toBe("x".repeat(199));
    expect(result.recommendations).toHaveLength(20);
    expect(JSON.stringify(result).length).toBeLessThan(100_000);
  });

  it("returns a complete result for anything around the level, and the same when given that result", () => {
    const part = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(
        fc.oneof(
          fc.jsonValue({ maxDepth: 1 }),
          fc.record(
            {
              factor: fc.oneof(anyText(), fc.constant(7)),
              severity: fc.constantFrom("low", "info", "HIGH", null, 3),
              description: fc.oneof(fc.string(), fc.constant(null)),
              category: fc.constantFrom("address", "payment", "", {}),
            },
            { requiredKeys: [] },
          ),
        ),
      ),
    );
    const answers = fc.record(
      {
        riskLevel: fc.constantFrom(...RISK_LEVELS),
        riskScore: fc.oneof(fc.double(), part),
        riskFactors: part,
        reasoning: part,
        recommendations: part,
      },
      { requiredKeys: ["riskLevel"] },
    );
    fc.assert(
      fc.property(answers, (answer) => {
        const { result } = readResult(answer);

        expect(verificationResultSchema.parse(result)).toEqual(result);
        expect(result.riskLevel).toBe(answer.riskLevel);
        expect(readResult(result)).toEqual({ result, unusable: [] });
        if (answer.riskScore === undefined) {
          expect(result.riskScore).toBe(RISK_BANDS[answer.riskLevel][0]);
        }
      }),
    );
  });
});

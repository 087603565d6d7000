import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../src/local/engine.ts";
import type { PartialVerificationRequest } from "../../src/order/request.ts";
import { RISK_LEVELS, type RiskLevel } from "../../src/verification/result.ts";

interface Scenario {
  readonly id: string;
  readonly expectedBands: readonly RiskLevel[];
  readonly order: PartialVerificationRequest;
}

const SCENARIOS = JSON.parse(
  readFileSync(new URL("../fixtures/local/scenarios.json", import.meta.url), "utf8"),
) as readonly Scenario[];

/** Frauds that show only in data the engine does not have yet. */
const OUT_OF_REACH: Readonly<Record<string, string>> = {
  "F6-tor": "needs IP data",
  "F8-multi-account": "needs velocity",
};

describe("createLocalEngine on the reference scenarios", () => {
  const engine = createLocalEngine({ now: () => 0 });
  const rank = (level: RiskLevel): number => RISK_LEVELS.indexOf(level);

  it("has ten legitimate orders and ten frauds to judge", () => {
    expect(SCENARIOS.map(({ id }) => id.charAt(0)).join("")).toBe("LLLLLLLLLLFFFFFFFFFF");
  });

  it.each(SCENARIOS.filter(({ id }) => !Object.hasOwn(OUT_OF_REACH, id)))(
    "puts $id into one of its bands",
    ({ order, expectedBands }) => {
      expect(expectedBands).toContain(engine.assess(order).riskLevel);
    },
  );

  it.each(SCENARIOS.filter(({ id }) => Object.hasOwn(OUT_OF_REACH, id)))(
    "does not overrate $id, which is out of reach",
    ({ order, expectedBands }) => {
      const highest = Math.max(...expectedBands.map(rank));
      expect(rank(engine.assess(order).riskLevel)).toBeLessThanOrEqual(highest);
    },
  );

  it("names as out of reach only what is", () => {
    const missed = SCENARIOS.filter(
      ({ order, expectedBands }) => !expectedBands.includes(engine.assess(order).riskLevel),
    );
    expect(missed.map(({ id }) => id)).toEqual(Object.keys(OUT_OF_REACH));
  });

  it("never puts a legitimate order above low", () => {
    const legitimate = SCENARIOS.filter(({ id }) => id.startsWith("L"));
    expect(legitimate.map(({ order }) => engine.assess(order).riskLevel)).toEqual(
      legitimate.map(() => "low"),
    );
  });
});

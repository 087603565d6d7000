import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../src/engine/engine.ts";
import type { VelocityCounts } from "../../src/engine/velocity/velocity-store.ts";
import type { PartialVerificationRequest } from "../../src/order/request.ts";
import type { RiskLevel } from "../../src/order/risk-level.ts";

interface Scenario {
  readonly id: string;
  readonly expectedBands: readonly RiskLevel[];
  readonly order: PartialVerificationRequest;
}

const SCENARIOS = JSON.parse(
  readFileSync(new URL("../fixtures/local/scenarios.json", import.meta.url), "utf8"),
) as readonly Scenario[];

/** What the store of counts would say about the orders before this one, if that decides. */
const COUNTED: Readonly<Record<string, VelocityCounts>> = {
  "F8-multi-account": {
    emailOrders1h: 1,
    ipEmails24h: 2,
    cardEmails7d: 4,
    addressEmails7d: 4,
    emailCards24h: 1,
    emailBillingPostcodes7d: 1,
    cardBillingPostcodes7d: 1,
  },
};

describe("createLocalEngine on the reference scenarios", () => {
  const engine = createLocalEngine({ now: () => 0 });
  it("has ten legitimate orders and ten frauds to judge", () => {
    expect(SCENARIOS.map(({ id }) => id.charAt(0)).join("")).toBe("LLLLLLLLLLFFFFFFFFFF");
  });

  it.each(SCENARIOS)("puts $id into one of its bands", ({ id, order, expectedBands }) => {
    expect(expectedBands).toContain(engine.assess(order, COUNTED[id]).riskLevel);
  });

  it("misses without counts what only shows in other orders", () => {
    const missed = SCENARIOS.filter(
      ({ order, expectedBands }) => !expectedBands.includes(engine.assess(order).riskLevel),
    );
    expect(missed.map(({ id }) => id)).toEqual(Object.keys(COUNTED));
  });

  it("never puts a legitimate order above low", () => {
    const legitimate = SCENARIOS.filter(({ id }) => id.startsWith("L"));
    expect(legitimate.map(({ order }) => engine.assess(order).riskLevel)).toEqual(
      legitimate.map(() => "low"),
    );
  });
});

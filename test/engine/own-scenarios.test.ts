import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../src/engine/engine.ts";
import { OWN_SCENARIOS, type OwnScenario } from "./own-scenarios.ts";

const engine = createLocalEngine();

function assess({ order, context }: OwnScenario) {
  return engine.assess(order, undefined, [], context);
}

function toRow(scenario: OwnScenario): string {
  const { riskLevel, riskScore, scorecard } = assess(scenario);
  const against = scorecard.contributions.map(({ code, contribution }) => `${code} ${contribution}`);
  const why = [...against.slice(0, 3), `trust ${scorecard.trust}`].join(", ");
  return `| ${scenario.side} | ${scenario.what} | ${riskLevel} (${riskScore}) | ${why} |`;
}

const PAGE = `# What the local engine makes of ${OWN_SCENARIOS.length} orders

Each order with its level, its score and why: the three strongest signals after the discount of their group, and the trust. Written by
\`test/engine/own-scenarios.test.ts\`, which fails when a level or a score changes; \`npx vitest -u\` writes it again. What the signals
mean: [the local engine](../local-engine.md#signals). Scenarios of several orders: \`test/engine/shared-places.test.ts\`.

| side | order | level | why |
| --- | --- | --- | --- |
${OWN_SCENARIOS.map(toRow).join("\n")}
`;

describe("createLocalEngine on scenarios of ours", () => {
  it("has sixty or more, of both sides", () => {
    expect(OWN_SCENARIOS.length).toBeGreaterThanOrEqual(60);
    expect(OWN_SCENARIOS.filter(({ side }) => side === "fraud").length).toBeGreaterThanOrEqual(25);
    expect(new Set(OWN_SCENARIOS.map(({ side, what }) => side + what)).size).toBe(OWN_SCENARIOS.length);
  });

  it.each(OWN_SCENARIOS.filter(({ side }) => side === "honest"))("leaves alone: $what", (scenario) => {
    expect(assess(scenario).riskLevel).toBe("low");
  });

  it.each(OWN_SCENARIOS.filter(({ side }) => side === "fraud"))("finds: $what", (scenario) => {
    expect(assess(scenario).riskLevel).not.toBe("low");
  });

  it("says so in the documentation", async () => {
    await expect(PAGE).toMatchFileSnapshot("../../docs/reference/engine-scenarios.md");
  });
});

import { describe, expect, it } from "vitest";
import { createLocalEngine, type LocalAssessment } from "../../src/engine/engine.ts";
import { play } from "./play.ts";
import { HARD_RINGS } from "./rings.ts";
import { OWN_SCENARIOS, type OwnScenario } from "./own-scenarios.ts";

const engine = createLocalEngine();

function assess({ order, context }: OwnScenario) {
  return engine.assess(order, undefined, [], context);
}

function toRow(scenario: OwnScenario): string {
  const { riskLevel, riskScore, scorecard } = assess(scenario);
  return `| ${scenario.side} | ${scenario.what} | ${riskLevel} (${riskScore}) | ${toWhy(scorecard)} |`;
}

function toWhy({ contributions, trust }: LocalAssessment["scorecard"]): string {
  const against = contributions.map(({ code, contribution }) => `${code} ${contribution}`);
  return [...against.slice(0, 3), `trust ${trust}`].join(", ");
}

const played = await Promise.all(
  HARD_RINGS.map(async (ring) => ({ ...ring, answers: await play(ring.orders, ring.apartMs) })),
);

function toRingRow({ what, foundFrom, because, answers }: (typeof played)[number]): string {
  const last = answers.at(-1);
  if (last === undefined) throw new Error(`no order in "${what}"`);
  const level = `${last.riskLevel} (${last.riskScore})`;
  return `| ${what} | ${foundFrom} | ${level} | ${toWhy(last.scorecard)} | ${because} |`;
}

const PAGE = `# What the local engine makes of ${OWN_SCENARIOS.length} orders

Each order with its level, its score and why: the three strongest signals after the discount of their group, and the trust. Written by
\`test/engine/own-scenarios.test.ts\`, which fails when a level or a score changes; \`npx vitest -u\` writes it again. What the signals
mean: [the local engine](../local-engine.md#signals). More scenarios of several orders: \`test/engine/shared-places.test.ts\`.

| side | order | level | why |
| --- | --- | --- | --- |
${OWN_SCENARIOS.map(toRow).join("\n")}

## Rings

Card testing and carding, where each order looks honest by itself. Found from: no order is low from this one on. Level and why are
of the last order.

| orders | found from | level | why | because |
| --- | --- | --- | --- | --- |
${played.map(toRingRow).join("\n")}
`;

describe("createLocalEngine on our own scenarios", () => {
  it("is tested with sixty or more, fraud and honest", () => {
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

  it("finds goods by their category alone if their names say nothing", () => {
    const filed = OWN_SCENARIOS.filter(
      ({ side, context }) => side === "fraud" && context?.products !== undefined,
    );

    expect(filed).toHaveLength(2);
    for (const { order } of filed) expect(engine.assess(order).riskLevel).toBe("low");
  });

  it.each(played)("finds: $what", ({ answers, foundFrom, level }) => {
    expect(answers.findLastIndex(({ riskLevel }) => riskLevel === "low")).toBe(foundFrom - 2);
    expect(answers.at(-1)?.riskLevel).toBe(level);
  });

  it("has its results in the documentation", async () => {
    await expect(PAGE).toMatchFileSnapshot("../../docs/reference/engine-scenarios.md");
  });
});

import { describe, expect, it } from "vitest";
import { FRAUD_STORIES } from "./fraud-stories.ts";
import { HONEST_STORIES } from "./honest-stories.ts";
import { tell } from "./tell.ts";
import type { Story } from "./story.ts";

async function judge(story: Story) {
  const last = (await tell(story)).at(-1);
  if (last === undefined) throw new Error(`no order in "${story.what}"`);
  const { riskLevel, riskScore, scorecard } = last;
  const why = scorecard.contributions.slice(0, 3).map(({ code, contribution }) => `${code} ${contribution}`);
  return { what: story.what, riskLevel, riskScore, why: [...why, `trust ${scorecard.trust}`].join(", ") };
}

async function judgeAll(stories: readonly Story[]) {
  const rows = [];
  for (const story of stories) rows.push(await judge(story));
  return rows;
}

const FRAUD = await judgeAll(FRAUD_STORIES);
const HONEST = await judgeAll(HONEST_STORIES);

const HEAD = `# What the local engine makes of ${FRAUD_STORIES.length + HONEST_STORIES.length} stories

Each story is a shop with three usual weeks, and then one order or several. The table has the level and the score of the last one
and why: its three strongest signals after the discount of their group, and the trust. The stories were written before the rules
that they measure. Written by \`test/engine/stories/stories.test.ts\`, which fails when a level or a score changes;
\`npx vitest -u\` writes it again. What the signals mean: [the local engine](../local-engine.md#signals).

| side | story | level | why |
| --- | --- | --- | --- |
`;

describe("createLocalEngine on stories", () => {
  it("is tested with forty or more of each side, each with its own name", () => {
    expect(FRAUD_STORIES.length).toBeGreaterThanOrEqual(40);
    expect(HONEST_STORIES.length).toBeGreaterThanOrEqual(40);
    const names = [...FRAUD_STORIES, ...HONEST_STORIES].map(({ what }) => what);
    expect(new Set(names).size).toBe(names.length);
  });

  it("finds most thieves, and makes hardly any honest person's order high", () => {
    const count = (rows: typeof FRAUD, ...levels: readonly string[]): number =>
      rows.filter(({ riskLevel }) => levels.includes(riskLevel)).length;

    expect(count(FRAUD, "low") / FRAUD.length).toBeLessThanOrEqual(0.2);
    expect(count(HONEST, "high", "critical") / HONEST.length).toBeLessThanOrEqual(0.02);
  });

  it("has its results in the documentation", async () => {
    const rows = Object.entries({ fraud: FRAUD, honest: HONEST }).flatMap(([side, told]) =>
      told.map(
        ({ what, riskLevel, riskScore, why }) =>
          `| ${side} | ${what} | ${riskLevel} (${riskScore}) | ${why} |`,
      ),
    );
    await expect(`${HEAD}${rows.join("\n")}\n`).toMatchFileSnapshot(
      "../../../docs/reference/engine-stories.md",
    );
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { LocalAssessment } from "../../../src/engine/engine.ts";
import { tell } from "../stories/tell.ts";
import { HONEST_GATHERINGS } from "./honest-gatherings.ts";
import { IMITATIONS } from "./imitations.ts";
import { NEWCOMER, type Gathering } from "./members.ts";

const DOCUMENT = readFileSync("docs/evaluation.md", "utf8");
/** The table's rows: group, and each column's count of all its orders. */
const STATED = new Map(
  [...DOCUMENT.matchAll(/^\| (registry|club|teacher|company|neighbors): [^|]+\| (.+) \|$/gm)].map(
    ([, circle = "", cells = ""]) => [circle, cells.split(" | ")],
  ),
);

interface Judged extends Gathering {
  readonly answers: readonly LocalAssessment[];
}

async function judge(gatherings: readonly Gathering[]): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const gathering of gatherings) judged.push({ ...gathering, answers: await tell(gathering) });
  return judged;
}

const isLow = ({ riskLevel }: LocalAssessment): boolean => riskLevel === "low";
const listAnswers = (judged: readonly Judged[], circle?: string) =>
  judged.flatMap((one) => (circle === undefined || one.circle === circle ? one.answers : []));

function toCell(answers: readonly LocalAssessment[]): string {
  return `${answers.filter((answer) => !isLow(answer)).length} of ${answers.length}`;
}

const HONEST = await judge(HONEST_GATHERINGS);
const NEW = await judge(
  HONEST_GATHERINGS.map((gathering) => ({
    ...gathering,
    orders: gathering.orders.map((told) => ({ ...told, order: { ...told.order, ...NEWCOMER } })),
  })),
);
const FRAUD = await judge(IMITATIONS);
const CIRCLES = ["registry", "club", "teacher", "company", "neighbors"] as const;

describe("createLocalEngine on people who order for one place or one company", () => {
  it("is tested with twelve or more of each, and with twenty or more thieves who imitate them", () => {
    for (const circle of CIRCLES.slice(0, 4)) {
      expect(HONEST.filter((one) => one.circle === circle).length).toBeGreaterThanOrEqual(12);
    }
    expect(FRAUD.length).toBeGreaterThanOrEqual(20);
    const countries = new Set(
      HONEST.flatMap(({ orders }) => orders.map(({ order }) => order.billingAddress.country)),
    );
    expect(DOCUMENT).toContain(
      `${HONEST.length} groups of honest people and ${FRAUD.length} of thieves who imitate them, in ${countries.size} countries`,
    );
    const names = [...HONEST, ...FRAUD].map(({ what }) => what);
    expect(new Set(names).size).toBe(names.length);
  });

  it("finds none of their orders high, even if everybody is new", () => {
    const worse = [...listAnswers(HONEST), ...listAnswers(NEW)].filter(
      ({ riskLevel }) => riskLevel === "high" || riskLevel === "critical",
    );

    expect(worse).toEqual([]);
  });

  it.each(["registry", "club", "teacher", "neighbors"])(
    "finds at most one in twenty orders of a %s not low",
    (circle) => {
      const answers = listAnswers(HONEST, circle);

      expect(answers.filter((answer) => !isLow(answer)).length).toBeLessThanOrEqual(0.05 * answers.length);
    },
  );

  it.each(CIRCLES)("finds as many as docs/evaluation.md says: %s", (circle) => {
    const [, honest, , all, , fraud] = STATED.get(circle) ?? [];

    expect(toCell(listAnswers(HONEST, circle))).toBe(honest);
    expect(toCell(listAnswers(NEW, circle))).toBe(all);
    expect(toCell(listAnswers(FRAUD, circle))).toBe(fraud);
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DIMENSIONS, FIRSTS, ODD, PLAIN, toGroups } from "./groups.ts";
import { HOMELANDS } from "./legitimate/legitimate-orders.ts";

const DOCUMENT = readFileSync("docs/evaluation.md", "utf8");
/** The table's worst groups: dimension, group and percent. */
const STATED = [
  ...DOCUMENT.matchAll(
    /^\| (country|script|provider|currency|time of day|account age) \| ([^|]+) \| (\d+\.\d\d) % \|/gm,
  ),
].map(([, dimension = "", name = "", percent = ""]) => ({ dimension, name, percent: Number(percent) }));

describe("createLocalEngine on honest customers", () => {
  it("is tested with thirty countries or more, on every continent", () => {
    expect(HOMELANDS.length).toBeGreaterThanOrEqual(30);
    expect(new Set(HOMELANDS.map(({ code }) => code)).size).toBe(HOMELANDS.length);
  });

  it("finds at least 97 of 100 ordinary orders low, and is no harder on one country than on others", () => {
    const alarms = toGroups(ODD, ({ home }) => home.code);
    const average = alarms.reduce((sum, { share }) => sum + share, 0) / alarms.length;

    expect(alarms).toHaveLength(HOMELANDS.length);
    expect(average).toBeLessThanOrEqual(0.03);
    expect(alarms.filter(({ share }) => share > 3 * average)).toEqual([]);
  });

  it("never finds an ordinary order critical", () => {
    expect(ODD.filter(({ riskLevel }) => riskLevel === "critical")).toEqual([]);
  });
});

describe("the worst-treated groups of honest customers", () => {
  it.each(Object.entries(DIMENSIONS))(
    "are no worse than docs/evaluation.md says, by %s",
    (dimension, toKey) => {
      const stated = STATED.filter((row) => row.dimension === dimension);
      const worst = toGroups(ODD, toKey)[0];

      expect(stated.length).toBeGreaterThan(0);
      expect(Math.round(10_000 * (worst?.share ?? 1)) / 100).toBeLessThanOrEqual(
        Math.max(...stated.map(({ percent }) => percent)),
      );
    },
  );

  it.each(Object.entries(DIMENSIONS))(
    "have at most two alarms in a thousand at home, by %s",
    (_dimension, toKey) => {
      const groups = toGroups(PLAIN, toKey);

      expect(groups.length).toBeGreaterThan(1);
      expect(groups.filter(({ share }) => share > 0.002)).toEqual([]);
    },
  );

  it("have at most 6 % alarms on a first order of 420 USD from an account two days old, in every script", () => {
    const groups = toGroups(FIRSTS, DIMENSIONS["script"] ?? (() => ""), 20);

    expect(groups.length).toBeGreaterThanOrEqual(6);
    expect(groups.filter(({ share }) => share > 0.06)).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../src/engine/engine.ts";
import { HOMELANDS, toLegitimateOrder } from "./legitimate/legitimate-orders.ts";

const engine = createLocalEngine();

/** The levels of 250 ordinary orders of each country. */
const LEVELS = new Map(
  HOMELANDS.map((home) => [
    home.code,
    Array.from({ length: 250 }, (_, number) => engine.assess(toLegitimateOrder(home, number)).riskLevel),
  ]),
);

describe("createLocalEngine on honest customers", () => {
  it("is asked about thirty countries or more, of every continent", () => {
    expect(HOMELANDS.length).toBeGreaterThanOrEqual(30);
    expect(new Set(HOMELANDS.map(({ code }) => code)).size).toBe(HOMELANDS.length);
  });

  it("finds at least 97 of 100 ordinary orders low, and is no harder on one country than on others", () => {
    const alarms = [...LEVELS].map(([code, levels]) => {
      const count = levels.filter((level) => level !== "low").length;
      return { code, share: count / levels.length };
    });
    const average = alarms.reduce((sum, { share }) => sum + share, 0) / alarms.length;

    expect(average).toBeLessThanOrEqual(0.03);
    expect(alarms.filter(({ share }) => share > 3 * average)).toEqual([]);
  });

  it("never finds an ordinary order critical", () => {
    expect([...LEVELS.values()].flat()).not.toContain("critical");
  });
});

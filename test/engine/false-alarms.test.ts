import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../src/engine/engine.ts";
import { HOMELANDS, toLegitimateOrder } from "./legitimate/legitimate-orders.ts";

const engine = createLocalEngine();

/** How many orders of each country are judged low, of the orders with the numbers up to `count`. */
function countAlarms(count: number): ReadonlyMap<string, number> {
  return new Map(
    HOMELANDS.map((home) => {
      let alarms = 0;
      for (let number = 0; number < count; number += 1) {
        if (engine.assess(toLegitimateOrder(home, number)).riskLevel !== "low") alarms += 1;
      }
      return [home.code, alarms];
    }),
  );
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

describe("createLocalEngine on honest customers", () => {
  it("is asked about thirty countries or more, of every continent", () => {
    expect(HOMELANDS.length).toBeGreaterThanOrEqual(30);
    expect(new Set(HOMELANDS.map(({ code }) => code)).size).toBe(HOMELANDS.length);
  });

  it("finds at least 97 of 100 ordinary orders low", () => {
    const each = Math.ceil(1_000 / HOMELANDS.length);

    expect(sum(countAlarms(each)) / (each * HOMELANDS.length)).toBeLessThanOrEqual(0.03);
  });

  it("is no harder on one country than on others", () => {
    const each = 500;
    const alarms = countAlarms(each);
    const average = sum(alarms) / HOMELANDS.length;

    expect([...alarms].filter(([, count]) => count > 3 * average)).toEqual([]);
    expect(average / each).toBeLessThanOrEqual(0.03);
  });

  it("never finds an ordinary order critical", () => {
    const levels = HOMELANDS.flatMap((home) =>
      Array.from({ length: 100 }, (_, number) => engine.assess(toLegitimateOrder(home, number)).riskLevel),
    );

    expect(levels).not.toContain("critical");
  });
});

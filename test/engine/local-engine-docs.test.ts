import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readFacts } from "../../src/engine/facts/order-facts.ts";
import { toPlainOrder } from "../../src/engine/facts/plain-order.ts";
import { ALL_GROUPS } from "../../src/engine/signals/all-signals.ts";
import { VELOCITY_SIGNALS } from "../../src/engine/signals/velocity.ts";
import { SAMPLE_FRAUD_RATE } from "../../eval/synthetic/published-lifts.ts";
import { FIRES } from "./signal-examples.ts";

const DOCUMENT = readFileSync("docs/local-engine.md", "utf8");
/** Group, code and points of each line of the document's table. */
const ROWS = [...DOCUMENT.matchAll(/^\| (\w+) \| `([A-Z0-9_]+)` \| ([-\d, ]+) \| \S/gm)].map(
  ([, group = "", code = "", points = ""]) => ({ group, code, points: points.split(", ").map(Number) }),
);

/** Lines of the table of samples. */
const MEASURED = [
  ...DOCUMENT.matchAll(
    /^\| `([A-Z0-9_]+)` \| (-?\d+) \| [^|]+ \| (\d+) \| (\d+) \| ([\d.]+) \(([\d.]+) to ([\d.]+)\) \| (-?[\d.]+) \| /gm,
  ),
].map(([, code = "", ...cells]) => {
  const [used = 0, orders = 0, frauds = 0, lift = 0, low = 0, high = 0, shrunk = 0] = cells.map(Number);
  return { code, used, orders, frauds, lift, low, high, shrunk };
});

function ascending(points: Iterable<number>): readonly number[] {
  return [...new Set(points)].toSorted((a, b) => Math.abs(a) - Math.abs(b));
}

const NOTHING = {};
const GIFT_CARD = {
  orderAmount: 10,
  currency: "USD",
  items: [{ name: "Gift card", quantity: 1, price: 10 }],
};

/** The points for counts of one to twenty. */
function listVelocityPoints(code: string): readonly number[] {
  const signal = VELOCITY_SIGNALS.signals.find((candidate) => candidate.code === code);
  return Array.from({ length: 20 }, (_, index) => {
    const count = index + 1;
    const share = { newcomers: count, known: 0, usual: 1 };
    const velocity = {
      emailOrders1h: count,
      ipEmails24h: count,
      cardEmails7d: count,
      addressEmails7d: count,
      emailCards24h: count,
      emailBillingPostcodes7d: count,
      cardBillingPostcodes7d: count,
      emailAddresses7d: count,
      emailNames7d: count,
      cardAddresses7d: count,
      addressCards7d: count,
      shop: {
        usualOrders: 900,
        usualKnown: 400,
        recentOrders: 25,
        percentile: 1,
        small: share,
        goods: share,
        bin: share,
        network: share,
      },
    };
    return [NOTHING, GIFT_CARD].map(
      (order) =>
        signal?.observe(readFacts(toPlainOrder(order), { sandbox: false, now: () => 0, velocity }))?.points ??
        0,
    );
  })
    .flat()
    .filter((points) => points !== 0);
}

/** Lines of the table of categories: the published lift, its points, and the points used. */
const CATEGORIES = [...DOCUMENT.matchAll(/ \| ([\d.]+) \| (\d+) \| (4|none) \|$/gm)].map((cells) =>
  cells.slice(1).map((cell) => (cell === "none" ? 0 : Number(cell))),
);

describe("docs/local-engine.md", () => {
  it("lists every signal with its group, in the engine's order", () => {
    const signals = ALL_GROUPS.flatMap((group) =>
      group.signals.map(({ code }) => ({ group: group.name, code })),
    );

    expect(ROWS.map(({ group, code }) => ({ group, code }))).toEqual(signals);
  });

  it("gives each signal its points", () => {
    const proved = ROWS.map(({ group, code }) => {
      if (group === "velocity") return { group, code, points: ascending(listVelocityPoints(code)) };
      // The document says in words that stale data counts half.
      const examples = FIRES.filter((row) => row[0] === code && !row[2].includes("half a year old"));
      return { group, code, points: ascending(examples.map((row) => row[1])) };
    });

    expect(ROWS).toEqual(proved);
  });

  it("counts a category for no more than its published figure", () => {
    expect(CATEGORIES).toHaveLength(5);
    for (const [lift = 0, full = 0, used] of CATEGORIES) {
      expect(full).toBe(Math.round(10 * Math.log2(lift)));
      expect(used).toBeLessThanOrEqual(full);
    }
  });

  it("gives each weight its sample and interval, or says that it has none", () => {
    const known = new Map(ROWS.map(({ code, points }) => [code, points]));
    const unmeasured = [...DOCUMENT.matchAll(/^\| (`[A-Z0-9_`, ]+`) \| [^|]+ \|$/gm)].flatMap(
      ([, codes = ""]) => codes.split(", ").map((code) => code.slice(1, -1)),
    );

    expect(MEASURED.length).toBeGreaterThan(25);
    for (const { code, used, orders, frauds, lift, low, high, shrunk } of MEASURED) {
      const seen = Math.max(0.5, orders * SAMPLE_FRAUD_RATE * lift);
      const told = seen / (orders * SAMPLE_FRAUD_RATE);
      const spread = Math.exp(1.96 / Math.sqrt(seen));
      const points = 10 * Math.log2(told) * (0.49 / (0.49 + 1 / seen));

      expect(known.get(code), code).toContain(used);
      expect(frauds, code).toBe(Math.round(orders * SAMPLE_FRAUD_RATE * lift));
      expect([low, high].map(Number), code).toEqual(
        [told / spread, told * spread].map((one) => Number(one.toFixed(2))),
      );
      expect(shrunk, code).toBeCloseTo(points, 0);
      // Nothing counts for more than its published figure, except for rounding.
      expect(Math.abs(used), code).toBeLessThanOrEqual(Math.abs(shrunk) + 1.5);
    }
    expect(new Set([...MEASURED.map(({ code }) => code), ...unmeasured])).toEqual(new Set(known.keys()));
  });
});

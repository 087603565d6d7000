import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { toOrderFacts } from "../../src/engine/order-facts.ts";
import { ALL_GROUPS } from "../../src/engine/signals/catalog.ts";
import { VELOCITY_SIGNALS } from "../../src/engine/signals/velocity.ts";
import { FIRES } from "./signal-examples.ts";

const DOCUMENT = readFileSync("docs/local-engine.md", "utf8");
/** Group, code and points of each line of the document's table. */
const ROWS = [...DOCUMENT.matchAll(/^\| (\w+) \| `([A-Z0-9_]+)` \| ([-\d, ]+) \| \S/gm)].map(
  ([, group = "", code = "", points = ""]) => ({ group, code, points: points.split(", ").map(Number) }),
);

function ascending(points: Iterable<number>): readonly number[] {
  return [...new Set(points)].toSorted((a, b) => Math.abs(a) - Math.abs(b));
}

/** The points that counts of one to twenty lead to. */
function listVelocityPoints(code: string): readonly number[] {
  const signal = VELOCITY_SIGNALS.signals.find((candidate) => candidate.code === code);
  return Array.from({ length: 20 }, (_, index) => {
    const count = index + 1;
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
    };
    return signal?.observe(toOrderFacts({}, { sandbox: false, now: () => 0, velocity }))?.points ?? 0;
  }).filter((points) => points !== 0);
}

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
});

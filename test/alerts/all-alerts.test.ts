import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ALL_ALERTS, findAlert } from "../../src/alerts/all-alerts.ts";
import { VERIFICATION_ALERTS } from "../../src/service/circuit-rules.ts";

describe("ALL_ALERTS", () => {
  it("has a text for every alert in docs/alerts.md, which lists those of the sources, and no others", () => {
    const document = readFileSync("docs/alerts.md", "utf8");
    const told = [...document.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1] ?? "");

    expect(Object.keys(ALL_ALERTS).toSorted()).toEqual(told.toSorted());
  });

  it("says in short sentences what happened, then what to do", () => {
    for (const [name, text] of Object.entries(ALL_ALERTS)) {
      expect(text, name).toMatch(/^[A-Z][^.]+\. [A-Z].+\.$/);
      expect(text.length, name).toBeLessThan(260);
    }
  });

  it("marks alerts as lasting if the sources log their end", () => {
    const lasting = Object.keys(ALL_ALERTS).filter((name) => findAlert(name)?.lasting);
    const { requestRefused: _, ...heldBack } = VERIFICATION_ALERTS;
    const sources = [...globSync("src/**/*.ts"), ...globSync("adapters/**/*.ts")]
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    const ended = [...sources.matchAll(/\bresolved: "([a-z_]+)"/g)].map((match) => match[1] ?? "");

    expect(lasting.toSorted()).toEqual([...new Set([...Object.values(heldBack), ...ended])].toSorted());
  });

  it("has nothing for an unknown name", () => {
    expect(findAlert("toString")).toBeUndefined();
    expect(findAlert("unheard_of")).toBeUndefined();
  });
});

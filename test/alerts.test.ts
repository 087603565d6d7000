import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { VERIFICATION_ALERTS } from "../src/service/circuit-rules.ts";

const SOURCES = [...globSync("src/**/*.ts"), ...globSync("adapters/**/*.ts")].map((file) => ({
  file,
  text: readFileSync(file, "utf8"),
}));

/** Every alert in the sources, `alert: VALUE` in an object or `alert = VALUE`, with its file. */
const WRITTEN = SOURCES.flatMap(({ file, text }) =>
  [...text.matchAll(/\balert(?:\??:| =) ([^,;}\n]+)/g)].map((match) => ({
    file,
    value: (match[1] ?? "").trim(),
  })),
);

/** Alerts about the verification service have their own names in the sources. */
function toName(value: string): string | undefined {
  const key = /^VERIFICATION_ALERTS\.(\w+)$/.exec(value)?.[1];
  if (key !== undefined) return VERIFICATION_ALERTS[key as keyof typeof VERIFICATION_ALERTS];
  return /^"([a-z_]+)"$/.exec(value)?.[1];
}

describe("alerts", () => {
  it("are in the table of docs/alerts.md, each once, and no others", () => {
    const document = readFileSync("docs/alerts.md", "utf8");
    const told = [...document.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1] ?? "");
    const used = new Set<string>([
      ...Object.values(VERIFICATION_ALERTS),
      ...WRITTEN.flatMap(({ value }) => toName(value) ?? []),
    ]);

    expect(told.toSorted()).toEqual([...used].toSorted());
    expect(used.size).toBeGreaterThan(15);
  });

  it("have names that the sources spell out, so that the table can't miss one", () => {
    const unnamed = WRITTEN.filter(({ value }) => toName(value) === undefined);
    const passedOn = /^(?:VerificationAlert\b.*|toHeldBackAlert\(.*|undefined)$/;

    expect(unnamed.filter(({ value }) => !passedOn.test(value))).toEqual([]);
  });

  it("about the verification service are all used", () => {
    const uses = SOURCES.map(({ text }) => text).join("\n");

    expect(
      Object.keys(VERIFICATION_ALERTS).filter((key) => !uses.includes(`VERIFICATION_ALERTS.${key}`)),
    ).toEqual([]);
  });
});

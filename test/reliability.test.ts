import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const PAGE = readFileSync("docs/reliability.md", "utf8");
const FILES = globSync("test/**/*.ts");
const SOURCES = FILES.map((file) => readFileSync(file, "utf8")).join("\n");

describe("docs/reliability.md", () => {
  it("names test files that exist", () => {
    const named = [...PAGE.matchAll(/`((?:test\/)?[\w/-]+\.test\.ts)`/g)].map((match) => match[1] ?? "");
    // Files without a folder are in `test/acceptance/`, as the page says.
    const missing = named.filter(
      (file) => !FILES.includes(file.startsWith("test/") ? file : `test/acceptance/${file}`),
    );

    expect(named.length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
  });

  it("quotes names of tests that exist", () => {
    const quotes = [...PAGE.matchAll(/\.ts` ("[^"|]+"(?:, "[^"|]+")*)/g)].map((match) => match[1] ?? "");
    const names = quotes.flatMap((quoted) =>
      [...quoted.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? ""),
    );
    // An ellipsis stands for a test's parameter.
    const missing = names.filter((name) => !name.split("…").every((part) => SOURCES.includes(part.trim())));

    expect(names.length).toBeGreaterThan(15);
    expect(missing).toEqual([]);
  });
});

import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const PAGE = readFileSync("docs/reliability.md", "utf8");
const FILES = globSync("test/**/*.ts");

describe("docs/reliability.md", () => {
  it("names test files that exist", () => {
    const named = [...PAGE.matchAll(/`((?:test\/)?[\w/-]+\.test\.ts)`/g)].map((match) => match[1] ?? "");
    // Files without a folder are in `test/acceptance/`, as the page says.
    const missing = named.filter(
      (file) => !FILES.includes(file.startsWith("test/") ? file : `test/acceptance/${file}`),
    );

    expect(named.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });
});

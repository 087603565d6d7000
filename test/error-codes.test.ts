import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ERROR_CODES } from "../src/base/errors.ts";

describe("ERROR_CODES", () => {
  it("are all used, and nothing else is thrown", () => {
    const sources = [...globSync("src/**/*.ts"), ...globSync("adapters/**/*.ts")]
      .filter((file) => file !== "src/base/errors.ts")
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");

    expect(ERROR_CODES.filter((code) => !sources.includes(`"${code}"`))).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { compileMessage, readSources } from "../../../scripts/compile-texts.ts";
import { LANGUAGES } from "../../../src/texts/languages.ts";
import { findText, t } from "../../../web/data/base/texts.ts";

describe("t", () => {
  it("returns a text", () => {
    expect(t("languages.language")).toBe("Language");
  });

  it("accepts only keys and placeholders that the catalogs have", () => {
    // @ts-expect-error: no such text.
    expect(t("languages.nothing")).toBe("languages.nothing");
    // @ts-expect-error: it has no placeholder.
    expect(t("languages.language", { name: "x" })).toBe("Language");
  });
});

describe("findText", () => {
  it("returns undefined for unknown codes", () => {
    expect(findText("problems", "INTERNAL")).toMatch(/Holdfast/);
    expect(findText("problems", "constructor")).toBeUndefined();
    expect(findText("problems", "FROM_THE_FUTURE")).toBeUndefined();
  });
});

describe("compileMessage", () => {
  it("leaves text without placeholders as it is", () => {
    expect(compileMessage("It’s done")).toBe("It’s done");
    expect(compileMessage("")).toBe("");
  });

  it("refuses a message that isn't complete", () => {
    expect(() => compileMessage("{count, plural, one {#}}")).toThrow();
    expect(() => compileMessage("{name")).toThrow();
  });
});

describe("the catalogs", () => {
  it("can be read in each language", () => {
    for (const language of Object.keys(LANGUAGES)) expect(readSources(language)).toHaveProperty("languages");
  });
});

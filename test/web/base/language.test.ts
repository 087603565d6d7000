import { describe, expect, it } from "vitest";
import { chooseLanguage, findLanguage, toLocale } from "../../../web/data/base/language.ts";

const NONE = { chosen: null, platform: null, browser: [] };

describe("chooseLanguage", () => {
  it.each([
    ["fr", { chosen: "fr", platform: "de", browser: ["ja"] }],
    ["de", { platform: "de", browser: ["ja"] }],
    ["ja", { browser: ["nl-NL", "ja-JP", "en"] }],
    ["ja", { chosen: "xx", platform: "tlh", browser: ["ja"] }],
    ["en", { chosen: 7 }],
    ["en", {}],
    ["en-XA", { chosen: "de", platform: "en-XA" }],
  ])("returns %s for %j", (language, hints) => {
    expect(chooseLanguage({ ...NONE, ...hints })).toBe(language);
  });
});

describe("findLanguage", () => {
  it.each([
    ["de-AT", "de"],
    ["PT", "pt-BR"],
    ["pt-PT", "pt-BR"],
    ["zh-Hans-SG", "zh-CN"],
    ["zh_CN", "zh-CN"],
    ["zh-TW", undefined],
    ["zh-Hant-HK", undefined],
    ["den", undefined],
    ["", undefined],
  ])("knows %s as %s", (tag, language) => {
    expect(findLanguage(tag)).toBe(language);
  });
});

describe("toLocale", () => {
  it("takes the region from the browser", () => {
    expect(toLocale("de", ["en-US", "de-AT"])).toBe("de-AT");
    expect(toLocale("en", ["en-GB"])).toBe("en-GB");
  });

  it("needs no browser that knows the language", () => {
    expect(toLocale("ja", ["en-US"])).toBe("ja");
    expect(toLocale("en", ["de"])).toBe("en-US");
  });
});

import { describe, expect, it } from "vitest";
import { cleanText, firstText, joinText } from "../../src/order/text.ts";

describe("cleanText", () => {
  it.each<[unknown, string]>([
    ["  Jane Example ", "Jane Example"],
    ["1 Street\r\nFloor 2", "1 Street Floor 2"],
    ["a\u0000b\u001b[0mc\u009f", "ab[0mc"],
    ["line\u2028break", "line break"],
    ["broken \ud83d end", "broken \ufffd end"],
    ["測試商品", "測試商品"],
    ["N", "N"],
    ["?", "?"],
  ])("reads %j as %j", (value, expected) => {
    expect(cleanText(value, 100)).toBe(expected);
  });

  it.each([
    undefined,
    null,
    "",
    " \t\n",
    "\u0000",
    "\u00a0",
    "\u200b\u200d\ufeff",
    "\u0301",
    5,
    true,
    {},
    ["text"],
  ])("finds nothing to read in %j", (value) => {
    expect(cleanText(value, 100)).toBeUndefined();
  });

  it("keeps the joiners inside a word", () => {
    expect(cleanText("👩\u200d🚀 می\u200cخواهم", 100)).toBe("👩\u200d🚀 می\u200cخواهم");
  });

  it("cuts on a character boundary", () => {
    expect(cleanText("abc🛒def", 4)).toBe("abc");
    expect(cleanText("abc🛒def", 5)).toBe("abc🛒");
  });

  it("removes the half character that a cut among control characters would leave", () => {
    const text = cleanText(`${"\u0000".repeat(5)}abcd🛒🛒`, 5);
    expect(text).toBe("abcd");
  });
});

describe("firstText", () => {
  it("returns the first text that isn't blank", () => {
    expect(firstText(10, null, "", " ", "\u200b", "one", "two")).toBe("one");
    expect(firstText(10, null, 1)).toBeUndefined();
  });
});

describe("joinText", () => {
  it("leaves blank parts out and cuts the whole", () => {
    expect(joinText(10, " ", "Jane", null, " ", "Example")).toBe("Jane Examp");
    expect(joinText(10, " ", "", undefined)).toBeUndefined();
  });
});

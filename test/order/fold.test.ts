import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldAddress, foldEmail, foldText, toDigits } from "../../src/order/fold.ts";

describe("foldText", () => {
  it.each([
    ["  Jane   EXAMPLE ", "jane example"],
    ["Jane\t\nExample", "jane example"],
    ["STRASSE", "strasse"],
    ["Straße", "strasse"],
    ["STRAẞE", "strasse"],
    ["Ｊａｎｅ", "jane"],
    ["Jose\u0301", "josé"],
    ["O'Brien", "o'brien"],
    ["李雷", "李雷"],
    ["", ""],
  ])("folds %j to %j", (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    );
  });
});

describe("foldAddress", () => {
  it.each([
    ["12, Main-Street #4", "12 main street 4"],
    ["  12.Main   street\u200B", "12 main street"],
    ["12–14 Rue de l’Église", "12 14 rue de l église"],
    ["N/A", "n a"],
    ["--", ""],
  ])("folds %j to %j", (text, folded) => {
    expect(foldAddress(text)).toBe(folded);
  });

  it("keeps every letter and digit apart", () => {
    expect(foldAddress("1-2 Main St")).not.toBe(foldAddress("12 Main St"));
    expect(foldAddress("Møllevej 1")).not.toBe(foldAddress("Mollevej 1"));
  });
});

describe("foldEmail", () => {
  it("ignores case, surrounding white space and the form of accents", () => {
    expect(foldEmail(" Jose\u0301@Example.COM\n")).toBe("josé@example.com");
  });
});

describe("toDigits", () => {
  it.each([
    ["+1 (555) 010-0199", "15550100199"],
    ["１２３", "123"],
    ["٠١٢", "٠١٢"],
    ["n/a", ""],
  ])("reads %j as %j", (phone, digits) => {
    expect(toDigits(phone)).toBe(digits);
  });
});

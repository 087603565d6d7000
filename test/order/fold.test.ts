import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldAddress, foldText, toDigits } from "../../src/order/text.ts";
import { isFlatAdded } from "../../src/order/flat-added.ts";
import { foldEmail, toMailbox } from "../../src/order/email-address.ts";
import { anyText } from "../support/any-text.ts";

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

  it("keeps all letters and digits distinct", () => {
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

describe("toMailbox", () => {
  it.each([
    ["Jane@Shop.Example", "jane@shop.example"],
    ["jane+coupon@shop.example", "jane@shop.example"],
    ["j.a.n.e+1@googlemail.com", "jane@gmail.com"],
    ["j.ane@shop.example", "j.ane@shop.example"],
    ["+1@shop.example", "+1@shop.example"],
    ["jane+a+b@shop.example", "jane@shop.example"],
    ["++1@shop.example", "+@shop.example"],
    ["jane@shop+1.example", "jane@shop+1.example"],
    // A pattern that searched for the end of the line from each plus sign would take forever and find nothing.
    [`jane${"+".repeat(200_000)}\n@shop.example`, "jane@shop.example"],
    ["no address", "no address"],
    ["", ""],
  ])("reads %s as %s", (written, mailbox) => {
    expect(toMailbox(written)).toBe(mailbox);
  });
});

describe("isFlatAdded", () => {
  it.each([
    ["1 Main Street, Flat 7"],
    ["Flat 7, 1 Main Street"],
    ["1 Main Street Apt. 4B"],
    ["1 Main Street, Apt #4"],
    ["1 Main Street #4"],
    ["1 main-street, UNIT B2"],
    ["1 Máin Street, Suite 400"],
    ["1 Main Street, Floor 7, Flat 12"],
  ])("finds a flat added in %s", (after) => {
    expect(isFlatAdded("1 Main Street", after)).toBe(true);
    expect(isFlatAdded(after, "1 Main Street")).toBe(false);
  });

  it.each([
    ["12-14 Oak Tree Lane", "12-14 Oak Tree Lane #4"],
    ["12b Main St.", "12b Main St. # 4"],
    ["1600 K St NW", "1600 K St NW #4"],
    ["20 Noviembre", "20 Noviembre, Apt 4"],
  ])("finds a flat added to %s in %s", (before, after) => {
    expect(isFlatAdded(before, after)).toBe(true);
  });

  it.each([
    ["another house", "1 Main Street", "2 Main Street, Flat 7"],
    ["another house whose number ends alike", "1 Main Street", "Flat 7, 11 Main Street"],
    ["a number without its word", "1 Main Street", "1 Main Street, 7"],
    ["a house number", "Main Street", "Main Street # 12"],
    ["two numbers", "Calle 100", "Calle 100 # 7-33"],
    ["another floor", "1 Main Street, Floor 3", "1 Main Street, Floor 7, Flat 12"],
    ["a flat behind a flat", "1 Main Street, Flat 7", "1 Main Street, Flat 7, Flat 8"],
    ["more than a floor and a flat", "1 Main Street", "1 Main Street, Unit 1, Floor 7, Flat 12"],
    ["a flat and more", "1 Main Street", "1 Main Street, Flat 7, c/o Freight Forwarding"],
    ["a flat on both sides", "1 Main Street", "Flat 7, 1 Main Street, Flat 8"],
    ["a word that begins like a flat", "1 Main Street", "1 Main Street, Flatbush 7"],
    ["the same street", "1 Main Street", "1 Main Street"],
    ["no street", "", "Flat 7"],
  ])("finds no flat added in %s", (_case, before, after) => {
    expect(isFlatAdded(before, after)).toBe(false);
  });

  it("never throws, and finds no removed flat", () => {
    const text = fc.oneof(
      anyText(),
      fc.string({ unit: fc.constantFrom("1", "12b", " ", ",", "/", "-", "#", "apt", "flat", "Main", "St") }),
    );
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(isFlatAdded(before, before)).toBe(false);
        expect(isFlatAdded(before, after) && isFlatAdded(after, before)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

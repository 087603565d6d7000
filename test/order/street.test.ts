import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSameStreet } from "../../src/order/street.ts";

describe("isSameStreet", () => {
  it.each([
    ["an abbreviation", "1 Main Street", "1 Main St."],
    ["case, accents and sharp s", "HAUPTSTRASSE 5", "Hauptstraße 5"],
    ["a letter too few", "1 Springfield Road", "1 Springfeld Road"],
    ["two letters swapped", "1 Main Street", "1 Mian Street"],
    ["the order of words", "Main Street 1", "1 Main Street"],
    ["another flat", "1 Main Street, Flat 3", "1 Main Street, Flat 4"],
    ["a flat added", "1 Main Street", "1 Main Street, Apt 4-B"],
    ["a flat before the street", "Flat 3, 10 High Street", "Flat 12, 10 High Street"],
    ["a flat without a comma", "1 Main St Apt 4B", "1 Main St #7"],
    ["a suite", "8345 Some St Suite 104233", "8345 Some St Suite 1"],
    ["a floor by number", "350 Fifth Avenue, Floor 3", "350 Fifth Avenue, 4th Floor"],
    ["a floor by name", "1 Main Street, ground floor", "1 Main Street, top floor"],
    ["a German floor", "Hauptstraße 5, 2. OG", "Hauptstr. 5"],
    ["a Spanish floor and door", "Calle Mayor 5, 3º B", "Calle Mayor 5, 4º A"],
    ["a French flat", "12, Rue de la Paix", "12 rue de la Paix, Appartement 4"],
    ["a Polish flat", "Marszałkowska 12/4", "Marszalkowska 12/5"],
    ["an Australian unit", "3/12 Main Street", "4/12 Main Street"],
    ["a Russian flat", "ул. Ленина 5, кв. 7", "ул. Ленина 5, кв. 8"],
    ["the letter of a house", "Hauptstrasse 12 b", "Hauptstraße 12"],
    ["a second line", "1 Main Street, c/o Jane Example", "1 Main Street, Ring the bell twice"],
    ["a building of a compound", "1 Main Street, Building 5", "1 Main Street"],
  ])("sees the same building behind %s", (_case, before, after) => {
    expect(isSameStreet(before, after)).toBe(true);
    expect(isSameStreet(after, before)).toBe(true);
  });

  it.each([
    ["another number", "1 Main Street", "2 Main Street"],
    ["another street", "1 Main Street", "1 Mill Street"],
    ["a street that differs in its first letter", "1 Hill Road", "1 Mill Road"],
    ["a short name", "5 Oak Lane", "5 Elm Lane"],
    ["a longer name", "10 Oak Street", "10 Oakland Street"],
    ["a point of the compass", "12 North Street", "12 South Street"],
    ["a street named by a letter", "12 B Street", "12 C Street"],
    ["a number in a line of its own", "12, Rue de la Paix", "12, Avenue Foch"],
    ["another house behind the same flat", "Flat 3, 10 High Street", "Flat 3, 99 Other Road"],
    ["another house behind the same unit", "3/12 Main Street", "3/99 Main Street"],
    ["a second line that leads elsewhere", "1 Main Street", "1 Main Street, 99 Other Road"],
    ["another post box", "P.O. Box 12", "PO Box 13"],
    ["a house without a number", "Rose Cottage, Mill Lane", "Ivy Cottage, Mill Lane"],
    ["a script without letters", "中山路1号", "中山路2号"],
    ["no street left", "1 Main Street", "Flat 3"],
  ])("sees another building behind %s", (_case, before, after) => {
    expect(isSameStreet(before, after)).toBe(false);
    expect(isSameStreet(after, before)).toBe(false);
  });

  it("never throws, says the same both ways, and finds every street like itself", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom("1", "12b", " ", ",", "/", "-", "#", "apt", "floor", "Main", "St") }),
    );
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(isSameStreet(before, before)).toBe(true);
        expect(isSameStreet(before, after)).toBe(isSameStreet(after, before));
      }),
      { numRuns: 1_000 },
    );
  });
});

import { describe, expect, it } from "vitest";
import { suggestCountries, toCountryEntry } from "../../../web/data/base/country-names.ts";

describe("toCountryEntry", () => {
  it.each([
    ["Germany", "DE"],
    [" germany ", "DE"],
    ["Côte d’Ivoire", "CI"],
    ["de", "DE"],
    ["United Kingdom", "GB"],
    ["germ", "DE"],
    ["united", "united"],
    ["Atlantis", "Atlantis"],
    // A union, not a country.
    ["European Union", "European Union"],
  ])("understands %s as %s", (text, entry) => {
    expect(toCountryEntry(text)).toBe(entry);
  });
});

describe("suggestCountries", () => {
  it("names countries that begin like the text, each once", () => {
    expect(suggestCountries("ger")).toEqual(["Germany"]);
    expect(suggestCountries("united k")).toEqual(["United Kingdom"]);
    expect(suggestCountries("")).toEqual([]);
  });
});

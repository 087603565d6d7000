import { describe, expect, it } from "vitest";
import { handSearch, isOrderNumber, takeSearch } from "../../../web/data/shell/search.ts";

describe("isOrderNumber", () => {
  it.each([
    ["#1001", true],
    ["1001", true],
    ["EN-2003.1", true],
    ["6712345678901", true],
    ["Jane", false],
    ["Jane Doe 2", false],
    ["jane@shop.example", false],
    ["李", false],
    ["", false],
  ])("decides whether %s goes into the address: %s", (text, isIn) => {
    expect(isOrderNumber(text)).toBe(isIn);
  });
});

describe("handSearch", () => {
  it("passes a search to the next list only", () => {
    handSearch("Jane");
    expect([takeSearch(), takeSearch()]).toEqual(["Jane", ""]);
  });
});

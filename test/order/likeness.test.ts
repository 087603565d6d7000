import { describe, expect, it } from "vitest";
import { isSameCountry, isSameName, isSamePostalCode, isSameTown } from "../../src/order/likeness.ts";

describe("isSameName", () => {
  it.each([
    ["Jane Example", "EXAMPLE, Jane", true],
    ["Jane Example", "Jane M. Example", true],
    ["Jane Example", "Jane Example-Sample", true],
    ["Jane Exampel", "Jane Example", true],
    ["J. Example", "Jane Example", true],
    ["José Ejemplo", "Jose Ejemplo", true],
    ["Jane Example", "John Example", false],
    ["Jane Example", "Jane Sample", false],
    ["Jane Example", "Robert Sample", false],
    ["Jane", "Jane Example", false],
    ["山田太郎", "山田次郎", false],
    ["", "Jane Example", false],
  ])("of %j and %j says %s", (before, after, same) => {
    expect(isSameName(before, after)).toBe(same);
    expect(isSameName(after, before)).toBe(same);
  });
});

describe("isSameTown", () => {
  it.each([
    ["St. Louis", "Saint Louis", true],
    ["München", "MUNCHEN", true],
    ["Springfeld", "Springfield", true],
    ["Springfield", "Shelbyville", false],
    ["東京", "京都", false],
  ])("of %j and %j says %s", (before, after, same) => {
    expect(isSameTown(before, after)).toBe(same);
  });
});

describe("isSamePostalCode", () => {
  it.each([
    ["10118", "10118-1234", true],
    ["SW1A 1AA", "sw1a1aa", true],
    ["01002-020", "01002020", true],
    ["10118", "10119", false],
    ["10118-1234", "10119-1234", false],
  ])("of %j and %j says %s", (before, after, same) => {
    expect(isSamePostalCode(before, after)).toBe(same);
  });
});

describe("isSameCountry", () => {
  it.each([
    ["US", "us", true],
    ["NL", "Nederland", true],
    ["Germany", "DE", true],
    ["US", "CA", false],
    ["US", "Canada", false],
    ["ZZ", "QQ", false],
    ["", "US", false],
  ])("of %j and %j says %s", (before, after, same) => {
    expect(isSameCountry(before, after)).toBe(same);
  });
});

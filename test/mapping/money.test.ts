import { describe, expect, it } from "vitest";
import { toMajorUnits } from "../../src/mapping.ts";

describe("toMajorUnits", () => {
  it.each([
    [1999, "USD", 19.99],
    [1999, "jpy", 1999],
    [1999, "KWD", 1.999],
    [199_900, "HUF", 1999],
    [5, "EUR", 0.05],
    [0, "EUR", 0],
    [-250, "EUR", -2.5],
    [123_456n, "CLF", 12.3456],
    [1999, "XYZ", 19.99],
    [1999, 0, 1999],
    [1999, 4, 0.1999],
  ])("writes %s of %s as %s", (amount, currency, expected) => {
    expect(toMajorUnits(amount, currency)).toBe(expected);
  });

  it.each([
    [19.99, "USD", "amount"],
    [NaN, "USD", "amount"],
    [1999, "US", "currency"],
    [1999, "", "currency"],
    [1999, -1, "currency"],
    [1999, 1.5, "currency"],
    [1999, undefined as never, "currency"],
    ["1999" as never, "USD", "amount"],
  ])("refuses %s of %s", (amount, currency, path) => {
    expect(() => toMajorUnits(amount, currency)).toThrow(
      expect.objectContaining({ code: "ORDER_INVALID", fields: [expect.objectContaining({ path })] }),
    );
  });
});

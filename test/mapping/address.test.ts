import { describe, expect, it } from "vitest";
import { toAddress } from "../../src/mapping.ts";

const PARTS = { street: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" };

describe("toAddress", () => {
  it("keeps a whole address", () => {
    expect(toAddress(PARTS)).toEqual(PARTS);
  });

  it.each([
    ["us", "US-TX", "US", "TX"],
    ["GB", "GB-", "GB", "GB-"],
    ["DE", "US-TX", "DE", "US-TX"],
    ["United States", "Texas", "United States", "Texas"],
    ["hk", null, "HK", "N/A"],
  ])("writes country %j with state %j", (country, state, expectedCountry, expectedState) => {
    expect(toAddress({ ...PARTS, country, state })).toMatchObject({
      country: expectedCountry,
      state: expectedState,
    });
  });

  it("joins the lines of a street and skips blank ones", () => {
    expect(toAddress({ ...PARTS, street: ["1 Main St", null, " ", "Flat 2"] })?.street).toBe(
      "1 Main St, Flat 2",
    );
  });

  it("fills what is missing, and cuts what is too long", () => {
    expect(toAddress({ country: "US", postalCode: "78701" })).toEqual({
      street: "N/A",
      city: "N/A",
      state: "N/A",
      postalCode: "78701",
      country: "US",
    });
    expect(toAddress({ ...PARTS, city: "x".repeat(500) })?.city).toHaveLength(100);
  });

  it.each([
    [{}],
    [{ ...PARTS, country: "" }],
    [{ country: "US", state: "TX" }],
    [{ ...PARTS, country: { code: "US" } }],
  ])("finds no address in %j", (parts) => {
    expect(toAddress(parts)).toBeUndefined();
  });
});

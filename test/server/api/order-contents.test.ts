import { contentsJson, toContentsJson } from "../../../src/server/api/orders/order-contents.ts";
import { explainAvs, explainCvv, toSigns } from "../../../src/server/api/orders/order-signs.ts";
import { describe, expect, it } from "vitest";
import { STAND_INS } from "../../support/stand-ins.ts";
import { mapped as aMapped } from "../../store/samples.ts";

describe("an order's content", () => {
  it("leaves out placeholders for unknown data", () => {
    const mapped = { ...aMapped(), standIns: ["billingAddress", "shippingAddress.state"] as const };

    const contents = toContentsJson(mapped);

    expect(contents).not.toHaveProperty("billingAddress.street");
    expect(contents).not.toHaveProperty("shippingAddress.state");
    expect(contents).toHaveProperty("shippingAddress.street");
    expect(contents?.countries.billing).toBeUndefined();
  });

  it("is empty if everything is a placeholder", () => {
    const contents = toContentsJson({ ...aMapped(), standIns: STAND_INS });

    expect(contents?.buyer.name).toBeUndefined();
    expect(contents?.shippingAddress).toBeUndefined();
  });

  it("matches its description, even for an order that can't be checked, and is gone after an erasure", () => {
    const known = {
      customerEmail: "no address",
      ipAddress: "10.0.0.1",
      shippingAddress: { country: "Germany" },
    };
    const mapped = { outcome: "unscreenable", reason: "NO_EMAIL", known, test: false } as const;

    const contents = toContentsJson(mapped);

    expect(contentsJson.parse(contents)).toEqual(contents);
    expect(contents?.countries).toEqual({ ip: undefined, shipping: "DE", billing: undefined });
    expect(toContentsJson(null)).toBeNull();
  });
});

describe("an order's signs", () => {
  const HOME = { street: "1 Main Street", city: "Reno", country: "US" };
  const contents = {
    shippingAddress: HOME,
    billingAddress: HOME,
    countries: { shipping: "US", billing: "US" },
  };
  const signs = (changes: object, context = {}) =>
    toSigns({ ...contents, ...changes }, context).map(({ kind, meaning, detail }) =>
      `${kind} ${meaning} ${detail}`.trim(),
    );

  it.each([
    ["N", "M", "avs bad N", "cvv good M"],
    ["y", "n", "avs good Y", "cvv bad N"],
    ["A", "P", "avs warn A", "cvv neutral P"],
    ["U", "S", "avs neutral U", "cvv warn S"],
  ])("judge the bank's checks %s and %s", (avs, cvv, ...expected) => {
    expect(signs({}, { avs, cvv })).toEqual([...expected, "addresses good"]);
  });

  it("leave out what nobody knows", () => {
    expect(toSigns({ countries: {} }, { avs: "1", cvv: "constructor" })).toEqual([]);
    expect(signs({ countries: { ip: "US" } })).toEqual(["addresses good"]);
  });

  it.each([
    ["tor", "bad"],
    ["vpn", "warn"],
    ["hosting", "warn"],
    ["shared", "neutral"],
  ] as const)("judge the network %s: %s", (network, meaning) => {
    expect(signs({ ip: { network } })).toContain(`network ${meaning} ${network}`);
  });

  it.each([
    ["US", "US", "US", ["ip-country good US", "addresses good"]],
    ["VN", "US", "US", ["ip-country warn VN", "addresses good"]],
    ["SG", "DE", "SG", ["ip-country good SG", "addresses warn"]],
  ])("compare the countries %s, %s, %s", (ip, shipping, billing, expected) => {
    expect(signs({ countries: { ip, shipping, billing } })).toEqual(expected);
  });

  it("take another address in the same country for a gift", () => {
    expect(signs({ shippingAddress: { ...HOME, street: "2 Main Street" } })).toEqual(["addresses neutral"]);
  });
});

it("puts payment result codes into words, and keeps unknown ones", () => {
  expect(explainAvs("n")).toBe("neither street nor postal code matches (N)");
  expect(explainCvv("M")).toBe("matches (M)");
  expect(explainAvs("1")).toBe("code 1");
  expect(explainCvv("constructor")).toBe("code constructor");
});

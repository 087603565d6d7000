import {
  explainAvs,
  explainCvv,
  contentsJson,
  toContentsJson,
} from "../../../src/server/api/order-contents.ts";
import { describe, expect, it } from "vitest";
import { STAND_INS } from "../../support/stand-ins.ts";
import { mapped as aMapped } from "../../store/samples.ts";

describe("what an order says", () => {
  it("leaves out what only stands in for what nobody knows", () => {
    const mapped = { ...aMapped(), standIns: ["billingAddress", "shippingAddress.state"] as const };

    const contents = toContentsJson(mapped);

    expect(contents).not.toHaveProperty("billingAddress.street");
    expect(contents).not.toHaveProperty("shippingAddress.state");
    expect(contents).toHaveProperty("shippingAddress.street");
    expect(contents?.countries.billing).toBeUndefined();
  });

  it("is made of nothing else when all of it stands in", () => {
    const contents = toContentsJson({ ...aMapped(), standIns: STAND_INS });

    expect(contents?.buyer.name).toBeUndefined();
    expect(contents?.shippingAddress).toBeUndefined();
  });

  it("is as described, for an order that can't be checked too, and gone once it is erased", () => {
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

it("puts payment result codes into words, and keeps those it doesn't know", () => {
  expect(explainAvs("n")).toBe("neither street nor postal code matches (N)");
  expect(explainCvv("M")).toBe("matches (M)");
  expect(explainAvs("1")).toBe("code 1");
  expect(explainCvv("constructor")).toBe("code constructor");
});

import {
  explainAvs,
  explainCvv,
  contentsJson,
  toContentsJson,
} from "../../../src/server/api/orders/order-contents.ts";
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

it("puts payment result codes into words, and keeps unknown ones", () => {
  expect(explainAvs("n")).toBe("neither street nor postal code matches (N)");
  expect(explainCvv("M")).toBe("matches (M)");
  expect(explainAvs("1")).toBe("code 1");
  expect(explainCvv("constructor")).toBe("code constructor");
});

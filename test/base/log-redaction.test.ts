import { inspect } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import { REDACTED, toLogFields } from "../../src/base/log-redaction.ts";
import { Secret } from "../../src/base/secret.ts";

const SECRET_KEYS = [
  "authorization",
  "Authorization",
  "cookie",
  "Set-Cookie",
  "x-api-key",
  "X-Shopify-Access-Token",
  "x-shopify-hmac-sha256",
  "accessToken",
  "access_token",
  "refresh_token",
  "id_token",
  "sessionToken",
  "password",
  "clientSecret",
  "SHOPIFY_API_SECRET",
  "DATA_KEY",
  "email",
  "customerEmail",
  "customer_name",
  "phone",
  "customerPhone",
  "name",
  "first_name",
  "holderName",
  "shippingAddress",
  "billing_address",
  "address1",
  "ipAddress",
  "ip",
  "x-forwarded-for",
  "userAgent",
  "zip",
  "postalCode",
  "body",
  "payload",
  "request",
  "result",
  "reasoning",
  "note",
];

/** `value` inside `depth` levels of objects and lists. */
function nest(value: unknown, depth: number): Record<string, unknown> {
  let nested: unknown = value;
  for (let level = 0; level < depth; level += 1) nested = level % 2 === 0 ? { inner: nested } : [nested];
  return { outer: nested };
}

describe("toLogFields", () => {
  it("writes reasons without rule names, which a merchant may have taken from a customer", () => {
    const reasons = ["rule:block jane@example.com", "level:low", "degraded:VERIFICATION_REFUSED"];
    const told = ["rule", "level:low", "degraded:VERIFICATION_REFUSED"];

    expect(toLogFields({ reasons })).toEqual({ reasons: told });
    expect(toLogFields({ decision: { reasons } })).toEqual({ decision: { reasons: told } });
    expect(toLogFields({ reasons: 3 })).toEqual({ reasons: 3 });
    expect(toLogFields({ reasons: ["a", 1] })).toEqual({ reasons: ["a", 1] });
  });

  it("redacts secrets and personal data at any depth", () => {
    for (const key of SECRET_KEYS) {
      for (const depth of [0, 1, 3, 20])
        expect(JSON.stringify(toLogFields(nest({ [key]: "jane" }, depth))), key).not.toContain("jane");
      expect(toLogFields({ [key]: "jane" })).toEqual({ [key]: REDACTED });
      expect(toLogFields({ [key]: { street: "jane" } })).toEqual({ [key]: REDACTED });
      expect(toLogFields({ [key]: 17 })).toEqual({ [key]: REDACTED });
    }
  });

  it("keeps operational fields", () => {
    const fields = {
      orderId: "1",
      platform: "shopify",
      state: "waiting",
      code: "STORE_UNAVAILABLE",
      attempts: 2,
      topic: "orders/create",
      errorId: "e",
      action: "hold",
      hasToken: true,
      email: null,
    };
    expect(toLogFields(fields)).toEqual(fields);
  });

  it("shows no byte of a buffer and no path of an address", () => {
    expect(
      toLogFields({
        data: Buffer.from("jane"),
        bytes: new Uint8Array(3),
        raw: new ArrayBuffer(2),
        url: new URL("https://user:pass@a.example/jane?token=1"),
      }),
    ).toEqual({ data: "[4 bytes]", bytes: "[3 bytes]", raw: "[2 bytes]", url: "https://a.example" });
  });

  it("uses the values' own serialization", () => {
    const logged = toLogFields({
      at: new Date(0),
      hidden: new Secret("jane"),
      custom: { toJSON: () => ({ email: "jane" }) },
    });
    expect(logged).toEqual({
      at: "1970-01-01T00:00:00.000Z",
      hidden: "[secret]",
      custom: { email: REDACTED },
    });
  });

  it("survives values whose serialization fails", () => {
    const circular: Record<string, unknown> = { id: 1 };
    circular["self"] = circular;
    const hostile = {
      get trap(): string {
        throw new Error("jane");
      },
      json: {
        toJSON() {
          throw new Error("jane");
        },
      },
    };
    const forged = Object.assign(new Error("x"), { name: 7 });
    Object.defineProperty(forged, "stack", { value: 5 });

    const logged = toLogFields({ circular, hostile, forged, big: 1n, fn: () => 1, symbol: Symbol("jane") });

    expect(logged).toEqual({
      circular: { id: 1, self: "[circular]" },
      hostile: { trap: "[unreadable]", json: "[unreadable]" },
      forged: { type: "7", code: undefined, stack: undefined, cause: undefined },
      big: "1",
      fn: undefined,
      symbol: undefined,
    });
  });

  it("logs an object twice if it appears twice side by side", () => {
    const shared = { id: 1 };
    expect(toLogFields({ a: shared, b: [shared] })).toEqual({ a: { id: 1 }, b: [{ id: 1 }] });
  });

  it("cuts what is too long, too wide or too deep", () => {
    const logged = toLogFields({ text: "x".repeat(9_000), list: Array.from({ length: 900 }, () => 1) });
    expect(String(logged["text"]).length).toBeLessThan(2_100);
    expect(logged["list"]).toHaveLength(50);
    expect(JSON.stringify(toLogFields(nest("x", 50)))).toContain("[deep]");
  });

  it("doesn't change its input", () => {
    const fields = Object.freeze({ headers: Object.freeze({ cookie: "a" }), list: Object.freeze([1]) });
    const before = inspect(fields);
    toLogFields(fields);
    expect(inspect(fields)).toBe(before);
  });

  it("never throws and always returns something that serializes", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.anything({ withBigInt: true, withDate: true, withMap: true })),
        (fields) => {
          expect(() => JSON.stringify(toLogFields(fields))).not.toThrow();
        },
      ),
    );
  });
});

describe("toLogFields on errors", () => {
  it("drops messages of other errors, wherever V8 repeats them", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (word) => {
        const message = `"${word}" jane@example.com\n    at jane@example.com (file:///jane.ts:1:2)\n    at end`;
        const logged = JSON.stringify(
          toLogFields({ err: new Error(message), list: [new RangeError(message)] }),
        );
        expect(logged).not.toContain("jane");
        expect(logged).toContain("log-redaction.test.ts");
      }),
    );
  });

  it("drops a message that was changed after the stack was taken", () => {
    const error = new Error("jane@example.com is not valid");
    void error.stack;
    error.message = "other";
    expect(JSON.stringify(toLogFields({ err: error }))).not.toContain("jane");
  });

  it("drops every other field of an error", () => {
    const error = Object.assign(new Error("x"), {
      detail: "Key (email)=(jane)",
      errno: -111,
      code: "ECONNREFUSED",
    });
    expect(toLogFields({ err: error })["err"]).toEqual({
      type: "Error",
      code: "ECONNREFUSED",
      stack: expect.any(String),
      cause: undefined,
    });
  });

  it("drops a code or name that is a sentence", () => {
    const error = Object.assign(new Error("x"), { code: "order of jane failed", name: "Jane's error" });
    expect(toLogFields({ err: error })["err"]).toMatchObject({ type: "Error", code: undefined });
  });

  it("follows causes, but only errors", () => {
    const inner = new Error("jane", { cause: "jane" });
    expect(toLogFields({ err: new Error("jane", { cause: inner }) })["err"]).toMatchObject({
      cause: { type: "Error", cause: "[string]" },
    });
    const circular = new Error("jane");
    circular.cause = circular;
    expect(toLogFields({ err: circular })["err"]).toMatchObject({ cause: "[circular]" });
  });

  it("includes the names of invalid fields in our own errors", () => {
    const error = new HoldfastError("ORDER_INVALID", "the order can't be verified: customerEmail", {
      retryable: false,
      metered: "no",
      fields: [{ path: "customerEmail", message: "expected an email address" }],
    });
    expect(toLogFields({ err: error })["err"]).toMatchObject({
      message: "the order can't be verified: customerEmail",
      fields: ["customerEmail"],
      metered: "no",
    });
  });
});

import { describe, expect, it } from "vitest";
import {
  definedOnly,
  parseJsonObject,
  parseJsonObjectExactly,
  parseOrderPayload,
  readId,
  toDecimal,
  toGlobalIdDigits,
  toIdDigits,
  toJsonObject,
  toJsonObjects,
} from "../../../../adapters/shopify/base/payload.ts";

const HUGE = "820982911946154508";

describe("parseJsonObject", () => {
  it.each(["", "null", "[1]", "1", "{", "\u0000", '{"a":'])("returns null for %j", (text) => {
    expect(parseJsonObject(Buffer.from(text))).toBeNull();
    expect(parseJsonObjectExactly(Buffer.from(text))).toBeNull();
  });

  it("survives nesting that exhausts a recursive reader", () => {
    const deep = Buffer.from(`{"a":${"[".repeat(500_000)}${"]".repeat(500_000)}}`);

    expect(parseJsonObject(deep)).not.toBeNull();
    expect(parseJsonObjectExactly(deep)).toBeNull();
  });
});

describe("parseJsonObjectExactly", () => {
  it("keeps the text of every number and leaves the rest alone", () => {
    const body = `{"id":${HUGE},"list":[${HUGE},1.50],"e":-1e3,"flag":true,"none":null,"text":"1"}`;

    expect(parseJsonObjectExactly(Buffer.from(body))).toEqual({
      id: HUGE,
      list: [HUGE, "1.50"],
      e: "-1e3",
      flag: true,
      none: null,
      text: "1",
    });
  });

  it("doesn't let a body change its own prototype", () => {
    const payload = parseJsonObjectExactly(Buffer.from('{"__proto__":{"email":"jane@example.com"}}'));

    expect(payload?.["email"]).toBeUndefined();
  });
});

describe("parseOrderPayload", () => {
  it("reads ids beyond 2^53 that only exist as numbers", () => {
    const payload = parseOrderPayload(Buffer.from(`{"id":${HUGE},"customer":{"id":${HUGE}}}`));

    expect(payload).toEqual({ id: HUGE, customer: { id: HUGE } });
  });

  it("uses the fast path when both ids are global ids", () => {
    const payload = parseOrderPayload(
      Buffer.from(
        '{"id":1,"admin_graphql_api_id":"gid://shopify/Order/1","customer":{"id":2,"admin_graphql_api_id":"gid://shopify/Customer/2"}}',
      ),
    );

    expect(payload?.["id"]).toBe(1);
  });

  it("still reads an order that is nested too deeply for the exact path", () => {
    const deep = `${"[".repeat(500_000)}${"]".repeat(500_000)}`;
    const body = `{"admin_graphql_api_id":"gid://shopify/Order/7","customer":{"id":2},"note_attributes":${deep}}`;

    const payload = parseOrderPayload(Buffer.from(body));

    expect(payload === null ? null : readId(payload, "Order")).toBe("7");
  });
});

describe("readId", () => {
  it("prefers the global id to the number beside it", () => {
    expect(
      readId({ id: "8209829119461544", admin_graphql_api_id: `gid://shopify/Order/${HUGE}` }, "Order"),
    ).toBe(HUGE);
  });

  it("uses the number's text when the global ID is invalid", () => {
    expect(readId({ id: "123", admin_graphql_api_id: "https://www.example.com/" }, "Order")).toBe("123");
  });

  it("refuses another type's global id", () => {
    expect(readId({ admin_graphql_api_id: "gid://shopify/Customer/1" }, "Order")).toBeUndefined();
  });

  it.each([123, 820982911946154500, "", "0", "-1", "1.0", "1e3", "12a", " 12", "9".repeat(33), null, {}, []])(
    "reads no id from %j",
    (id) => {
      expect(readId({ id }, "Order")).toBeUndefined();
    },
  );
});

describe("toGlobalIdDigits", () => {
  it.each([
    "gid://shopify/Order/",
    "gid://shopify/Order/1/2",
    "gid://other/Order/1",
    "Order/1",
    "gid://shopify/Order/1\n",
  ])("refuses %j", (value) => {
    expect(toGlobalIdDigits(value, "Order")).toBeUndefined();
    expect(toIdDigits(value, "Order")).toBeUndefined();
  });
});

describe("toDecimal", () => {
  it.each([
    ["403.00", 403],
    ["0", 0],
    ["-5.25", -5.25],
    [" 12.5 ", 12.5],
    [7.25, 7.25],
    ["1e2", 100],
  ])("reads %j", (value, expected) => {
    expect(toDecimal(value)).toBe(expected);
  });

  it.each([
    "",
    " ",
    "NaN",
    "Infinity",
    "1e999",
    "1,299.00",
    "$5",
    "0x10",
    "1.",
    ".5",
    "+1",
    "1".repeat(65),
    NaN,
    Infinity,
    null,
    undefined,
    true,
    [],
    {},
    ["5"],
  ])("reads no number from %j", (value) => {
    expect(toDecimal(value)).toBeUndefined();
  });
});

describe("toJsonObject", () => {
  it.each([null, undefined, {}, [], [{ a: 1 }], "text", 1])("sees nothing in %j", (value) => {
    expect(toJsonObject(value)).toBeUndefined();
  });

  it("leaves everything but objects out of a list", () => {
    expect(toJsonObjects([{ a: 1 }, null, "x", [], 1])).toEqual([{ a: 1 }]);
    expect(toJsonObjects({ 0: { a: 1 } })).toEqual([]);
  });
});

describe("definedOnly", () => {
  it("leaves out only undefined", () => {
    expect(Object.entries(definedOnly({ a: undefined, b: null, c: 0, d: "" }))).toEqual([
      ["b", null],
      ["c", 0],
      ["d", ""],
    ]);
  });
});

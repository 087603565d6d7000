import { describe, expect, it } from "vitest";
import { mergeShops, parseShops } from "../../../web/data/shell/shops.ts";

const A = { key: "a".repeat(16), tenant: "shopify:a.example", name: "a.example" };
const B = { key: "b".repeat(16), tenant: "shopify:b.example", name: "b.example" };

describe("parseShops", () => {
  it("reads what the page stored", () => {
    expect(parseShops(JSON.parse(JSON.stringify([A, B])))).toEqual([A, B]);
  });

  it.each([
    ["nothing", null],
    ["a text", "shops"],
    ["an object", { length: 3 }],
    ["entries of other shapes", [null, 1, [], {}, { key: 1, tenant: "x", name: "x" }, { ...A, name: "" }]],
  ])("reads no shop from %s", (_name, stored) => {
    expect(parseShops(stored)).toEqual([]);
  });

  it("reads no more than the server keeps", () => {
    expect(parseShops(Array.from({ length: 500 }, () => A))).toHaveLength(20);
  });
});

describe("mergeShops", () => {
  it("lists each shop once, in the order of use, and says which have a session", () => {
    expect(mergeShops([B, A], [A])).toEqual([
      { ...B, isSignedIn: false },
      { ...A, isSignedIn: true },
    ]);
    expect(mergeShops([], [A])).toEqual([{ ...A, isSignedIn: true }]);
  });

  it("believes the server rather than the browser's storage", () => {
    expect(mergeShops([{ ...A, name: "b.example", tenant: "x" }], [A, B])).toMatchObject([
      { key: A.key, name: "a.example" },
      { key: B.key, name: "b.example" },
    ]);
  });

  it("tells shops of the same name apart", () => {
    const other = { ...B, tenant: "vendure:a.example", name: "a.example" };
    expect(mergeShops([A, other], []).map(({ name }) => name)).toEqual([
      "shopify:a.example",
      "vendure:a.example",
    ]);
  });
});

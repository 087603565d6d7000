import { describe, expect, it } from "vitest";
import { toItems } from "../../../adapters/shopify/items.ts";

const LINE = { name: "Mug - Red", title: "Mug", quantity: 2, price: "19.90", sku: "MUG-R", product_id: 1 };

describe("toItems", () => {
  it("maps lines, equal ones too", () => {
    const item = { name: "Mug - Red", quantity: 2, price: 19.9, sku: "MUG-R" };
    expect(toItems({ line_items: [LINE, LINE] })).toStrictEqual([item, item]);
  });

  it.each<[string, object, object]>([
    ["no sku", { sku: null }, { name: "Mug - Red", quantity: 2, price: 19.9 }],
    ["an empty sku", { sku: "" }, { name: "Mug - Red", quantity: 2, price: 19.9 }],
    ["only a title", { name: "" }, { name: "Mug", quantity: 2, price: 19.9, sku: "MUG-R" }],
    [
      "nothing left after a refund",
      { current_quantity: 0 },
      { name: "Mug - Red", quantity: 2, price: 19.9, sku: "MUG-R" },
    ],
    [
      "a long name and sku",
      { name: "n".repeat(300), sku: "s".repeat(300) },
      { name: "n".repeat(255), quantity: 2, price: 19.9, sku: "s".repeat(100) },
    ],
    [
      "numbers as an exact parse gives them",
      { quantity: "3", price: "5" },
      { name: "Mug - Red", quantity: 3, price: 5, sku: "MUG-R" },
    ],
    ["a product called Tip", { title: "Tip" }, { name: "Mug - Red", quantity: 2, price: 19.9, sku: "MUG-R" }],
  ])("maps a line with %s", (_case, changes, expected) => {
    expect(toItems({ line_items: [{ ...LINE, ...changes }] })).toStrictEqual([expected]);
  });

  it.each<[string, unknown]>([
    ["that is free", { ...LINE, price: "0.00" }],
    ["with a negative price", { ...LINE, price: "-1" }],
    ["with an unreadable price", { ...LINE, price: "free" }],
    ["with quantity zero", { ...LINE, quantity: 0 }],
    ["with half a quantity", { ...LINE, quantity: 0.5 }],
    ["with an endless quantity", { ...LINE, quantity: 1e300 }],
    ["without a name", { ...LINE, name: null, title: " " }],
    ["that is a tip at the counter", { ...LINE, tip_payment_gateway: null }],
    ["that is a tip with its method", { ...LINE, tip_payment_method: "Visa" }],
    ["that is a tip at checkout", { ...LINE, name: "Tip", title: "Tip", product_id: null, variant_id: null }],
    ["that is no object", "line"],
    ["that is null", null],
  ])("leaves out a line %s", (_case, line) => {
    expect(toItems({ line_items: [line, LINE] })).toHaveLength(1);
    expect(toItems({ line_items: [line] })).toBeUndefined();
  });

  it.each([undefined, null, {}, "lines", []])("knows no lines from %j", (lines) => {
    expect(toItems({ line_items: lines })).toBeUndefined();
  });
});

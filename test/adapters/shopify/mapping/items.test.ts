import { describe, expect, it } from "vitest";
import { toItems } from "../../../../adapters/shopify/mapping/items.ts";

const LINE = { name: "Mug - Red", title: "Mug", quantity: 2, price: "19.90", sku: "MUG-R", product_id: 1 };

describe("toItems", () => {
  it("maps lines, even identical ones", () => {
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

  it.each<[string, string, object[]]>([
    ["in German", "5.00", [{ title: "Trinkgeld", price: "5.00" }]],
    ["in Japanese", "500", [{ title: "チップ", price: "500" }]],
    [
      "in two parts",
      "5.00",
      [
        { title: "Pourboire", price: "2.00" },
        { title: "Pourboire", price: "3.00" },
      ],
    ],
    [
      "after a part at the counter",
      "5.00",
      [
        { price: "2.00", tip: {} },
        { title: "Fooi", price: "3.00" },
      ],
    ],
  ])("leaves out a tip %s", (_case, total_tip_received, tips) => {
    const lines = tips.map((tip) => ({ name: "x", quantity: 1, product_id: null, variant_id: null, ...tip }));

    expect(toItems({ total_tip_received, line_items: [LINE, ...lines] })).toHaveLength(1);
  });

  it.each<[string, string | undefined, object]>([
    ["no tip was received", "0.00", {}],
    ["the received tip is unknown", undefined, {}],
    ["another amount was received", "3.00", {}],
    ["it is a product", "5.00", { product_id: 1 }],
    ["it is sent", "5.00", { requires_shipping: true }],
    ["it is a gift card", "5.00", { gift_card: true }],
  ])("keeps a line that costs as much as a tip when %s", (_case, total_tip_received, changes) => {
    const line = {
      name: "Engraving",
      quantity: 1,
      price: "5.00",
      product_id: null,
      variant_id: null,
      ...changes,
    };

    expect(toItems({ total_tip_received, line_items: [LINE, line] })).toHaveLength(2);
  });

  it("uses the last of two lines that could be the tip", () => {
    const line = { quantity: 1, price: "5.00", product_id: null };
    const line_items = [
      { ...line, name: "Engraving" },
      { ...line, name: "Trinkgeld" },
    ];

    expect(toItems({ total_tip_received: "5.00", line_items })).toMatchObject([{ name: "Engraving" }]);
  });

  it.each<[string, object, number | undefined]>([
    ["of the line and of the order", { discount_allocations: [{ amount: "3.80" }, { amount: "2.00" }] }, 17],
    ["that does not divide evenly", { quantity: 3, discount_allocations: [{ amount: "1.00" }] }, 19.5667],
    ["as old payloads have it", { total_discount: "1.80" }, 19],
    ["told twice", { discount_allocations: [{ amount: "1.80" }], total_discount: "1.80" }, 19],
    ["of nothing", { discount_allocations: [], total_discount: "0.00" }, 19.9],
    ["of all", { discount_allocations: [{ amount: "39.80" }] }, undefined],
    ["that cannot be read", { discount_allocations: [{ amount: "free" }, null] }, 19.9],
  ])("takes off a discount %s", (_case, changes, price) => {
    expect(toItems({ line_items: [{ ...LINE, ...changes }] })?.[0]?.price).toBe(price);
  });

  it.each([undefined, null, {}, "lines", []])("returns no lines for %j", (lines) => {
    expect(toItems({ line_items: lines })).toBeUndefined();
  });
});

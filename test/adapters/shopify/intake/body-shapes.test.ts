import { expect, it } from "vitest";
import { isEndedOrder, isOrder } from "../../../../adapters/shopify/intake/body-shapes.ts";

const ORDER_ID = "gid://shopify/Order/1";

it.each([
  ["its id", { id: "1" }],
  ["both its ids", { id: "1", admin_graphql_api_id: ORDER_ID }],
  ["a canceled order", { id: "1", admin_graphql_api_id: ORDER_ID, cancelled_at: "2026-01-01T00:00:00Z" }],
])("accepts %s as an order that ended", (_case, body) => {
  expect(isEndedOrder(body)).toBe(true);
});

it.each([
  ["nothing", {}],
  ["another kind's ids", { id: "1", admin_graphql_api_id: "gid://shopify/Product/1" }],
  ["something else that has an id", { id: "1", order_id: "2", status: "lost" }],
  ["an active order", { id: "1", admin_graphql_api_id: ORDER_ID, cancelled_at: null }],
])("refuses %s as an order that ended", (_case, body) => {
  expect(isEndedOrder(body)).toBe(false);
});

// Shopify, webhook samples: a checkout, and a draft from before global IDs, has an order's ID, lines and total.
it("refuses a checkout or an old draft as an order", () => {
  const order = { id: "1", line_items: [], total_price: "10.00" };

  expect(isOrder(order)).toBe(true);
  expect(isOrder({ ...order, completed_at: null })).toBe(false);
});

import { expect, it } from "vitest";
import { isEndedOrder } from "../../../../adapters/shopify/intake/body-shapes.ts";

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

import { expect, it } from "vitest";
import {
  isCustomerReport,
  isDispute,
  isEndedOrder,
  isOrder,
  isRiskAssessment,
  isWholeOrder,
} from "../../../../adapters/shopify/intake/body-shapes.ts";

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

const DISPUTE = { type: "inquiry", order_id: 1, status: "won", initiated_at: "2026-01-01T00:00:00Z" };
const ASSESSMENT = { order_id: 1, risk_level: "HIGH", provider_id: null };
const REPORT = { orders_requested: [], customer: {}, shop_id: 1 };

it.each([
  ["an order with its lines", isWholeOrder, { admin_graphql_api_id: ORDER_ID, line_items: [] }],
  ["a dispute", isDispute, DISPUTE],
  ["a risk assessment without a provider", isRiskAssessment, ASSESSMENT],
  ["a request for a customer's data", isCustomerReport, REPORT],
])("accepts %s", (_case, isIt, body) => {
  expect(isIt(body)).toBe(true);
});

it.each([
  [
    "a draft's lines as an order",
    isWholeOrder,
    { admin_graphql_api_id: "gid://shopify/DraftOrder/1", line_items: [] },
  ],
  ["something else about an order as a dispute", isDispute, { ...DISPUTE, type: "refund" }],
  ["an order's risk in a larger body as an assessment", isRiskAssessment, { ...ASSESSMENT, order: {} }],
  ["an order's body as a request for data", isCustomerReport, { ...REPORT, admin_graphql_api_id: ORDER_ID }],
  [
    "requested orders of nobody as a request for data",
    isCustomerReport,
    { orders_requested: [], shop_id: 1 },
  ],
])("refuses %s", (_case, isIt, body) => {
  expect(isIt(body)).toBe(false);
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLocalEngine } from "../../../../src/engine/engine.ts";
import type { VerificationRequest } from "../../../../src/index.ts";
import type { OrderDetail } from "../../../../adapters/shopify/operations/generated/operations.ts";
import { toHistory } from "../../../../adapters/shopify/mapping/order-detail.ts";
import { anOrder } from "../../../support/orders.ts";

const OWN = "gid://shopify/Order/1";

const pastOrder = fc.record({
  id: fc.integer({ min: 1, max: 8 }).map((id) => `gid://shopify/Order/${id}`),
  cancelledAt: fc.constantFrom(null, "2026-01-01T00:00:00Z"),
  displayFulfillmentStatus: fc.constantFrom("FULFILLED", "UNFULFILLED", "PARTIALLY_FULFILLED"),
  returnStatus: fc.constantFrom("NO_RETURN", "RETURNED", "IN_PROGRESS", "RETURN_REQUESTED"),
});

const detail: fc.Arbitrary<OrderDetail> = fc.record({
  displayFinancialStatus: fc.constantFrom("PAID", "PENDING", null),
  customer: fc.option(
    fc.record({
      createdAt: fc.constantFrom("2026-01-01T00:00:00Z", "2099-01-01T00:00:00Z", "never"),
      tags: fc.constant([]),
      numberOfOrders: fc.oneof(
        fc.integer({ min: 0, max: 9 }).map(String),
        fc.constantFrom("", "-1", "1.5", "1e3", "99999999999999999999"),
      ),
      amountSpent: fc.constantFrom(
        { amount: "", currencyCode: "USD" },
        { amount: "0.0", currencyCode: "USD" },
        { amount: "140.00", currencyCode: "USD" },
        { amount: "-5", currencyCode: "USD" },
        { amount: "140", currencyCode: "EUR" },
      ),
      // The list may lack the order itself, be cut, or repeat an order.
      orders: fc.record({ nodes: fc.array(pastOrder, { maxLength: 9 }) }),
    }),
  ),
  shippingLine: fc.constant(null),
  purchasingEntity: fc.constant(null),
  risk: fc.constant({ recommendation: "NONE", assessments: [] }),
  shopifyProtect: fc.constant(null),
  transactions: fc.constant([]),
});

function send(order: OrderDetail): VerificationRequest {
  const request = anOrder({ orderId: "1", orderAmount: 40, currency: "USD", isFirstTimeCustomer: true });
  return { ...request, ...toHistory(order, OWN, request) };
}

describe("toHistory", () => {
  it("never sends a number of orders that the list of earlier orders contradicts", () => {
    const engine = createLocalEngine({ now: () => 0 });
    fc.assert(
      fc.property(detail, (order) => {
        const sent = send(order);
        const { totalOrders, cancelledOrders, returnedOrders, fulfilledOrders, averageOrderValue } = sent;
        const nodes = order.customer?.orders.nodes ?? [];
        const listed = new Set(nodes.flatMap(({ id }) => (id === OWN ? [] : [id])));

        if (listed.size > 0) expect(sent.isFirstTimeCustomer).toBe(false);
        const counted = order.customer?.numberOfOrders ?? "";
        if (/^\d$/.test(counted)) expect(totalOrders).toBe(Math.max(0, Number(counted) - 1, listed.size));
        const isComplete = /^\d$/.test(counted) && Number(counted) <= new Set(nodes.map(({ id }) => id)).size;
        expect(cancelledOrders === undefined).toBe(!isComplete);
        const outcomes = [cancelledOrders, returnedOrders, fulfilledOrders];
        if (totalOrders === undefined) {
          expect([...outcomes, averageOrderValue]).toEqual([undefined, undefined, undefined, undefined]);
        } else {
          expect(Number.isSafeInteger(totalOrders)).toBe(true);
          expect(totalOrders).toBeGreaterThanOrEqual(listed.size);
          expect(sent.isFirstTimeCustomer).toBe(totalOrders === 0);
          const ended = outcomes.reduce<number>((sum, count) => sum + (count ?? 0), 0);
          expect(ended).toBeLessThanOrEqual(Math.min(totalOrders, listed.size));
          if (averageOrderValue !== undefined) {
            expect(totalOrders).toBeGreaterThan(0);
            expect(averageOrderValue).toBeGreaterThanOrEqual(0);
          }
        }
        const codes = engine.assess(sent).scorecard.contributions.map(({ code }) => code);
        expect(codes).not.toContain("HISTORY_INCONSISTENT");
      }),
      { numRuns: 1_000 },
    );
  });
});

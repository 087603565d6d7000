import type { OrderRow } from "../../../web/data/api/api-types.ts";

/** An order as the API lists it; `over` replaces the fields that matter to the test. */
export function createRow(over: Partial<OrderRow> = {}): OrderRow {
  return {
    orderId: "1",
    name: "#1001",
    receivedAt: "2026-01-01T00:00:00.000Z",
    state: "review",
    riskLevel: "high",
    riskScore: 73,
    urgent: false,
    action: "hold",
    source: "service",
    degraded: false,
    enforced: true,
    skipReason: null,
    unchecked: null,
    creditsSpent: 1,
    holdDeadline: null,
    amount: 10,
    currency: "USD",
    buyer: "Jane Example",
    country: "US",
    chips: [],
    decidedBy: null,
    pendingReview: null,
    pendingRecheck: null,
    ended: null,
    evidenceDueBy: null,
    buyerAnswer: null,
    notes: 0,
    assignee: null,
    claim: null,
    ...over,
  };
}

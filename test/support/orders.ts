import type { VerificationRequest } from "../../src/order/request.ts";
import type { VerificationResult } from "../../src/order/result.ts";
import type { RiskLevel } from "../../src/order/risk-level.ts";

const ADDRESS = {
  street: "1 Main Street",
  city: "Springfield",
  state: "IL",
  postalCode: "62701",
  country: "US",
};

/** An ordinary order; each call may change any field. */
export function anOrder(changes: Partial<VerificationRequest> = {}): VerificationRequest {
  return {
    orderId: "1001",
    orderAmount: 59.9,
    currency: "USD",
    orderTimestamp: "2026-11-20T10:00:00Z",
    items: [{ name: "Mug", quantity: 1, price: 59.9, sku: "MUG-1" }],
    customerName: "Jane Example",
    customerEmail: "jane@example.com",
    isFirstTimeCustomer: false,
    shippingAddress: ADDRESS,
    billingAddress: ADDRESS,
    ...changes,
  };
}

const SCORES: Readonly<Record<RiskLevel, number>> = { low: 12, medium: 45, high: 73, critical: 93 };

/** An answer of the service. */
export function aResult(riskLevel: RiskLevel = "low"): VerificationResult {
  return {
    riskScore: SCORES[riskLevel],
    riskLevel,
    riskFactors: [
      { factor: "Example", severity: riskLevel, description: "Example description", category: "behavioral" },
    ],
    reasoning: "An example.",
    recommendations: ["Look at it."],
  };
}

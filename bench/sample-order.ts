import type { VerificationRequest } from "../src/order/request.ts";
import type { VerificationResult } from "../src/order/result.ts";

/** An order as a shop would send it for checking, with most of a shop's data. Each comes from another home. */
export function toSampleOrder(number: number): VerificationRequest {
  const address = {
    street: `${number + 1} Fifth Avenue, Floor 3`,
    city: "New York",
    state: "NY",
    postalCode: "10118",
    country: "US",
  };
  return {
    orderId: `order-${number}`,
    orderAmount: 129.85,
    currency: "USD",
    orderTimestamp: "2026-11-20T10:00:00Z",
    items: [
      { name: "Linen shirt, blue, size M", quantity: 2, price: 39.95, sku: "SHIRT-BLUE-M" },
      { name: "Leather belt", quantity: 1, price: 34.95, sku: "BELT-90" },
      { name: "Gift wrapping", quantity: 1, price: 15, sku: "WRAP" },
    ],
    customerName: "Jane Example",
    customerEmail: `jane.${number}@example.com`,
    customerPhone: "+1 212 555 0100",
    isFirstTimeCustomer: false,
    accountAgeInDays: 420,
    totalOrders: 7,
    cancelledOrders: 0,
    fulfilledOrders: 6,
    averageOrderValue: 88.4,
    shippingAddress: address,
    billingAddress: address,
    paymentInfo: { brand: "visa", lastFourDigits: "4242", expiry: "12/28", holderName: "Jane Example" },
    ipAddress: `198.18.${number >> 8}.${number & 255}`,
    userAgent:
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15",
  };
}

/** An answer of usual length. */
export const SAMPLE_RESULT: VerificationResult = {
  riskScore: 22,
  riskLevel: "low",
  riskFactors: [
    {
      factor: "Established customer",
      severity: "low",
      description: "The account is more than a year old and its earlier orders were fulfilled.",
      category: "customer",
    },
    {
      factor: "Addresses agree",
      severity: "low",
      description: "The shipping address and the billing address are the same.",
      category: "address",
    },
    {
      factor: "Ordinary device",
      severity: "low",
      description: "The user agent is that of a current browser.",
      category: "technical",
    },
  ],
  reasoning:
    "The customer has ordered before, ships to the billing address, and pays about what earlier orders cost. " +
    "Nothing in the order points to another person using the account.",
  recommendations: ["Fulfil the order as usual."],
};

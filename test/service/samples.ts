import { inspect } from "node:util";
import { expect } from "vitest";
import { isHoldfastError, type HoldfastError } from "../../src/base/errors.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import type { VerificationResult } from "../../src/order/result.ts";

/** Must not appear in any error. */
export const API_KEY = "key-canary-7f3a9c";
/** Must not appear in any error. */
export const CANARY_EMAIL = "canary.customer@example.com";

const address = {
  street: "1 Example Street",
  city: "Sampletown",
  state: "N/A",
  postalCode: "00000",
  country: "US",
};

/** An order that the service accepts. */
export const REQUEST: VerificationRequest = {
  orderId: "9007199254740993",
  orderAmount: 129.5,
  currency: "USD",
  items: [{ name: "Example lamp", quantity: 1, price: 129.5 }],
  customerName: "Jane Example",
  customerEmail: CANARY_EMAIL,
  isFirstTimeCustomer: true,
  shippingAddress: address,
  billingAddress: address,
};

/** An answer of the service. */
export const RESULT: VerificationResult = {
  riskScore: 72,
  riskLevel: "high",
  riskFactors: [
    {
      factor: "Disposable email",
      severity: "high",
      description: "A throw-away address.",
      category: "customer",
    },
  ],
  reasoning: "The address was made today.",
  recommendations: ["Call the customer."],
};

/** The service's success envelope. */
export const SUCCESS = { success: true, data: RESULT };

/** The error that `promise` rejects with, after checking that it is a Holdfast error without secrets. */
export async function failureOf(promise: Promise<unknown>): Promise<HoldfastError> {
  const error: unknown = await promise.then(
    () => expect.fail("the call succeeded"),
    (reason: unknown) => reason,
  );
  if (!isHoldfastError(error)) throw error;
  expectNoSecrets(error);
  return error;
}

/** Fails if the key or the customer's address is anywhere in an error, including hidden properties and causes. */
export function expectNoSecrets(error: HoldfastError): void {
  const views = [
    JSON.stringify(error),
    JSON.stringify(error.cause),
    error.message,
    error.stack,
    inspect(error, { depth: 10, showHidden: true }),
    inspect(error.cause, { depth: 10, showHidden: true }),
  ];
  for (const view of views) {
    expect(view ?? "").not.toContain(API_KEY);
    expect(view ?? "").not.toContain(CANARY_EMAIL);
  }
}

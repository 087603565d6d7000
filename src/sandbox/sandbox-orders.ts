import { randomUUID } from "node:crypto";
import type { PartialVerificationRequest } from "../order/request.ts";
import type { RiskLevel } from "../order/risk-level.ts";
import type { NewOrder } from "../store/store.ts";
import { SANDBOX_PLATFORM } from "./sandbox-platform.ts";

/**
 * Noon in Springfield on a working day. Every made-up order is placed at this moment, so that a scenario always has the
 * same level: at night, on any date, and after any other made-up orders.
 */
const PLACED_AT = "2026-06-16T18:00:00.000Z";
/** The billing address. Each scenario adds what gives it its level. */
const HOME = {
  street: "742 Sandbox Avenue",
  city: "Springfield",
  state: "IL",
  postalCode: "62701",
  country: "US",
};
const ABROAD = {
  street: "18 rue Sandbox",
  city: "Paris",
  state: "Paris",
  postalCode: "75001",
  country: "FR",
};
const BUYER = { customerName: "Sandbox Customer", currency: "USD", billingAddress: HOME } as const;
const THROWAWAY = "sandbox.customer@mailinator.com";
const REGULAR = {
  isFirstTimeCustomer: false,
  accountAgeInDays: 900,
  totalOrders: 12,
  fulfilledOrders: 12,
  cancelledOrders: 0,
  returnedOrders: 0,
  averageOrderValue: 58,
} as const;
const NEWCOMER = { isFirstTimeCustomer: true, accountAgeInDays: 0, totalOrders: 0 } as const;

const sell = (name: string, quantity: number, price: number) => ({
  orderAmount: quantity * price,
  items: [{ name, quantity, price }],
});

/** What gives an order its level. */
const SCENARIOS = {
  low: { ...REGULAR, ...sell("Sandbox mug", 2, 32.25), shippingAddress: HOME },
  medium: { ...NEWCOMER, ...sell("Sandbox armchair", 1, 1_290), shippingAddress: ABROAD },
  high: {
    ...NEWCOMER,
    ...sell("Sandbox jacket", 1, 260),
    customerEmail: THROWAWAY,
    shippingAddress: ABROAD,
  },
  critical: {
    ...NEWCOMER,
    ...sell("Sandbox gift card", 10, 478),
    customerEmail: THROWAWAY,
    userAgent: "curl/8.5.0",
    shippingAddress: ABROAD,
    paymentInfo: { brand: "visa", lastFourDigits: "4242", expiry: "01/20", holderName: "Somebody Else" },
  },
} satisfies Readonly<Record<RiskLevel, PartialVerificationRequest>>;

/**
 * A new made-up order for trying Holdfast out. Its data is visibly invented. The local engine judges it to be of the scenario's
 * level, at any time of day.
 */
export function makeSandboxOrder(scenario: RiskLevel): Omit<NewOrder, "tenant" | "receivedAtMs"> {
  const known = { ...BUYER, ...SCENARIOS[scenario], orderTimestamp: PLACED_AT };
  return {
    orderId: `sandbox-${randomUUID()}`,
    platform: SANDBOX_PLATFORM,
    effects: "none",
    name: `Sandbox ${scenario}`,
    customerId: undefined,
    // Without a request, nothing can be sent, whatever the policy does with test orders.
    mapped: { outcome: "unscreenable", reason: "TEST_ORDER", known, test: true },
    amount: known.orderAmount,
    currency: known.currency,
  };
}

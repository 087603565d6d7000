import type { VerificationRequest } from "../../src/order/request.ts";

/** When every sample order was placed. */
export const SAMPLE_TIME = "2026-11-18T15:20:00Z";

const HOME = { street: "12 Harbour Road", city: "Portland", state: "OR", postalCode: "97204", country: "US" };

/** An ordinary order of a customer with a few earlier orders: no signal against it. */
export const PLAIN_ORDER: VerificationRequest = {
  orderId: "1001",
  orderAmount: 58.9,
  currency: "USD",
  orderTimestamp: SAMPLE_TIME,
  items: [{ name: "Cotton sheet set", quantity: 1, price: 58.9, sku: "SHEET-Q" }],
  customerName: "Jane Sample",
  customerEmail: "jane.sample@gmail.com",
  customerPhone: "+15038234018",
  isFirstTimeCustomer: false,
  accountAgeInDays: 90,
  totalOrders: 2,
  cancelledOrders: 0,
  returnedOrders: 0,
  fulfilledOrders: 2,
  averageOrderValue: 60,
  shippingAddress: HOME,
  billingAddress: HOME,
  paymentInfo: { brand: "visa", lastFourDigits: "8821", expiry: "08/28" },
  ipAddress: "73.158.64.15",
  userAgent:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/157.0.0.0 Safari/537.36",
};

/** {@link PLAIN_ORDER} with other fields. */
export function orderWith(fields: Partial<VerificationRequest>): VerificationRequest {
  return { ...PLAIN_ORDER, ...fields };
}

/** {@link PLAIN_ORDER} shipped to another address. */
export function shippedTo(fields: Partial<VerificationRequest["shippingAddress"]>): VerificationRequest {
  return orderWith({ shippingAddress: { ...HOME, ...fields } });
}

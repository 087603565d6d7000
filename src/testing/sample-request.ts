import type { VerificationRequest } from "../order/request.ts";

const ADDRESS = {
  street: "1 Example Street",
  city: "Springfield",
  state: "IL",
  postalCode: "62701",
  country: "US",
};

/** A made-up order with only the required fields. */
export const SMALLEST_ORDER: VerificationRequest = {
  orderAmount: 59.9,
  currency: "USD",
  customerName: "Jane Example",
  customerEmail: "jane@example.com",
  isFirstTimeCustomer: true,
  // Two objects: a copy of the order must not share one between both fields.
  shippingAddress: { ...ADDRESS },
  billingAddress: { ...ADDRESS },
};

/** A made-up order with every field of the interface. */
export const WHOLE_ORDER: VerificationRequest = {
  ...SMALLEST_ORDER,
  orderId: "contract-1001",
  orderTimestamp: "2026-11-20T10:00:00Z",
  items: [
    { name: "Mug", quantity: 2, price: 19.95, sku: "MUG-1" },
    { name: "Gift wrap", quantity: 1, price: 20 },
  ],
  customerPhone: "+1 217 555 0123",
  isFirstTimeCustomer: false,
  accountAgeInDays: 90,
  totalOrders: 3,
  cancelledOrders: 0,
  returnedOrders: 1,
  fulfilledOrders: 2,
  averageOrderValue: 45.5,
  companyName: "Example Ltd",
  companyAddress: "2 Example Street, Springfield",
  paymentInfo: { brand: "visa", lastFourDigits: "4242", expiry: "08/28", holderName: "Jane Example" },
  ipAddress: "192.0.2.10",
  userAgent:
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/157.0.0.0 Safari/537.36",
};

/** A copy of an order with one field set, by its dotted path; undefined removes the field. */
export function withField(order: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(order) as Record<string, unknown>;
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  let place = copy;
  for (const key of keys) place = place[key] as Record<string, unknown>;
  if (value === undefined) delete place[last];
  else place[last] = value;
  return copy;
}

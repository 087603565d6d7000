import type { Platform, PlatformOrder } from "../src/adapter-kit.ts";
import { toSampleOrder } from "./sample-order.ts";

/** A platform that does everything at once. */
export interface QuickPlatform extends Platform {
  /** Orders that were enforced. */
  readonly enforced: number;
}

/** Name of the platform. */
export const QUICK_PLATFORM = "bench";

/** Create a {@link QuickPlatform}, whose deliveries are its orders. */
export function createQuickPlatform(): QuickPlatform {
  let enforced = 0;
  return {
    name: QUICK_PLATFORM,
    get enforced() {
      return enforced;
    },
    authenticate: () => ({ outcome: "unauthenticated", reason: "takes no deliveries" }),
    interpret: ({ body }) => ({ kind: "order", order: JSON.parse(body.toString()) as PlatformOrder }),
    enrich: async (_tenant, { mapped }) => ({ mapped, limitations: [] }),
    async enforce() {
      enforced += 1;
      return { outcome: "done", detail: "done" };
    },
    observe: async () => null,
    readOrder: async () => null,
    confirmAccess: async () => "works",
    recentOrders: async () => ({ orders: [], nextCursor: null }),
    locate: async (_tenant, reference) => reference,
    openSession: async () => null,
    page: () => null,
    close: async () => {},
  };
}

/** An order of this platform. */
export function toPlatformOrder(number: number): PlatformOrder {
  const sample = toSampleOrder(number);
  // The buyers of a shop are strangers to each other: what they share is looked up and counted.
  const address = { ...sample.shippingAddress, street: `${number + 1} Fifth Avenue` };
  const request = {
    ...sample,
    customerPhone: `+1212555${String(number % 10_000).padStart(4, "0")}`,
    shippingAddress: address,
    billingAddress: address,
    paymentInfo: { ...sample.paymentInfo, lastFourDigits: String(number % 10_000).padStart(4, "0") },
    ipAddress: `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`,
  };
  return {
    orderId: `order-${number}`,
    name: `#${number}`,
    customerId: `customer-${number}`,
    mapped: { outcome: "screenable", request, test: false },
    amount: request.orderAmount,
    currency: request.currency,
  };
}

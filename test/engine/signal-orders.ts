import type { VelocityCounts } from "../../src/engine/facts/velocity-counts.ts";
import type { OrderContext } from "../../src/order/order-context.ts";
import type { PartialVerificationRequest, VerificationRequest } from "../../src/order/request.ts";
import { orderWith, PLAIN_ORDER } from "./sample-order.ts";

const toAddress = (street: string, city: string, state: string, postalCode: string, country: string) => ({
  street,
  city,
  state,
  postalCode,
  country,
});

/** Addresses of the examples. */
export const HOME = PLAIN_ORDER.shippingAddress;
export const LONDON = toAddress("Baker Street 1", "London", "London", "NW1 6XE", "GB");
export const BERLIN = toAddress("Am Markt 4", "Berlin", "Berlin", "10115", "DE");
export const VIENNA = toAddress("Ring 3", "Wien", "Wien", "1010", "AT");
export const PARIS = toAddress("4 rue de la Paix", "Paris", "Paris", "75002", "FR");
export const TORONTO = toAddress("100 Queen St W", "Toronto", "ON", "M5H 2N2", "CA");
export const SAO_PAULO = toAddress("Rua São Bento 15", "São Paulo", "SP", "01011-100", "BR");
export const MADRID = toAddress("Calle Mayor 3", "Madrid", "Madrid", "28013", "ES");
export const MUMBAI = toAddress("12 Marine Drive", "Mumbai", "Maharashtra", "400020", "IN");
export const DUBAI = toAddress("P.O. Box 777", "Dubai", "Dubai", "N/A", "AE");
export const APO = toAddress("PSC 1005 Box 42", "APO", "AE", "09128", "US");

/** A customer's own unit at a freight forwarder in Doral. */
export const FORWARDER = {
  ...PLAIN_ORDER.shippingAddress,
  street: "8345 NW 66th St Suite 104233",
  city: "Doral",
  state: "FL",
  postalCode: "33166",
};

/** An order, and what the platform adds. */
export type ToldOrder = PartialVerificationRequest & {
  readonly context?: OrderContext;
  readonly velocity?: VelocityCounts;
};

/** The plain order of a shop whose orders are mostly smaller. `times`: of what 99 of 100 orders stay below. */
export const inShop = (percentile: number, orderAmount: number, times = 0.9): ToldOrder => ({
  ...orderWith({ orderAmount }),
  velocity: {
    ...NO_COUNTS,
    shop: { usualOrders: 500, usualKnown: 200, recentOrders: 3, percentile, top: orderAmount / times },
  },
});

const NO_COUNTS: VelocityCounts = {
  emailOrders1h: 1,
  ipEmails24h: 1,
  cardEmails7d: 1,
  addressEmails7d: 1,
  emailCards24h: 1,
  emailBillingPostcodes7d: 1,
  cardBillingPostcodes7d: 1,
};

/** The plain order on a platform that adds more. */
export const told = (context: OrderContext, order: VerificationRequest = PLAIN_ORDER): ToldOrder => ({
  ...order,
  context,
});

/** The plain order with one thing changed. */
export const email = (customerEmail: string, customerName = "Jane Sample"): VerificationRequest =>
  orderWith({ customerEmail, customerName });
export const phone = (customerPhone: string): VerificationRequest => orderWith({ customerPhone });
export const between = (
  billingAddress: VerificationRequest["billingAddress"],
  shippingAddress: VerificationRequest["shippingAddress"],
): VerificationRequest => orderWith({ billingAddress, shippingAddress });
export const card = (
  paymentInfo: NonNullable<VerificationRequest["paymentInfo"]>,
  customerName = "Jane Sample",
) => orderWith({ paymentInfo, customerName });
export const item = (name: string, quantity = 1, price = 10): VerificationRequest =>
  orderWith({ items: [{ name, quantity, price }] });
/** One line, and its category in the catalog. */
export const filed = (
  category: string,
  line: { readonly name?: string; readonly quantity?: number; readonly price?: number } = {},
): ToldOrder => {
  const { name = "Zirkon 256", quantity = 1, price = 140 } = line;
  const order = orderWith({ items: [{ name, quantity, price, sku: "Z-1" }], orderAmount: quantity * price });
  return told({ products: [{ sku: "Z-1", category }] }, order);
};
export const agent = (userAgent: string): VerificationRequest => orderWith({ userAgent });
export const record = (
  totalOrders: number,
  counts: { cancelled?: number; returned?: number; fulfilled?: number },
): VerificationRequest =>
  orderWith({
    totalOrders,
    cancelledOrders: counts.cancelled ?? 0,
    returnedOrders: counts.returned ?? 0,
    fulfilledOrders: counts.fulfilled ?? 0,
  });
export const known = { accountAgeInDays: 400, totalOrders: 8, fulfilledOrders: 8, averageOrderValue: 40 };

export const ip = (ipAddress: string): VerificationRequest => orderWith({ ipAddress });
export const placedAt = (orderTimestamp: string): VerificationRequest => orderWith({ orderTimestamp });
export const priced = (price: number, quantity: number): VerificationRequest =>
  orderWith({ items: [{ name: "Oak chair", quantity, price }] });
/** The same order, placed when the engine's data is half a year old. */
export const later = (order: VerificationRequest): VerificationRequest => ({
  ...order,
  orderTimestamp: "2027-06-18T15:20:00Z",
});

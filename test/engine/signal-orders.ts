import type { OrderContext } from "../../src/order/order-context.ts";
import type { PartialVerificationRequest, VerificationRequest } from "../../src/order/request.ts";
import { orderWith, PLAIN_ORDER } from "./sample-order.ts";

/** Addresses of the examples. */
export const HOME = PLAIN_ORDER.shippingAddress;
export const LONDON = {
  street: "Baker Street 1",
  city: "London",
  state: "London",
  postalCode: "NW1 6XE",
  country: "GB",
};
export const BERLIN = {
  street: "Am Markt 4",
  city: "Berlin",
  state: "Berlin",
  postalCode: "10115",
  country: "DE",
};
export const VIENNA = { street: "Ring 3", city: "Wien", state: "Wien", postalCode: "1010", country: "AT" };
export const PARIS = {
  street: "4 rue de la Paix",
  city: "Paris",
  state: "Paris",
  postalCode: "75002",
  country: "FR",
};
export const TORONTO = {
  street: "100 Queen St W",
  city: "Toronto",
  state: "ON",
  postalCode: "M5H 2N2",
  country: "CA",
};
export const SAO_PAULO = {
  street: "Rua São Bento 15",
  city: "São Paulo",
  state: "SP",
  postalCode: "01011-100",
  country: "BR",
};
export const MADRID = {
  street: "Calle Mayor 3",
  city: "Madrid",
  state: "Madrid",
  postalCode: "28013",
  country: "ES",
};
export const MUMBAI = {
  street: "12 Marine Drive",
  city: "Mumbai",
  state: "Maharashtra",
  postalCode: "400020",
  country: "IN",
};
export const DUBAI = {
  street: "P.O. Box 777",
  city: "Dubai",
  state: "Dubai",
  postalCode: "N/A",
  country: "AE",
};
export const APO = {
  street: "PSC 1005 Box 42",
  city: "APO",
  state: "AE",
  postalCode: "09128",
  country: "US",
};

/** A customer's own unit at a freight forwarder in Doral. */
export const FORWARDER = {
  ...PLAIN_ORDER.shippingAddress,
  street: "8345 NW 66th St Suite 104233",
  city: "Doral",
  state: "FL",
  postalCode: "33166",
};

/** An order, and what the platform adds. */
export type ToldOrder = PartialVerificationRequest & { readonly context?: OrderContext };

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

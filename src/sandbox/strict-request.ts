import { z } from "zod";
import { REQUEST_LIMITS } from "../order/request.ts";
import { toUtcTimestamp } from "../order/timestamp.ts";

/**
 * As in the client: one `@` with something before it, a domain with a dot, and no blank, control or invisible
 * character.
 */
const EMAIL = /^[^\s@\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\p{Cc}\p{Cf}\p{Cs}]+\.[^\s@\p{Cc}\p{Cf}\p{Cs}]+$/u;

/** Optional text. It has only the interface's limits, in UTF-16 code units. */
const text = (max?: number) =>
  max === undefined
    ? z.string()
    : z.string().refine((value) => value.length <= max, `expected at most ${max} characters`);
/** Required text. Blank text counts as missing. */
const filled = (max: number) =>
  text(max).refine((value) => value.trim() !== "", "expected text that is not blank");
const amount = z.number().positive("expected a positive amount");
const number = z.number();

const address = z.strictObject({
  street: filled(REQUEST_LIMITS.street),
  city: filled(REQUEST_LIMITS.city),
  state: filled(REQUEST_LIMITS.state),
  postalCode: filled(REQUEST_LIMITS.postalCode),
  country: filled(REQUEST_LIMITS.country),
});

const item = z.strictObject({
  name: filled(REQUEST_LIMITS.itemName),
  quantity: z
    .number()
    .positive("expected a positive whole number")
    .refine(Number.isInteger, "expected a whole number"),
  price: amount,
  sku: text(REQUEST_LIMITS.itemSku).exactOptional(),
});

const payment = z.strictObject({
  brand: text().exactOptional(),
  lastFourDigits: z
    .string()
    .regex(/^\d{4}$/, "expected the last four digits")
    .exactOptional(),
  expiry: text().exactOptional(),
  holderName: text(REQUEST_LIMITS.holderName).exactOptional(),
});

/**
 * The request as the interface documents it. Where it isn't specified, the sandbox is strict (unknown fields, null,
 * blank required text), so that the service accepts whatever the sandbox accepts.
 */
export const strictRequestSchema = z.strictObject({
  orderId: text().exactOptional(),
  orderAmount: amount,
  currency: z.string().regex(/^[A-Za-z]{3}$/, "expected a three-letter currency code"),
  orderTimestamp: z
    .string()
    .refine((value) => toUtcTimestamp(value) !== undefined, "expected an ISO 8601 date and time")
    .exactOptional(),
  items: z.array(item).exactOptional(),
  customerName: filled(REQUEST_LIMITS.customerName),
  customerEmail: z.string().regex(EMAIL, "expected an email address"),
  customerPhone: text(REQUEST_LIMITS.customerPhone).exactOptional(),
  isFirstTimeCustomer: z.boolean(),
  accountAgeInDays: number.exactOptional(),
  totalOrders: number.exactOptional(),
  cancelledOrders: number.exactOptional(),
  returnedOrders: number.exactOptional(),
  fulfilledOrders: number.exactOptional(),
  averageOrderValue: number.exactOptional(),
  companyName: text().exactOptional(),
  companyAddress: text().exactOptional(),
  shippingAddress: address,
  billingAddress: address,
  paymentInfo: payment.exactOptional(),
  ipAddress: z.union([z.ipv4(), z.ipv6()], "expected an IPv4 or IPv6 address").exactOptional(),
  userAgent: text(REQUEST_LIMITS.userAgent).exactOptional(),
});

import { z } from "zod";
import { toOrderError } from "../base/errors.ts";
import { toEmailAddress } from "./email-address.ts";
import { toFieldProblems } from "./field-problems.ts";
import { normalizeRequest } from "./normalize-request.ts";
import { OWN_LIMITS, REQUEST_LIMITS } from "./request-limits.ts";
import { toTimestampMs } from "./timestamp.ts";

export { REQUEST_LIMITS };

/** The error for a value of another type, in plain words: zod's own messages name JavaScript types. */
const expected = (what: string) => ({
  error: ({ input }: { readonly input: unknown }) =>
    input === undefined || input === null ? "is missing" : `expected ${what}`,
});
const text = (what = "text") => z.string(expected(what));
const TIME = "an ISO 8601 date and time";
const amount = (what: string) => z.number(expected(what)).positive(`expected ${what}`);

/** zod's own `max` counts code points: 255 emoji are 510 UTF-16 code units. */
const limited = (max: number, what?: string) =>
  text(what).refine((text) => text.length <= max, `expected at most ${max} characters`);
const filled = (max: number, what?: string) =>
  limited(max, what).refine((text) => text.trim() !== "", "expected text that is not blank");
const count = z
  .number(expected("a number that is not negative"))
  .nonnegative("expected a number that is not negative");

const addressSchema = z.object(
  {
    street: filled(REQUEST_LIMITS.street),
    city: filled(REQUEST_LIMITS.city),
    state: filled(REQUEST_LIMITS.state),
    postalCode: filled(REQUEST_LIMITS.postalCode),
    country: filled(REQUEST_LIMITS.country),
  },
  expected("an address"),
);

const itemSchema = z.object(
  {
    name: filled(REQUEST_LIMITS.itemName),
    quantity: amount("a positive whole number")
      // zod's own `int` ends at 2^53.
      .refine(Number.isInteger, "expected a whole number"),
    price: amount("a positive amount"),
    sku: filled(REQUEST_LIMITS.itemSku).exactOptional(),
  },
  expected("an item"),
);

const paymentSchema = z.object(
  {
    brand: filled(OWN_LIMITS.brand).exactOptional(),
    lastFourDigits: text()
      .regex(/^\d{4}$/, "expected the last four digits")
      .exactOptional(),
    expiry: filled(OWN_LIMITS.expiry).exactOptional(),
    holderName: filled(REQUEST_LIMITS.holderName).exactOptional(),
  },
  expected("a card"),
);

/**
 * The verification service's request, which is also Holdfast's canonical order. Unknown keys are dropped, so only
 * fields that the service asks for leave the shop. It checks without changing anything; `parseVerificationRequest` also
 * accepts orders that are written less strictly.
 */
export const verificationRequestSchema = z.object(
  {
    /** The caller's reference. A string: platform ids exceed 2^53. */
    orderId: filled(OWN_LIMITS.orderId, "text, such as String(id)").exactOptional(),
    /** Major units of `currency`, e.g. 19.99. */
    orderAmount: amount("a positive amount, such as 19.99"),
    /** ISO 4217, three letters. */
    currency: text().regex(/^[A-Za-z]{3}$/, "expected a three-letter currency code"),
    /** ISO 8601; sent in UTC with a Z. */
    orderTimestamp: text(TIME)
      .refine((text) => toTimestampMs(text) !== undefined, `expected ${TIME}`)
      .exactOptional(),
    items: z.array(itemSchema, expected("a list of items")).exactOptional(),
    customerName: filled(REQUEST_LIMITS.customerName),
    /** One @ and a domain with a dot and at most 253 characters; sent with the domain in ASCII. */
    customerEmail: text().refine((text) => toEmailAddress(text) !== undefined, "expected an email address"),
    customerPhone: filled(REQUEST_LIMITS.customerPhone).exactOptional(),
    isFirstTimeCustomer: z.boolean(expected("true or false")),
    /** Whole days, never negative. */
    accountAgeInDays: count.exactOptional(),
    /** Earlier orders, without this one. */
    totalOrders: count.exactOptional(),
    cancelledOrders: count.exactOptional(),
    returnedOrders: count.exactOptional(),
    fulfilledOrders: count.exactOptional(),
    /** Major units of `currency`. */
    averageOrderValue: count.exactOptional(),
    companyName: filled(OWN_LIMITS.companyName).exactOptional(),
    companyAddress: filled(OWN_LIMITS.companyAddress).exactOptional(),
    shippingAddress: addressSchema,
    billingAddress: addressSchema,
    paymentInfo: paymentSchema.exactOptional(),
    /** IPv4 or IPv6, without port or zone. */
    ipAddress: z.union([z.ipv4(), z.ipv6()], "expected an IPv4 or IPv6 address").exactOptional(),
    userAgent: filled(REQUEST_LIMITS.userAgent).exactOptional(),
  },
  expected("an order"),
);

/** An order in the shape the verification service takes. Amounts are in major units of `currency`. */
export type VerificationRequest = z.infer<typeof verificationRequestSchema>;
/** A postal address of a {@link VerificationRequest}. */
export type OrderAddress = VerificationRequest["shippingAddress"];
/** A line of a {@link VerificationRequest}. */
export type OrderItem = NonNullable<VerificationRequest["items"]>[number];
/** Card facts of a {@link VerificationRequest}. */
export type PaymentInfo = NonNullable<VerificationRequest["paymentInfo"]>;

/**
 * What is known about an order that can't be sent to the service: the same fields, each optional. The local engine
 * judges the order on these fields.
 */
export type PartialVerificationRequest = {
  readonly [K in Exclude<keyof VerificationRequest, "shippingAddress" | "billingAddress">]?:
    | VerificationRequest[K]
    | undefined;
} & {
  readonly shippingAddress?: Partial<OrderAddress> | undefined;
  readonly billingAddress?: Partial<OrderAddress> | undefined;
};

/**
 * Convert an order to the form that the verification service takes, and check it against every rule of the service.
 *
 * An optional field that is undefined, null or blank is left out. So is a count that is negative, and card digits that do not
 * end in four. Texts that the service does not limit are cut (`orderId` and `companyName` to 255 UTF-16 code units,
 * `companyAddress` to 1000, `brand` to 100, `expiry` to 20). The currency comes out in upper case, the order time in UTC
 * with a Z, the domain of the email address in ASCII.
 *
 * @throws {HoldfastError} `ORDER_INVALID` with one entry in `fields` per field at fault. Such an order is never sent.
 */
export function parseVerificationRequest(order: unknown): VerificationRequest {
  const parsed = verificationRequestSchema.safeParse(normalizeRequest(order));
  if (parsed.success) return parsed.data;
  throw toOrderError("the order can't be verified", toFieldProblems(parsed.error));
}

type AddressName = "shippingAddress" | "billingAddress";

/**
 * A field of a request that is filled only because the service requires it: a whole address that is a copy of the other
 * one, a part or a name that says `N/A`, a name that was read from the card, a customer who is only assumed to be new.
 */
export type StandIn =
  | AddressName
  | `${AddressName}.${keyof OrderAddress}`
  | "customerName"
  | "isFirstTimeCustomer";

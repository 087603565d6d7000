import { cutText } from "./text.ts";
import { toEmailAddress } from "./email-address.ts";
import { toPlainIp } from "./ip-address.ts";
import { OWN_LIMITS } from "./request-limits.ts";
import { toUtcTimestamp } from "./timestamp.ts";

/**
 * Reads one field. Undefined leaves the field out. An unreadable value is returned as it is, for the schema to refuse.
 */
type Reader = (value: unknown) => unknown;
type Readers = Readonly<Record<string, Reader>>;

const asGiven: Reader = (value) => value;
/** Half a surrogate pair isn't a character, and would turn into something else when it is sent. */
const wellFormed = toText((text) => text.toWellFormed());
const optionalText = optional(wellFormed);
const ADDRESS = {
  street: wellFormed,
  city: wellFormed,
  state: wellFormed,
  postalCode: wellFormed,
  country: wellFormed,
};
const ITEM = { name: wellFormed, quantity: asGiven, price: asGiven, sku: optionalText };
const PAYMENT = {
  brand: cutTo(OWN_LIMITS.brand),
  lastFourDigits: optional(toText(toLastFour)),
  expiry: cutTo(OWN_LIMITS.expiry),
  holderName: optionalText,
};
const count = optional((value) => (typeof value === "number" && !isCount(value) ? undefined : value));

/** Every field of a verification request, with how it is read. */
const REQUEST = {
  orderId: cutTo(OWN_LIMITS.orderId),
  orderAmount: asGiven,
  currency: toText((text) => text.toUpperCase()),
  orderTimestamp: optional(toText((text) => toUtcTimestamp(text) ?? text)),
  items: optional((value) => (Array.isArray(value) ? value.map(toObject(ITEM)) : value)),
  customerName: wellFormed,
  customerEmail: toText((text) => toEmailAddress(text) ?? text),
  customerPhone: optionalText,
  isFirstTimeCustomer: asGiven,
  accountAgeInDays: count,
  totalOrders: count,
  cancelledOrders: count,
  returnedOrders: count,
  fulfilledOrders: count,
  averageOrderValue: count,
  companyName: cutTo(OWN_LIMITS.companyName),
  companyAddress: cutTo(OWN_LIMITS.companyAddress),
  shippingAddress: toObject(ADDRESS),
  billingAddress: toObject(ADDRESS),
  paymentInfo: optional((value) => withoutEmpty(toObject(PAYMENT)(value))),
  ipAddress: optional(toText((text) => toPlainIp(text) ?? text)),
  userAgent: optionalText,
} satisfies Readers;

/**
 * An order in the form that is checked and sent: values that mean "not given" are left out, texts that the service
 * doesn't limit are cut, and values with several spellings are normalized. Never throws for its input: a value that
 * isn't an order is returned as it is, and so is a wrong field.
 */
export const normalizeRequest: Reader = toObject(REQUEST);

function toObject(readers: Readers): Reader {
  const fields = Object.entries(readers);
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const given = value as Readonly<Record<string, unknown>>;
    const normalized: Record<string, unknown> = {};
    for (const [name, read] of fields) {
      const field = read(given[name]);
      if (field !== undefined) normalized[name] = field;
    }
    return normalized;
  };
}

/** For an optional field, `undefined`, `null` and blank text mean that it wasn't given. */
function optional(read: Reader): Reader {
  return (value) => {
    const isBlank = value === null || (typeof value === "string" && value.trim() === "");
    return value === undefined || isBlank ? undefined : read(value);
  };
}

function toText(read: (text: string) => unknown): Reader {
  return (value) => (typeof value === "string" ? read(value) : value);
}

function cutTo(max: number): Reader {
  return optional(
    toText((text) => {
      const whole = text.toWellFormed();
      return whole.length > max ? cutText(whole, max) : whole;
    }),
  );
}

/**
 * Only the last four digits of a longer number may leave the shop. A value that doesn't end in four digits is left out.
 */
function toLastFour(text: string): string | undefined {
  const end = text.trim().slice(-4);
  return /^\d{4}$/.test(end) ? end : undefined;
}

/** Numbers that JSON can't represent, and negative counts, say nothing about a customer. */
function isCount(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}

/** A card without any known field is left out, so that it doesn't look like another state of the order. */
function withoutEmpty(value: unknown): unknown {
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return isEmpty && !Array.isArray(value) ? undefined : value;
}

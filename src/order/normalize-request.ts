import { toEmailAddress, cutText } from "./text.ts";
import { toPlainIp } from "./ip-address.ts";
import { toUtcTimestamp } from "./timestamp.ts";

/**
 * Longest texts that are sent where the service names no limit, in UTF-16 code units. Longer ones are cut: no order is
 * lost for them.
 */
export const OWN_LIMITS = {
  orderId: 255,
  companyName: 255,
  companyAddress: 1000,
  brand: 100,
  expiry: 20,
} as const;

/** Reads one field: undefined leaves it out, and what it cannot read it hands back for the schema to refuse. */
type Reader = (value: unknown) => unknown;
type Readers = Readonly<Record<string, Reader>>;

const asGiven: Reader = (value) => value;
/** Half a surrogate pair is no character, and turns into something else on its way. */
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
 * An order as it is checked and sent: what means "not given" is left out, texts without a limit of the service's are
 * cut, and what can be written in several ways is written in one. Never throws for what it reads: what is no order comes
 * back as it is, and so does a field that is wrong.
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

/** `undefined`, `null` and blank text for an optional field mean that it was not given. */
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

/** Of a longer number only the end may leave the shop; what does not end in four digits says nothing. */
function toLastFour(text: string): string | undefined {
  const end = text.trim().slice(-4);
  return /^\d{4}$/.test(end) ? end : undefined;
}

/** What JSON cannot carry, and fewer than none, say nothing about a customer. */
function isCount(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}

/** A card of which nothing is known is no card: it must not look like another state of the order. */
function withoutEmpty(value: unknown): unknown {
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return isEmpty && !Array.isArray(value) ? undefined : value;
}

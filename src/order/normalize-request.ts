import { cutText } from "./text.ts";
import { toEmailAddress } from "./email-address.ts";
import { toPlainIp } from "./ip-address.ts";
import { OWN_LIMITS, REQUEST_LIMITS } from "./request-limits.ts";
import { toUtcTimestamp } from "./timestamp.ts";

/** Undefined leaves the field out. An unreadable value is returned as it is, for the schema to refuse. */
type Reader = (value: unknown) => unknown;
type Readers = Readonly<Record<string, Reader>>;

/** How values are read that a caller may write in several ways. */
export interface Reading {
  /** A text that the service limits to `max` UTF-16 code units. */
  readonly limited: (max: number) => Reader;
  readonly number: Reader;
  readonly time: Reader;
  readonly ip: (text: string) => unknown;
  readonly items: (items: readonly unknown[]) => readonly unknown[];
}

/** Half a surrogate pair isn't a character, and would turn into something else when it is sent. */
const wellFormed = toText((text) => text.toWellFormed());

/**
 * An order in the form that is checked and sent: values that mean "not given" are left out, texts that the service
 * doesn't limit are cut, and values with several spellings are normalized. Never throws for its input: a value that
 * isn't an order is returned as it is, and so is a wrong field.
 */
export const normalizeRequest: Reader = createNormalizer({
  limited: () => wellFormed,
  number: (value) => value,
  time: (value) => value,
  ip: (text) => toPlainIp(text) ?? text,
  items: (items) => items,
});

/** A reader of every field of a verification request. Reads by name, so an object may be an instance of a class. */
export function createNormalizer({ limited, number, time, ip, items }: Reading): Reader {
  const readAddress = toObject({
    street: limited(REQUEST_LIMITS.street),
    city: limited(REQUEST_LIMITS.city),
    state: limited(REQUEST_LIMITS.state),
    postalCode: limited(REQUEST_LIMITS.postalCode),
    country: limited(REQUEST_LIMITS.country),
  });
  const readItem = toObject({
    name: limited(REQUEST_LIMITS.itemName),
    quantity: number,
    price: number,
    sku: optional(limited(REQUEST_LIMITS.itemSku)),
  });
  const readPayment = toObject({
    brand: cutTo(OWN_LIMITS.brand),
    lastFourDigits: optional(toText(toLastFour)),
    expiry: cutTo(OWN_LIMITS.expiry),
    holderName: optional(limited(REQUEST_LIMITS.holderName)),
  });
  const readTime = toText((text) => toUtcTimestamp(text) ?? text);
  const count = optional((value) => withoutNonsense(number(value)));
  return toObject({
    orderId: cutTo(OWN_LIMITS.orderId),
    orderAmount: number,
    currency: toText((text) => text.toUpperCase()),
    orderTimestamp: optional((value) => readTime(time(value))),
    items: optional((value) => (Array.isArray(value) ? items(value.map(readItem)) : value)),
    customerName: limited(REQUEST_LIMITS.customerName),
    customerEmail: toText((text) => toEmailAddress(text) ?? text),
    customerPhone: optional(limited(REQUEST_LIMITS.customerPhone)),
    isFirstTimeCustomer: (value) => value,
    accountAgeInDays: count,
    totalOrders: count,
    cancelledOrders: count,
    returnedOrders: count,
    fulfilledOrders: count,
    averageOrderValue: count,
    companyName: cutTo(OWN_LIMITS.companyName),
    companyAddress: cutTo(OWN_LIMITS.companyAddress),
    shippingAddress: readAddress,
    billingAddress: readAddress,
    paymentInfo: optional((value) => withoutEmpty(readPayment(value))),
    ipAddress: optional(toText(ip)),
    userAgent: optional(limited(REQUEST_LIMITS.userAgent)),
  } satisfies Readers);
}

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

export function toLimited(max: number): Reader {
  return toText((text) => {
    const whole = text.toWellFormed();
    return whole.length > max ? cutText(whole, max) : whole;
  });
}

function cutTo(max: number): Reader {
  return optional(toLimited(max));
}

/** Only the last four digits may leave the shop. A value that doesn't end in four digits is left out. */
function toLastFour(text: string): string | undefined {
  const end = text.trim().slice(-4);
  return /^\d{4}$/.test(end) ? end : undefined;
}

/** Numbers that JSON can't represent, and negative counts, say nothing about a customer. */
function withoutNonsense(value: unknown): unknown {
  return typeof value !== "number" || (Number.isFinite(value) && value >= 0) ? value : undefined;
}

/** A card without any known field is left out, so that it doesn't look like another state of the order. */
function withoutEmpty(value: unknown): unknown {
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return isEmpty && !Array.isArray(value) ? undefined : value;
}

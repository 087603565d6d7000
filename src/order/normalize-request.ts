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
  /** What may be text, before it's read as text. */
  readonly text: Reader;
  /** A text that the service limits to `max` UTF-16 code units. */
  readonly limited: (max: number) => Reader;
  readonly number: Reader;
  readonly flag: Reader;
  readonly time: Reader;
  readonly ip: Reader;
  readonly address: Reader;
  /** The order's own id. */
  readonly id: Reader;
}

const asGiven: Reader = (value) => value;

/** Half a surrogate pair isn't a character, and would turn into something else when it is sent. */
const wellFormed = ifText((text) => text.toWellFormed());

/**
 * An order in the form that is checked and sent: values that mean "not given" are left out, texts that the service
 * doesn't limit are cut, and values with several spellings are normalized. Never throws for its input: a value that
 * isn't an order is returned as it is, and so is a wrong field.
 */
export const normalizeRequest: Reader = createNormalizer({
  text: asGiven,
  limited: () => wellFormed,
  number: asGiven,
  flag: asGiven,
  time: asGiven,
  ip: ifText((text) => toPlainIp(text) ?? text),
  address: asGiven,
  id: asGiven,
});

/** A reader of every field of a verification request. Reads by name, so an object may be an instance of a class. */
export function createNormalizer(reading: Reading): Reader {
  const { text, limited, number, flag, time, ip, address, id } = reading;
  const limitedText = (max: number): Reader => {
    const limit = limited(max);
    return (value) => limit(text(value));
  };
  const cutTo = (max: number, prepare = text): Reader => {
    const cut = toLimited(max);
    return optional((value) => cut(prepare(value)));
  };
  const readAddress = toObject({
    street: limitedText(REQUEST_LIMITS.street),
    city: limitedText(REQUEST_LIMITS.city),
    state: limitedText(REQUEST_LIMITS.state),
    postalCode: limitedText(REQUEST_LIMITS.postalCode),
    country: limitedText(REQUEST_LIMITS.country),
  });
  const readItem = toObject({
    name: limitedText(REQUEST_LIMITS.itemName),
    quantity: number,
    price: number,
    sku: optional(limitedText(REQUEST_LIMITS.itemSku)),
  });
  const readPayment = toObject({
    brand: cutTo(OWN_LIMITS.brand),
    lastFourDigits: optional(ifText(toLastFour, (value) => withZeros(text(value), value))),
    expiry: cutTo(OWN_LIMITS.expiry),
    holderName: optional(limitedText(REQUEST_LIMITS.holderName)),
  });
  const readTime = ifText((written) => toUtcTimestamp(written) ?? written, time);
  const count = optional((value) => withoutNonsense(number(value)));
  return toObject({
    orderId: cutTo(OWN_LIMITS.orderId, id),
    orderAmount: number,
    currency: ifText((code) => code.trim().toUpperCase()),
    orderTimestamp: optional(readTime),
    items: optional((value) => (Array.isArray(value) ? value.map(readItem) : value)),
    customerName: limitedText(REQUEST_LIMITS.customerName),
    customerEmail: ifText((email) => toEmailAddress(email) ?? email, text),
    customerPhone: optional(limitedText(REQUEST_LIMITS.customerPhone)),
    isFirstTimeCustomer: flag,
    accountAgeInDays: count,
    totalOrders: count,
    cancelledOrders: count,
    returnedOrders: count,
    fulfilledOrders: count,
    averageOrderValue: count,
    companyName: cutTo(OWN_LIMITS.companyName),
    companyAddress: cutTo(OWN_LIMITS.companyAddress),
    shippingAddress: (value) => readAddress(address(value)),
    billingAddress: (value) => readAddress(address(value)),
    paymentInfo: optional((value) => withoutEmpty(readPayment(value))),
    ipAddress: optional(ip),
    userAgent: optional(limitedText(REQUEST_LIMITS.userAgent)),
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

function ifText(read: (text: string) => unknown, prepare = asGiven): Reader {
  return (value) => {
    const prepared = prepare(value);
    return typeof prepared === "string" ? read(prepared) : prepared;
  };
}

export function toLimited(max: number): Reader {
  return ifText((text) => {
    const whole = text.toWellFormed();
    return whole.length > max ? cutText(whole, max) : whole;
  });
}

/** Only the last four digits may leave the shop. A value that doesn't end in four digits is left out. */
function toLastFour(text: string): string | undefined {
  const end = text.trim().slice(-4);
  return /^\d{4}$/.test(end) ? end : undefined;
}

/** The text of a value. A number lost the zeros at its beginning. */
function withZeros(text: unknown, value: unknown): unknown {
  return typeof text === "string" && typeof value !== "string" ? text.padStart(4, "0") : text;
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

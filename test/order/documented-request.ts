import { isIP } from "node:net";
import * as fc from "fast-check";
import { anyText } from "../support/any-text.ts";

// Written from the service's interface document and deliberately not from our code. A request that this file allows and
// `src/order` refuses, or the other way round, is a defect.

/** The longest texts in the document's table of limits, in UTF-16 code units. */
const LIMITS = {
  customerName: 255,
  customerPhone: 50,
  street: 500,
  city: 100,
  state: 100,
  postalCode: 20,
  country: 100,
  holderName: 255,
  userAgent: 1000,
  itemName: 255,
  itemSku: 100,
} as const;

/** Text up to a limit, often exactly that long, in characters of one and of two code units. */
function textUpTo(max: number): fc.Arbitrary<string> {
  const filler = fc.constantFrom("x", "é", "測", "😀", "🏴", " ", "\u0000");
  return fc.oneof(
    anyText({ maxLength: Math.min(max, 40) }).filter((text) => text.length <= max),
    fc
      .tuple(filler, fc.integer({ min: 0, max: 2 }))
      .map(([unit, less]) => unit.repeat(max).slice(0, max - less))
      .map((text) => (text.isWellFormed() ? text : `${text.slice(0, -1)}x`)),
  );
}

const filledText = (max: number): fc.Arbitrary<string> =>
  textUpTo(max).map((text) => (text.trim() === "" ? "x" : text));
/** Text that the document doesn't limit. */
const freeText = fc.oneof(textUpTo(60), textUpTo(3_000));
const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -5, max: 5_000 }),
);
const positiveNumber = fc.oneof(
  fc.double({ min: 0, minExcluded: true, noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(Number.MIN_VALUE, 0.01, 19.99, 1e21),
);
const positiveInteger = fc.oneof(
  fc.integer({ min: 1, max: 1_000 }),
  fc.constantFrom(2 ** 53, 1e21, Number.MAX_SAFE_INTEGER),
);

const LOCAL_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789.!#$%&'*+/=?^_`{|}~-éü用".split("");
const localPart = fc.string({
  unit: fc.constantFrom(...LOCAL_CHARACTERS),
  minLength: 1,
  maxLength: 300,
});
const asciiLabel = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,20}[a-z0-9])?$/);
const domain = fc.oneof(
  fc.array(asciiLabel, { minLength: 2, maxLength: 6 }).map((labels) => labels.join(".")),
  fc.constantFrom(
    "müller.de",
    "пример.рф",
    "例え.jp",
    "straße.example.com",
    "xn--e1afmkfd.xn--p1ai",
    "GMAIL.COM",
  ),
);
const email = fc.tuple(localPart, domain).map(([local, host]) => `${local}@${host}`);

const timestamp = fc
  .tuple(
    fc.date({
      min: new Date("0001-01-02T00:00:00Z"),
      max: new Date("9999-12-30T00:00:00Z"),
      noInvalidDate: true,
    }),
    fc.constantFrom(":SS.mmmZ", ":SSZ", "Z", ":SS+05:30", "-11:00", ":SS.1234567Z", ":SS", ""),
  )
  .map(([date, form]) => {
    const iso = date.toISOString();
    const end = form.replace("SS", iso.slice(17, 19)).replace("mmm", iso.slice(20, 23));
    return iso.slice(0, 16) + end;
  });

const address = fc.record({
  street: filledText(LIMITS.street),
  city: filledText(LIMITS.city),
  state: filledText(LIMITS.state),
  postalCode: filledText(LIMITS.postalCode),
  country: filledText(LIMITS.country),
});
const item = fc.record(
  {
    name: filledText(LIMITS.itemName),
    quantity: positiveInteger,
    price: positiveNumber,
    sku: textUpTo(LIMITS.itemSku),
  },
  { requiredKeys: ["name", "quantity", "price"] },
);
const paymentInfo = fc.record(
  {
    brand: freeText,
    lastFourDigits: fc.stringMatching(/^\d{4}$/),
    expiry: freeText,
    holderName: textUpTo(LIMITS.holderName),
  },
  { requiredKeys: [] },
);

const REQUIRED = {
  orderAmount: positiveNumber,
  currency: fc.stringMatching(/^[A-Za-z]{3}$/),
  customerName: filledText(LIMITS.customerName),
  customerEmail: email,
  isFirstTimeCustomer: fc.boolean(),
  shippingAddress: address,
  billingAddress: address,
};
const OPTIONAL = {
  orderId: freeText,
  orderTimestamp: timestamp,
  items: fc.array(item, { maxLength: 4 }),
  customerPhone: textUpTo(LIMITS.customerPhone),
  accountAgeInDays: anyNumber,
  totalOrders: anyNumber,
  cancelledOrders: anyNumber,
  returnedOrders: anyNumber,
  fulfilledOrders: anyNumber,
  averageOrderValue: anyNumber,
  companyName: freeText,
  companyAddress: freeText,
  paymentInfo,
  ipAddress: fc.oneof(fc.ipV4(), fc.ipV6()),
  userAgent: textUpTo(LIMITS.userAgent),
};

/** The names of the optional fields. */
export const OPTIONAL_FIELDS = Object.keys(OPTIONAL);

/** Any request that the document allows. */
export const documentedRequest: fc.Arbitrary<Record<string, unknown>> = fc.record(
  { ...REQUIRED, ...OPTIONAL },
  { requiredKeys: Object.keys(REQUIRED) as (keyof typeof REQUIRED)[] },
);

type Check = (value: unknown) => boolean;

const isText =
  (max = Number.POSITIVE_INFINITY): Check =>
  (value) =>
    typeof value === "string" && value.isWellFormed() && value.length <= max;
const isFilled =
  (max: number): Check =>
  (value) =>
    isText(max)(value) && (value as string).trim() !== "";
const isMatch =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === "string" && pattern.test(value);
const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
const isPositive: Check = (value) => isNumber(value) && (value as number) > 0;
const isUtc: Check = (value) =>
  isMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/)(value) && !Number.isNaN(Date.parse(value as string));

/** Whether an object has all required fields, no unknown ones, and only valid values. */
function isShape(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>>,
): Check {
  const checks = { ...optional, ...required };
  return (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(required).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(
      ([name, inner]) => Object.hasOwn(checks, name) && checks[name]?.(inner) === true,
    );
}

const isAddress = isShape(
  {
    street: isFilled(LIMITS.street),
    city: isFilled(LIMITS.city),
    state: isFilled(LIMITS.state),
    postalCode: isFilled(LIMITS.postalCode),
    country: isFilled(LIMITS.country),
  },
  {},
);
const isItem = isShape(
  {
    name: isFilled(LIMITS.itemName),
    quantity: (value) => isPositive(value) && Number.isInteger(value),
    price: isPositive,
  },
  { sku: isText(LIMITS.itemSku) },
);

/**
 * Whether a body follows every rule of the document, read as strictly as possible: no unknown field, no null, an ASCII
 * domain, a UTC time.
 */
export const isStrictlyDocumented: Check = isShape(
  {
    orderAmount: isPositive,
    currency: isMatch(/^[A-Z]{3}$/),
    customerName: isFilled(LIMITS.customerName),
    customerEmail: isMatch(/^[^\s@\p{Cc}]+@[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/u),
    isFirstTimeCustomer: (value) => typeof value === "boolean",
    shippingAddress: isAddress,
    billingAddress: isAddress,
  },
  {
    orderId: isText(),
    orderTimestamp: isUtc,
    items: (value) => Array.isArray(value) && value.every(isItem),
    customerPhone: isText(LIMITS.customerPhone),
    accountAgeInDays: isNumber,
    totalOrders: isNumber,
    cancelledOrders: isNumber,
    returnedOrders: isNumber,
    fulfilledOrders: isNumber,
    averageOrderValue: isNumber,
    companyName: isText(),
    companyAddress: isText(),
    paymentInfo: isShape(
      {},
      {
        brand: isText(),
        lastFourDigits: isMatch(/^\d{4}$/),
        expiry: isText(),
        holderName: isText(LIMITS.holderName),
      },
    ),
    ipAddress: (value) => typeof value === "string" && isIP(value) > 0 && !value.includes("%"),
    userAgent: isText(LIMITS.userAgent),
  },
);

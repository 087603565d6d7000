import type { Logger } from "../base/logger.ts";
import { toCountryCode } from "../order/countries/country-code.ts";
import { isBlank, isFields } from "../order/complete-order.ts";
import { toGivenIp } from "../order/ip-address.ts";
import type { UsableOrder } from "../order/usable-order.ts";
import { findMinorDigits } from "../mapping/money.ts";
import {
  verificationRequestSchema,
  type PartialVerificationRequest,
  type StandIn,
} from "../order/request.ts";

/** Kinds of {@link OrderWarning}. */
export type WarningCode =
  | "TOTAL_FAR_FROM_LINES"
  | "AMOUNT_TOO_PRECISE"
  | "UNKNOWN_CURRENCY"
  | "UNKNOWN_COUNTRY"
  | "UNREADABLE_IP"
  | "PRIVATE_IP"
  | "NO_BUYER"
  | "UNUSABLE_FIELD"
  | "CHANGED_FIELD"
  | "DAMAGED_ID"
  | "UNKNOWN_KEY";

/** A probable mistake of the mapping, found in an order. The order is checked anyway. */
export interface OrderWarning {
  readonly code: WarningCode;
  /** The field, dotted. */
  readonly path: string;
  /** What to look at. Holds no values. */
  readonly message: string;
}

/** A total can include shipping, taxes and discounts, but if it is ten times the goods, it is in another unit. */
const FAR = 10;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** Warnings about fields that were left out or converted when an order was read. */
export function warnOfReading({
  given,
  unusable,
  changed,
}: Pick<UsableOrder, "given" | "unusable" | "changed">): readonly OrderWarning[] {
  const orderId = isFields(given) ? given["orderId"] : undefined;
  const isDamaged = typeof orderId === "number" && !Number.isSafeInteger(orderId);
  return [
    ...unusable.map(({ path, message }) => ({
      code: "UNUSABLE_FIELD" as const,
      path,
      message: `This can't be used, so the order is checked without it: ${message}.`,
    })),
    ...changed.map(({ path, message }) =>
      path === "orderId" && isDamaged
        ? ({ code: "DAMAGED_ID", path, message: DAMAGED } as const)
        : ({ code: "CHANGED_FIELD", path, message: `This was converted: ${message}.` } as const),
    ),
  ];
}

const DAMAGED = "This number is too large to be exact, so its last digits may be wrong. Pass ids as text.";

/** `given`: the order before unknown keys were dropped and `standIns` were filled. */
export function findWarnings(
  given: unknown,
  order: PartialVerificationRequest,
  standIns: readonly StandIn[],
): readonly OrderWarning[] {
  return [
    ...checkAmount(order),
    ...checkBuyer(order, standIns),
    ...checkCountries(order, standIns),
    ...checkIp(given, order),
    ...checkKeys(given, KEYS),
    ...checkInside(given, order, standIns),
  ];
}

/** A single order may lack these. If every order does, the mapping leaves them out. */
function checkBuyer(
  { customerEmail, orderAmount }: PartialVerificationRequest,
  standIns: readonly StandIn[],
): readonly OrderWarning[] {
  if (orderAmount === 0) return [];
  if (customerEmail === undefined) {
    const message = "The order has no email address, so it isn't sent: the local engine judges it.";
    return [{ code: "NO_BUYER", path: "customerEmail", message }];
  }
  const message = "The order doesn't have this. It's sent as N/A, so the order is judged with less data.";
  const isNowhere = standIns.includes("shippingAddress") && standIns.includes("billingAddress");
  return [
    ...(standIns.includes("customerName") ? ["customerName"] : []),
    ...(isNowhere ? ["shippingAddress"] : []),
  ].map((path) => ({ code: "NO_BUYER", path, message }));
}

function checkAmount({
  orderAmount,
  currency,
  items = [],
}: PartialVerificationRequest): readonly OrderWarning[] {
  if (orderAmount === undefined || currency === undefined) return [];
  if (!CURRENCIES.has(currency)) {
    const message = "This isn't a current ISO 4217 currency.";
    return [{ code: "UNKNOWN_CURRENCY", path: "currency", message }];
  }
  const warnings: OrderWarning[] = [];
  const lines = items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  // A coupon or a gift card can pay for everything.
  if (orderAmount > 0 && lines > 0 && (orderAmount > lines * FAR || orderAmount * FAR < lines)) {
    const message =
      "The total is far from the sum of the lines. Amounts are in major units, such as 19.99 and not 1999.";
    warnings.push({ code: "TOTAL_FAR_FROM_LINES", path: "orderAmount", message });
  }
  // From our own ISO 4217 table, because the first use of Intl takes 36 ms, in the first order's check.
  if (findMinorDigits(currency) === 0 && !Number.isInteger(orderAmount)) {
    const message = "This currency has no decimals. Amounts without decimals aren't divided by 100.";
    warnings.push({ code: "AMOUNT_TOO_PRECISE", path: "orderAmount", message });
  }
  return warnings;
}

function checkCountries(
  order: PartialVerificationRequest,
  standIns: readonly StandIn[],
): readonly OrderWarning[] {
  return (["shippingAddress", "billingAddress"] as const).flatMap((name) => {
    const country = order[name]?.country;
    if (country === undefined || toCountryCode(country) !== undefined) return [];
    if (standIns.includes(`${name}.country`)) return [];
    const message = "No country has this code or name. Use the ISO 3166-1 code, such as GB.";
    return [{ code: "UNKNOWN_COUNTRY", path: `${name}.country`, message } as const];
  });
}

function checkIp(given: unknown, { ipAddress }: PartialVerificationRequest): readonly OrderWarning[] {
  if (typeof given !== "object" || given === null || !("ipAddress" in given)) return [];
  if (isBlank(given.ipAddress) || ipAddress !== undefined) return [];
  if (toGivenIp(given.ipAddress) !== undefined) {
    const message =
      "This address is private or this machine's, so it isn't a customer's and isn't sent. Behind a proxy, set your framework to trust it.";
    return [{ code: "PRIVATE_IP", path: "ipAddress", message }];
  }
  const message =
    "This isn't one IP address, so it isn't sent. Leave out the zone. In a forwarded list, customers choose the first address themselves.";
  return [{ code: "UNREADABLE_IP", path: "ipAddress", message }];
}

const { shape } = verificationRequestSchema;
const KEYS = Object.keys(shape);
const ADDRESS_KEYS = Object.keys(shape.shippingAddress.shape);
const CARD_KEYS = Object.keys(shape.paymentInfo.unwrap().shape);
/** Most addresses have these. Many have no state. */
const USUAL_PARTS = ["street", "city", "postalCode", "country"] as const;
/** With more unknown keys than this, it's another document. */
const MOST_KEYS = 5;

/** An address may have more fields than ours, but if it lacks one of ours, it probably has another name there. */
function checkInside(
  given: unknown,
  { paymentInfo }: PartialVerificationRequest,
  standIns: readonly StandIn[],
): readonly OrderWarning[] {
  if (!isFields(given)) return [];
  const addresses = (["shippingAddress", "billingAddress"] as const).filter((name) =>
    USUAL_PARTS.some((part) => standIns.includes(`${name}.${part}`)),
  );
  return [
    ...addresses.flatMap((name) => checkKeys(given[name], ADDRESS_KEYS, `${name}.`)),
    ...(paymentInfo === undefined ? checkKeys(given["paymentInfo"], CARD_KEYS, "paymentInfo.") : []),
  ];
}

function checkKeys(given: unknown, known: readonly string[], prefix = ""): readonly OrderWarning[] {
  if (!isFields(given)) return [];
  return Object.keys(given)
    .filter((key) => !known.includes(key))
    .slice(0, MOST_KEYS)
    .map((key) => ({
      code: "UNKNOWN_KEY" as const,
      // If the order is an unchecked body, a key can contain anything.
      path: /^\w{1,40}$/.test(key) ? prefix + key : "",
      message: "The order has no such field, so it isn't sent.",
    }));
}

/** These can be about any field, so they are logged once per field. The path of an unknown key can be anything. */
const BY_FIELD: ReadonlySet<WarningCode> = new Set(["UNUSABLE_FIELD", "CHANGED_FIELD"]);

/** Logs each kind of warning once, because the mapping causes it in every order. */
export function createWarningLog(logger: Logger): (warnings: readonly OrderWarning[]) => void {
  const logged = new Set<string>();
  return (warnings) => {
    for (const { code, path, message } of warnings) {
      const kind = BY_FIELD.has(code) ? `${code} ${path.replaceAll(/\d+/g, "")}` : code;
      if (logged.has(kind)) continue;
      logged.add(kind);
      logger.warn({ code, path }, `an order looks wrong: ${message}`);
    }
  };
}

import { REQUEST_LIMITS, type PartialVerificationRequest } from "../order/request.ts";
import { cutText } from "../order/text.ts";
import { USD_PER_UNIT } from "./tables/currencies.ts";
import { toMeaningful, toPlace, type Place } from "./place.ts";
import { foldText } from "./text-shape.ts";

/** A line of an order, as far as it could be read. */
export interface ItemFacts {
  /** Folded. */
  readonly name: string;
  readonly quantity: number;
}

/** An e-mail address, folded. */
export interface EmailFacts {
  readonly local: string;
  readonly domain: string;
  readonly wellFormed: boolean;
}

/** Card facts, folded; the expiry as the first moment the card is no longer valid anywhere. */
export interface CardFacts {
  readonly brand: string | undefined;
  readonly lastFourDigits: string | undefined;
  readonly expiresAtMs: number | undefined;
  readonly holder: string | undefined;
}

/**
 * Everything the signals look at, read once. Whatever is missing, of the wrong type or a placeholder is undefined
 * and counts neither for nor against the order.
 */
export interface OrderFacts {
  readonly sandbox: boolean;
  /** The order's own time; the clock's only when the order has none. */
  readonly nowMs: number;
  readonly timeKnown: boolean;
  readonly amount: number | undefined;
  /** Upper case. */
  readonly currency: string | undefined;
  readonly amountUsd: number | undefined;
  readonly items: readonly ItemFacts[];
  readonly customerName: string | undefined;
  readonly companyName: string | undefined;
  readonly email: EmailFacts | undefined;
  /** Digits without extension; empty when there are none in what was given. */
  readonly phoneDigits: string | undefined;
  readonly firstOrder: boolean | undefined;
  readonly accountAgeDays: number | undefined;
  readonly totalOrders: number | undefined;
  readonly cancelledOrders: number | undefined;
  readonly returnedOrders: number | undefined;
  readonly fulfilledOrders: number | undefined;
  readonly averageOrderValue: number | undefined;
  readonly shipping: Place | undefined;
  readonly billing: Place | undefined;
  readonly card: CardFacts;
  readonly ipAddress: string | undefined;
  /** Empty when one was given and it was blank. */
  readonly userAgent: string | undefined;
}

/** Surroundings of {@link toOrderFacts}. */
export interface FactsOptions {
  readonly sandbox: boolean;
  readonly now: () => number;
}

type Fields = Readonly<Record<string, unknown>>;

/** More lines than this add nothing to the judgement, only time. */
const ITEMS_READ = 500;
const SHORT_TEXT = 255;
const EMAIL_LENGTH = 254;
const OFFSET_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/i;
/** The last time zone on earth reaches the end of a month twelve hours after UTC. */
const LAST_ZONE_MS = 12 * 3_600_000;

/** Read an order, whatever is in it. Never throws, whatever the types at run time are. */
export function toOrderFacts(order: PartialVerificationRequest, options: FactsOptions): OrderFacts {
  const fields = toFields(order);
  const orderMs = toTimeMs(fields["orderTimestamp"]);
  const amount = toPositive(fields["orderAmount"]);
  const currency = toText(fields["currency"], 3)?.toUpperCase();
  const rate =
    currency !== undefined && Object.hasOwn(USD_PER_UNIT, currency) ? USD_PER_UNIT[currency] : undefined;
  return {
    sandbox: options.sandbox,
    nowMs: orderMs ?? options.now(),
    timeKnown: orderMs !== undefined,
    amount,
    currency,
    amountUsd: amount === undefined || rate === undefined ? undefined : amount * rate,
    items: toItems(fields["items"]),
    customerName: toMeaningful(toText(fields["customerName"], REQUEST_LIMITS.customerName)),
    companyName: toMeaningful(toText(fields["companyName"], SHORT_TEXT)),
    email: toEmail(fields["customerEmail"]),
    phoneDigits: toPhoneDigits(fields["customerPhone"]),
    firstOrder:
      typeof fields["isFirstTimeCustomer"] === "boolean" ? fields["isFirstTimeCustomer"] : undefined,
    accountAgeDays: toCount(fields["accountAgeInDays"]),
    totalOrders: toCount(fields["totalOrders"]),
    cancelledOrders: toCount(fields["cancelledOrders"]),
    returnedOrders: toCount(fields["returnedOrders"]),
    fulfilledOrders: toCount(fields["fulfilledOrders"]),
    averageOrderValue: toCount(fields["averageOrderValue"]),
    shipping: toAddress(fields["shippingAddress"]),
    billing: toAddress(fields["billingAddress"]),
    card: toCard(fields["paymentInfo"]),
    ipAddress: toText(fields["ipAddress"], 64),
    userAgent: toGivenText(fields["userAgent"], REQUEST_LIMITS.userAgent)?.replaceAll(/\s+/g, " "),
  };
}

function toFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** Text that was given, perhaps blank. */
function toGivenText(value: unknown, max: number): string | undefined {
  return typeof value === "string" ? cutText(value, max) : undefined;
}

function toText(value: unknown, max: number): string | undefined {
  const text = toGivenText(value, max);
  return text === "" ? undefined : text;
}

function toCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function toPositive(value: unknown): number | undefined {
  const count = toCount(value);
  return count === 0 ? undefined : count;
}

function toTimeMs(value: unknown): number | undefined {
  const text = toText(value, 40);
  // Without an offset the answer would depend on the machine's time zone.
  if (text === undefined || !OFFSET_TIME.test(text)) return undefined;
  const timeMs = Date.parse(text.toUpperCase());
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

function toItems(value: unknown): readonly ItemFacts[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, ITEMS_READ).flatMap((entry: unknown) => {
    const item = toFields(entry);
    const name = toMeaningful(toText(item["name"], REQUEST_LIMITS.itemName));
    return name === undefined ? [] : [{ name, quantity: toPositive(item["quantity"]) ?? 1 }];
  });
}

function toEmail(value: unknown): EmailFacts | undefined {
  const text = toText(value, EMAIL_LENGTH);
  if (text === undefined) return undefined;
  const folded = foldText(text);
  const at = folded.lastIndexOf("@");
  const [local, domain] = at === -1 ? [folded, ""] : [folded.slice(0, at), folded.slice(at + 1)];
  return { local, domain, wellFormed: isWellFormed(local, domain) };
}

function isWellFormed(local: string, domain: string): boolean {
  const labels = domain.split(".");
  return (
    /^[^\s@<>(),;:"[\]\\]{1,64}$/.test(local) &&
    labels.length >= 2 &&
    labels.every(
      (label) => /^[\p{L}\p{N}-]{1,63}$/u.test(label) && !label.startsWith("-") && !label.endsWith("-"),
    ) &&
    /^(?:\p{L}{2,}|xn--.+)$/u.test(labels.at(-1) ?? "")
  );
}

function toPhoneDigits(value: unknown): string | undefined {
  const text = toText(value, REQUEST_LIMITS.customerPhone);
  // Digits of other scripts would be lost below and look like a number that is too short.
  if (text === undefined || /(?![0-9])\p{Nd}/u.test(text)) return undefined;
  const digits = foldText(text)
    .replace(/(?:x|ext\.?|#) ?\d{1,6}$/, "")
    .replaceAll(/\D/g, "");
  return digits === "" && toMeaningful(text) === undefined ? undefined : digits;
}

function toAddress(value: unknown): Place | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = toFields(value);
  return toPlace({
    street: toText(fields["street"], REQUEST_LIMITS.street),
    city: toText(fields["city"], REQUEST_LIMITS.city),
    state: toText(fields["state"], REQUEST_LIMITS.state),
    postalCode: toText(fields["postalCode"], REQUEST_LIMITS.postalCode),
    country: toText(fields["country"], REQUEST_LIMITS.country),
  });
}

function toCard(value: unknown): CardFacts {
  const fields = toFields(value);
  const holder = toMeaningful(toText(fields["holderName"], REQUEST_LIMITS.holderName));
  const lastFourDigits = toText(fields["lastFourDigits"], 4);
  return {
    brand: toMeaningful(toText(fields["brand"], 100)),
    lastFourDigits:
      lastFourDigits !== undefined && /^\d{4}$/.test(lastFourDigits) ? lastFourDigits : undefined,
    expiresAtMs: toExpiryMs(fields["expiry"]),
    // Terminals print this when the card tells no name.
    holder: holder !== undefined && /^card ?(?:holder|member)$/.test(holder) ? undefined : holder,
  };
}

/** Reads `MM/YY`, `MM/YYYY`, `MMYY` and `YYYY-MM`, with any of `/ - .` or a space between. */
function toExpiryMs(value: unknown): number | undefined {
  const text = toText(value, 20)?.replaceAll(/\s/g, "");
  const yearFirst = /^(\d{4})[-/.](\d{1,2})$/.exec(text ?? "");
  const monthFirst = /^(\d{1,2})[-/.]?(\d{4}|\d{2})$/.exec(text ?? "");
  const [year, month] =
    yearFirst === null ? [monthFirst?.[2], monthFirst?.[1]] : [yearFirst[1], yearFirst[2]];
  if (year === undefined || month === undefined) return undefined;
  const fullYear = year.length === 2 ? 2000 + Number(year) : Number(year);
  if (Number(month) < 1 || Number(month) > 12) return undefined;
  // Month numbers start at 0, so this is the first day of the month after.
  return Date.UTC(fullYear, Number(month), 1) + LAST_ZONE_MS;
}

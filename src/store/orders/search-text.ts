import { toCountryCode } from "../../order/countries/country-code.ts";
import type { PartialVerificationRequest } from "../../order/request.ts";
import { foldPlace, foldText } from "../../order/text.ts";
import { toKnownNow, type MappedOrder } from "../../platform/platform.ts";

/** An amount that somebody looks for: at least `min` and below `max`. */
export interface AmountSought {
  readonly min: number;
  readonly max: number;
  readonly currency: string | null;
  /** A number without decimals or a currency can also be part of something else. */
  readonly isSure: boolean;
}

/** Half of the smallest unit of most currencies: amounts aren't exact in binary. */
const HALF_CENT = 0.005;
/** A currency's sign, with letters as in `US$`, or its code. */
const MARK = /(?:[A-Za-z]{0,2}\p{Sc}|[A-Za-z]{3})/u;
/** Groups of three digits, or none. */
const WHOLE = /\d{1,3}(?:[.,’' \u00A0\u202F]\d{3})+|\d+/u;
const AMOUNT = new RegExp(
  `^(?<before>${MARK.source})?\\s?(?<whole>${WHOLE.source})(?:[.,](?<decimals>\\d{1,2}))?\\s?(?<after>${MARK.source})?$`,
  "u",
);

/** Read `59.90`, `$1,249.00`, `1.249,00 €` or `1249 EUR`; null for anything else. A whole number means any decimals. */
export function parseAmount(text: string): AmountSought | null {
  const groups = AMOUNT.exec(text.trim())?.groups;
  if (groups === undefined) return null;
  const { whole = "", decimals } = groups;
  const mark = groups["before"] ?? groups["after"];
  const currency = mark !== undefined && /^[A-Za-z]{3}$/.test(mark) ? mark.toUpperCase() : null;
  const value = Number(`${whole.replaceAll(/\D/g, "")}.${decimals ?? "0"}`);
  if (decimals === undefined) return { min: value, max: value + 1, currency, isSure: mark !== undefined };
  return { min: value - HALF_CENT, max: value + HALF_CENT, currency, isSure: true };
}

/** Two letters, or one of a script whose names can be that short, or three digits. Less would find most orders. */
const SEARCHABLE = /\p{L}{2}|[^\P{L}\p{Script=Latin}]|\d{3}/u;
/** A shorter part of an email address would find most orders. */
const SHORTEST_PART = 3;

/**
 * Whether an order's content matches a text: each word begins a word of the buyer's, recipient's or company's name, or of a
 * product; or the text is part of the email address, the beginning of the IP address, the card's last four digits or a
 * country. Accents don't count. Null if the text is too short to look for.
 */
export function createContentSearch(search: string): ((mapped: MappedOrder) => boolean) | null {
  if (!SEARCHABLE.test(search)) return null;
  const words = toWords(search);
  const part = foldText(search);
  const country = toCountryCode(search);
  const isLastFour = /^\d{4}$/.test(part);
  const isIp = /^[\da-f]*[.:][\da-f.:]*$/.test(part) && part.length >= SHORTEST_PART;

  return (mapped) => {
    const order = toKnownNow(mapped);
    if (country !== undefined && toCountries(order).includes(country)) return true;
    if (isLastFour && order.paymentInfo?.lastFourDigits === part) return true;
    if (isIp && order.ipAddress?.toLowerCase().startsWith(part) === true) return true;
    if (part.length >= SHORTEST_PART && foldText(order.customerEmail ?? "").includes(part)) return true;
    return toTexts(order, mapped.recipientName).some((text) => isNamed(text, words));
  };
}

function toCountries({ shippingAddress, billingAddress }: PartialVerificationRequest) {
  return [toCountryCode(shippingAddress?.country), toCountryCode(billingAddress?.country)];
}

function toTexts(order: PartialVerificationRequest, recipientName = ""): readonly string[] {
  const { customerName = "", companyName = "", items = [] } = order;
  return [customerName, recipientName, companyName, ...items.flatMap(({ name, sku = "" }) => [name, sku])];
}

/** Whether each word begins a word of the text. */
function isNamed(text: string, words: readonly string[]): boolean {
  if (text === "") return false;
  const parts = toWords(text);
  return words.every((word) => parts.some((part) => part.startsWith(word)));
}

function toWords(text: string): readonly string[] {
  return foldPlace(text).split(" ");
}

import { foldOrderPhone, PLACE_FOLDS } from "./place-folds.ts";
import { foldAddress, foldText } from "./text.ts";
import { foldEmail } from "./email-address.ts";
import type { OrderAddress, OrderItem, PartialVerificationRequest, VerificationRequest } from "./request.ts";

/** First element of the digested content. If you change the rules below, raise it, or answers get mixed up. */
const CONTENT_VERSION = 1;
/** Currencies have at most three decimals in trade (KWD, BHD, TND). Finer differences are floating-point noise. */
const UNITS_PER_MAJOR = 1_000;

const PARTS = ["street", "city", "state", "postalCode", "country"] as const;

type Text = string | null;

/**
 * Digest of what makes an order risky: two orders with the same fingerprint are the same question to the service.
 *
 * It covers the order id; the buyer (email, name, phone, company) and the recipient; the goods (lines in any order, and
 * split or merged, total, currency); the destination (both addresses and the company's); and the payment (brand, last four
 * digits, expiry, holder). Letter case, white space, punctuation and accents in addresses do not count, nor does the form of a
 * country, a postal code or a phone number; amounts count to a thousandth of a major unit; blank text counts as absent.
 *
 * It leaves out the IP address, user agent, order time, account age, order history and the first-time flag: they change
 * between two deliveries of the same order state, or aren't known when a host checks again in its last hook before
 * money moves. A second credit for them would buy the same answer.
 *
 * @param digest A keyed digest of the tenant, e.g. the keyring's, so that nobody can test guesses against it.
 * @param recipientName The recipient that the shipping address names, if the platform provides it. It counts only if it
 * isn't the customer.
 */
export function fingerprintOrder(
  order: VerificationRequest | PartialVerificationRequest,
  digest: (text: string) => string,
  recipientName = "",
): string {
  const recipient = foldText(recipientName);
  const isCustomer = recipient === "" || recipient === foldText(order.customerName ?? "");
  // A list with a fixed position for everything, so content can't move from one field to another unnoticed.
  return digest(
    JSON.stringify([
      CONTENT_VERSION,
      order.orderId ?? null,
      toWho(order),
      toWhat(order),
      [
        toPlace(order.shippingAddress),
        toPlace(order.billingAddress),
        toText(order.companyAddress, foldAddress),
      ],
      toPayment(order),
      ...(isCustomer ? [] : [recipient]),
    ]),
  );
}

function toWho(order: PartialVerificationRequest): readonly Text[] {
  return [
    toText(order.customerEmail, foldEmail),
    toText(order.customerName, foldText),
    foldOrderPhone(order) || null,
    toText(order.companyName, foldText),
  ];
}

function toWhat(order: PartialVerificationRequest): readonly unknown[] {
  return [toThousandths(order.orderAmount), toText(order.currency, foldText), toGoods(order.items ?? [])];
}

/** Lines of the same product at the same price are one line: shops split and merge them. */
function toGoods(items: readonly OrderItem[]): readonly string[] {
  const quantities = new Map<string, number>();
  for (const { name, sku, price, quantity } of items) {
    const product = [toText(name, foldText), toText(sku, foldText), toThousandths(price)];
    const key = JSON.stringify(product);
    quantities.set(key, (quantities.get(key) ?? 0) + quantity);
  }
  // Each product as its own text, so that sorting needs no second rule for those that share a name.
  return [...quantities].map(([key, quantity]) => `${quantity} ${key}`).toSorted();
}

function toPlace(address: Partial<OrderAddress> | undefined): readonly Text[] | null {
  if (address === undefined) return null;
  return PARTS.map((part) => toText(address[part], PLACE_FOLDS[part]));
}

function toPayment(order: PartialVerificationRequest): readonly Text[] | null {
  if (order.paymentInfo === undefined) return null;
  const { brand, lastFourDigits, expiry, holderName } = order.paymentInfo;
  return [brand, lastFourDigits, expiry, holderName].map((text) => toText(text, foldText));
}

function toText(text: string | undefined, fold: (text: string) => string): Text {
  return text === undefined ? null : fold(text) || null;
}

function toThousandths(amount: number | undefined): number | string | null {
  if (amount === undefined) return null;
  const thousandths = Math.round(amount * UNITS_PER_MAJOR);
  // JSON writes numbers that aren't finite as null, which would look absent.
  return Number.isFinite(thousandths) ? thousandths : String(amount);
}

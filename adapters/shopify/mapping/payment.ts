import { REQUEST_LIMITS, type PaymentInfo } from "../../../src/adapter-kit.ts";
import { cleanText, toCard, toExpiry } from "../../../src/mapping.ts";
import type { CardPayment } from "../operations/generated/operations.ts";
import { toDecimal, toJsonObject, type JsonObject } from "../base/payload.ts";

// Limit of Holdfast's own schema; the service names none.
const BRAND_MAX = 100;

/**
 * Card facts of orders from before 2023, which have `payment_details`; for later orders, enrichment adds them. Only the
 * last four digits of the masked card number are read. Undefined if there are no facts.
 */
export function toPaymentInfo(payload: JsonObject): PaymentInfo | undefined {
  const details = toJsonObject(payload["payment_details"]);
  if (details === undefined) return undefined;
  return toCard({
    brand: cleanText(details["credit_card_company"], BRAND_MAX),
    lastFourDigits: toLastFour(details["credit_card_number"]),
    expiry: readExpiry(details["credit_card_expiration_month"], details["credit_card_expiration_year"]),
    holderName: cleanText(details["credit_card_name"], REQUEST_LIMITS.holderName),
  });
}

function toLastFour(value: unknown): string | undefined {
  const end = typeof value === "string" ? value.trim().slice(-4) : "";
  return /^\d{4}$/.test(end) ? end : undefined;
}

/** `MM/YY`; undefined for a date that no card has. */
function readExpiry(month: unknown, year: unknown): string | undefined {
  const monthNumber = toDecimal(month) ?? 0;
  const yearNumber = toDecimal(year) ?? 0;
  const isMonth = Number.isInteger(monthNumber) && monthNumber >= 1 && monthNumber <= 12;
  const isYear = Number.isInteger(yearNumber) && yearNumber >= 2000 && yearNumber <= 2099;
  return isMonth && isYear ? toExpiry(monthNumber, yearNumber) : undefined;
}

const PAYING: ReadonlySet<string> = new Set(["AUTHORIZATION", "SALE", "EMV_AUTHORIZATION"]);
const WORKING: ReadonlySet<string> = new Set(["SUCCESS", "PENDING"]);

/** The card payment of an order: the one that succeeded, or else the first attempt. */
export function findCardPayment(transactions: readonly CardPayment[]): CardPayment | undefined {
  const cards = transactions.filter(({ paymentDetails }) => isCard(paymentDetails));
  return cards.find(({ kind, status }) => PAYING.has(kind) && WORKING.has(status)) ?? cards[0];
}

type Details = CardPayment["paymentDetails"];

function isCard(
  details: Details | undefined,
): details is Extract<Details, { __typename: "CardPaymentDetails" }> {
  return details?.__typename === "CardPaymentDetails";
}

/** A card payment under the names of the REST payloads, so that there is one mapping of cards. */
export function toCardDetails(payment: CardPayment | undefined): JsonObject {
  const details = payment?.paymentDetails;
  if (!isCard(details)) return {};
  return {
    credit_card_company: details.company,
    credit_card_number: details.number,
    credit_card_name: details.name,
    credit_card_expiration_month: details.expirationMonth,
    credit_card_expiration_year: details.expirationYear,
    credit_card_bin: details.bin,
    credit_card_wallet: details.wallet?.toLowerCase(),
    avs_result_code: details.avsResultCode,
    cvv_result_code: details.cvvResultCode,
  };
}

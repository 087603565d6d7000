import { REQUEST_LIMITS, type PaymentInfo } from "../../../src/index.ts";
import { cleanText } from "./clean-text.ts";
import { definedOnly, toDecimal, toJsonObject, type JsonObject } from "../intake/payload.ts";

// Limit of Holdfast's own schema; the service names none.
const BRAND_MAX = 100;

/**
 * Card facts of orders from before 2023, the last to have `payment_details`; later they come with enrichment.
 * Of the masked card number only the last four digits are read. Undefined when there are no facts.
 */
export function toPaymentInfo(payload: JsonObject): PaymentInfo | undefined {
  const details = toJsonObject(payload["payment_details"]);
  if (details === undefined) return undefined;
  const info = definedOnly({
    brand: cleanText(details["credit_card_company"], BRAND_MAX),
    lastFourDigits: toLastFour(details["credit_card_number"]),
    expiry: toExpiry(details["credit_card_expiration_month"], details["credit_card_expiration_year"]),
    holderName: cleanText(details["credit_card_name"], REQUEST_LIMITS.holderName),
  });
  return Object.keys(info).length === 0 ? undefined : info;
}

function toLastFour(value: unknown): string | undefined {
  const end = typeof value === "string" ? value.trim().slice(-4) : "";
  return /^\d{4}$/.test(end) ? end : undefined;
}

/** `MM/YY`. */
function toExpiry(month: unknown, year: unknown): string | undefined {
  const monthNumber = toDecimal(month) ?? 0;
  const yearNumber = toDecimal(year) ?? 0;
  const isMonth = Number.isInteger(monthNumber) && monthNumber >= 1 && monthNumber <= 12;
  const isYear = Number.isInteger(yearNumber) && yearNumber >= 2000 && yearNumber <= 2099;
  return isMonth && isYear
    ? `${String(monthNumber).padStart(2, "0")}/${String(yearNumber).slice(-2)}`
    : undefined;
}

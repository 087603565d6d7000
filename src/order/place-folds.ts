import { toCountryCode } from "./countries/country-code.ts";
import { foldPhone } from "./countries/phone-number.ts";
import type { OrderAddress, PartialVerificationRequest } from "./request.ts";
import { foldPlace } from "./text.ts";

/** The folded placeholder for a missing part of an address: counts as missing. */
const PLACEHOLDER = "n a";
/** Digits and fractions written above, below or inside something. Folded, `1²` would be 12, which is another house. */
const RAISED = /\p{No}/gu;

function foldPart(text: string): string {
  const folded = foldPlace(text.replaceAll(RAISED, " $& "));
  return folded === PLACEHOLDER ? "" : folded;
}

/**
 * For each part of an address, its form for comparison: equal forms are the same place. A house number is compared exactly,
 * with the spaces inside it: `1 2` isn't 12, and `12 a` isn't `12a`. What stands between numbers doesn't count.
 */
export const PLACE_FOLDS: Readonly<Record<keyof OrderAddress, (text: string) => string>> = {
  street: foldPart,
  city: foldPart,
  state: foldPart,
  // SW1A 1AA is SW1A1AA.
  postalCode: (text) => foldPart(text).replaceAll(" ", ""),
  // GBR and United Kingdom are GB.
  country: (text) => toCountryCode(text) ?? foldPart(text),
};

/** The order's phone number for comparison, as in the buyer's country; empty if there is none. */
export function foldOrderPhone({
  customerPhone = "",
  billingAddress,
  shippingAddress,
}: PartialVerificationRequest): string {
  const country = toCountryCode(billingAddress?.country) ?? toCountryCode(shippingAddress?.country);
  return foldPhone(customerPhone, country);
}

import type { EssentialFact } from "../order/decision.ts";
import type { OrderFacts } from "./order-facts.ts";
import type { Place } from "./place.ts";
import { hasPostcodes } from "./postal-codes.ts";

/** What an order lacks of the facts without which its risk cannot be called low. */
export function listMissing({
  email,
  customerName,
  shipping,
  billing,
}: OrderFacts): readonly EssentialFact[] {
  const missing: EssentialFact[] = [];
  if (email === undefined || email.local === "" || !email.domain.includes(".")) missing.push("email");
  if (customerName === undefined) missing.push("name");
  if (![shipping, billing].some(isComplete)) missing.push("address");
  return missing;
}

/** Whether mail would get there: a postal code is only asked for where the country has them. */
function isComplete(place: Place | undefined): boolean {
  if (place?.street === undefined || place.city === undefined || place.country === undefined) return false;
  return place.postcode !== undefined || !hasPostcodes(place.writtenCountry ?? place.country);
}

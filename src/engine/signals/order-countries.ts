import type { OrderFacts } from "../order-facts.ts";
import { EUROPEAN_MARKET } from "../tables/countries.ts";

/** Where an order is billed and where it goes. */
export interface OrderCountries {
  readonly billing: string;
  readonly shipping: string;
}

/** Soldiers and diplomats bill at home and are served abroad: for them distance says nothing. */
export function isMilitaryOrder({ billing, shipping }: OrderFacts): boolean {
  return billing?.military === true || shipping?.military === true;
}

/** Both countries of an order, to compare a third one with; null unless both are known and civilian. */
export function toOrderCountries(facts: OrderFacts): OrderCountries | null {
  const { billing, shipping } = facts;
  if (billing?.country === undefined || shipping?.country === undefined || isMilitaryOrder(facts))
    return null;
  return { billing: billing.country, shipping: shipping.country };
}

/** Whether a country is neither of the two. */
export function isThird(country: string, { billing, shipping }: OrderCountries): boolean {
  return country !== billing && country !== shipping;
}

/** Whether a country shares a market with one of the two, so that crossing the border is everyday. */
export function isNear(country: string, { billing, shipping }: OrderCountries): boolean {
  return EUROPEAN_MARKET.has(country) && (EUROPEAN_MARKET.has(billing) || EUROPEAN_MARKET.has(shipping));
}

import { EUROPEAN_MARKET, HOME_COUNTRIES } from "../tables/countries.ts";
import type { OrderFacts } from "../order-facts.ts";
import { citiesDiffer, countriesDiffer, regionsDiffer, toRegionCode } from "../place.ts";
import type { EvidenceGroup, Observation } from "../signal.ts";
import { IP_COUNTRY_SIGNALS } from "./ip-country.ts";
import { isMilitaryOrder, isNear, isThird, toOrderCountries } from "./order-countries.ts";

function isInsideMarket({ billing, shipping }: OrderFacts): boolean {
  return EUROPEAN_MARKET.has(billing?.country ?? "") && EUROPEAN_MARKET.has(shipping?.country ?? "");
}

/** Whether the order ships to another country than it is billed in. False when that cannot be said. */
export function shipsAbroad(facts: OrderFacts): boolean {
  return !isMilitaryOrder(facts) && countriesDiffer(facts.billing, facts.shipping) === true;
}

/** Whether the order ships to another country or region than it is billed in. False when that cannot be said. */
export function shipsElsewhere(facts: OrderFacts): boolean {
  return (
    shipsAbroad(facts) || (!isMilitaryOrder(facts) && regionsDiffer(facts.billing, facts.shipping) === true)
  );
}

function observePhoneCountry(facts: OrderFacts): Observation | null {
  const written = facts.phone?.country;
  const countries = toOrderCountries(facts);
  if (written === undefined || countries === null) return null;
  const country = HOME_COUNTRIES[written] ?? written;
  if (!isThird(country, countries)) return null;
  const { billing, shipping } = countries;
  return {
    points: isNear(country, countries) ? 4 : 8,
    description:
      billing === shipping
        ? `The phone number is one of ${country}; the order's addresses are in ${billing}.`
        : `The phone number is one of ${country}; the order is billed in ${billing} and shipped to ${shipping}.`,
  };
}

/** One region and no other city; one city where regions are not known. Without a street nobody knows where it goes. */
function isSamePlace({ billing, shipping, hasBothAddresses }: OrderFacts): boolean {
  if (!hasBothAddresses || billing?.street === undefined || shipping?.street === undefined) return false;
  const [regions, cities] = [regionsDiffer(billing, shipping), citiesDiffer(billing, shipping)];
  return regions !== true && cities !== true && (regions === false || cities === false);
}

/** Whether the places of an order belong together. No country gives points by itself, only a difference does. */
export const GEO_SIGNALS: EvidenceGroup = {
  name: "geo",
  isKnown: ({ billing, shipping, hasBothAddresses }) =>
    hasBothAddresses && countriesDiffer(billing, shipping) !== undefined,
  limitation: "Billing and shipping address cannot be compared.",
  signals: [
    {
      code: "BILL_SHIP_COUNTRY",
      category: "address",
      title: "Billing and shipping in different countries",
      observe: (facts) =>
        shipsAbroad(facts)
          ? {
              points: isInsideMarket(facts) ? 6 : 12,
              description: `Billed in ${facts.billing?.country}, shipped to ${facts.shipping?.country}.`,
            }
          : null,
    },
    {
      code: "BILL_SHIP_REGION",
      category: "address",
      title: "Billing and shipping in different regions",
      observe: (facts) => {
        if (isMilitaryOrder(facts) || regionsDiffer(facts.billing, facts.shipping) !== true) return null;
        const [from, to] = [toRegionCode(facts.billing), toRegionCode(facts.shipping)];
        const where = from === undefined || to === undefined ? "" : ` (${from} and ${to})`;
        return {
          points: 7,
          description: `The billing and shipping addresses are in different regions of one country${where}.`,
        };
      },
    },
    {
      code: "BILL_SHIP_CITY",
      category: "address",
      title: "Billing and shipping in different cities",
      observe: (facts) =>
        !isMilitaryOrder(facts) && citiesDiffer(facts.billing, facts.shipping) === true
          ? { points: 2, description: "The billing and shipping addresses are in different cities." }
          : null,
    },
    {
      code: "SAME_PLACE",
      category: "address",
      title: "Shipped to the billing address",
      observe: (facts) =>
        isSamePlace(facts) ? { points: -6, description: "the order ships to the billing address" } : null,
    },
    {
      code: "PHONE_COUNTRY",
      category: "customer",
      title: "Phone number from another country",
      observe: observePhoneCountry,
    },
    ...IP_COUNTRY_SIGNALS,
  ],
};

import { EUROPEAN_MARKET, HOME_COUNTRIES, REGISTERED_ABROAD } from "../tables/countries.ts";
import { DATA_SOURCES, fadePoints } from "../tables/data-sources.ts";
import type { OrderFacts } from "../facts/order-facts.ts";
import { isDisputedByBank } from "../facts/payment-facts.ts";
import {
  areasDiffer,
  citiesDiffer,
  countriesDiffer,
  isSameAddress,
  regionsDiffer,
  toRegionCode,
} from "../facts/place.ts";
import type { EvidenceGroup, Observation, Signal } from "./signal.ts";
import { say, type Sentence } from "./sentence.ts";

interface OrderCountries {
  readonly billing: string;
  readonly shipping: string;
}

/** Soldiers and diplomats are billed at home and live abroad, so distance says nothing about them. */
function isMilitaryOrder({ billing, shipping }: OrderFacts): boolean {
  return billing?.military === true || shipping?.military === true;
}

/** Both countries of an order, for comparing a third one; null unless both are known and civilian. */
function toOrderCountries(facts: OrderFacts): OrderCountries | null {
  const { billing, shipping } = facts;
  if (billing?.country === undefined || shipping?.country === undefined || isMilitaryOrder(facts))
    return null;
  return { billing: billing.country, shipping: shipping.country };
}

function isThird(country: string, { billing, shipping }: OrderCountries): boolean {
  return country !== billing && country !== shipping;
}

/** Whether a country shares a market with one of the two, so that orders across the border are normal. */
function isNear(country: string, { billing, shipping }: OrderCountries): boolean {
  return EUROPEAN_MARKET.has(country) && (EUROPEAN_MARKET.has(billing) || EUROPEAN_MARKET.has(shipping));
}

function isInsideMarket({ billing, shipping }: OrderFacts): boolean {
  return EUROPEAN_MARKET.has(billing?.country ?? "") && EUROPEAN_MARKET.has(shipping?.country ?? "");
}

/** Whether the shipping country differs from the billing country. False if unknown. */
export function shipsAbroad(facts: OrderFacts): boolean {
  return !isMilitaryOrder(facts) && countriesDiffer(facts.billing, facts.shipping) === true;
}

/** Whether the shipping country or region differs from the billing one. False if unknown. */
export function shipsElsewhere(facts: OrderFacts): boolean {
  return (
    shipsAbroad(facts) || (!isMilitaryOrder(facts) && regionsDiffer(facts.billing, facts.shipping) === true)
  );
}

/** Whether the order ships to another part of a country whose addresses have no region. False if unknown. */
export function shipsToOtherArea(facts: OrderFacts): boolean {
  return !isMilitaryOrder(facts) && areasDiffer(facts.billing, facts.shipping);
}

function observePhoneCountry(facts: OrderFacts): Observation | null {
  const written = facts.phone?.country;
  const countries = toOrderCountries(facts);
  if (written === undefined || countries === null) return null;
  const country = HOME_COUNTRIES[written] ?? written;
  if (!isThird(country, countries)) return null;
  return {
    points: isNear(country, countries) ? 4 : 8,
    says: say("The phone number is one of {country}, where neither of the addresses is.", { country }),
    beside: {
      codes: facts.ip?.country === country ? ["IP_COUNTRY_MISMATCH"] : [],
      says: say("The phone number is one of the same country as the IP address."),
    },
  };
}

/** The same region and no different city, or the same city if regions aren't known. Without a street, the place isn't known. */
function isSamePlace({ billing, shipping, hasBothAddresses }: OrderFacts): boolean {
  if (!hasBothAddresses || billing?.street === undefined || shipping?.street === undefined) return false;
  const [regions, cities] = [regionsDiffer(billing, shipping), citiesDiffer(billing, shipping)];
  return regions !== true && cities !== true && (regions === false || cities === false);
}

function toSamePlace({ billing, shipping }: OrderFacts): Observation {
  return isSameAddress(billing, shipping)
    ? {
        points: -6,
        title: "Same shipping and billing address",
        says: say("the shipping and billing addresses are the same"),
      }
    : { points: -6, says: say("the shipping and billing addresses are in the same city or region") };
}

/** ISO 3166-1 codes of the countries of each continent, as the United Nations group them (M49). */
const COUNTRIES_BY_CONTINENT: Readonly<Record<string, string>> = {
  Africa:
    "AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG ZA ZM ZW",
  Americas:
    "AG AI AR AW BB BL BM BO BQ BR BS BZ CA CL CO CR CU CW DM DO EC FK GD GL GT GY HN HT JM KN KY LC MF MS MX NI PA PE PY SR SV SX TC TT US UY VC VE VG",
  Asia: "AE AF AM AZ BD BH BN BT CN CY GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE",
  Europe:
    "AD AL AT BA BE BG BY CH CZ DE DK EE ES FI FO FR GB GI GR HR HU IE IS IT LT LU LV MD ME MK MT NL NO PL PT RO RS RU SE SI SK UA XK",
  Oceania: "AU CK FJ FM KI MH NC NR NU NZ PF PG PN PW SB TK TO TV VU WF WS",
};

const CONTINENTS: ReadonlyMap<string, string> = new Map(
  Object.entries(COUNTRIES_BY_CONTINENT).flatMap(([continent, countries]) =>
    countries.split(" ").map((country) => [country, continent]),
  ),
);

/** Whether two countries are known to be on different continents. */
function liesOverseas(first: string, second: string): boolean {
  const [left, right] = [CONTINENTS.get(first), CONTINENTS.get(second)];
  return left !== undefined && right !== undefined && left !== right;
}

/** Whether an IP address's country doesn't fit either country of an order. */
function isRegisteredElsewhere(country: string, order: OrderCountries): boolean {
  const homes = [order.billing, order.shipping].flatMap((home) => REGISTERED_ABROAD[home] ?? []);
  return isThird(country, order) && !homes.includes(country);
}

/** Whether the customer is online in a country other than both addresses'. False if unknown. */
export function ordersFromElsewhere(facts: OrderFacts): boolean {
  const { ip } = facts;
  const countries = toOrderCountries(facts);
  return ip?.country !== undefined && countries !== null && isRegisteredElsewhere(ip.country, countries);
}

/**
 * Whether the customer is online, without a VPN, in a shipping country that isn't the billing one. False if unknown.
 */
export function ordersFromDestination(facts: OrderFacts): boolean {
  const { ip } = facts;
  const countries = toOrderCountries(facts);
  if (ip === undefined || ip.network !== undefined || countries === null) return false;
  return ip.country === countries.shipping && ip.country !== countries.billing;
}

/**
 * Whether the order ships to another country than it's billed to, and nothing shows that the customer is away from home.
 * False if unknown.
 */
export function shipsAbroadFromHome(facts: OrderFacts): boolean {
  const { ip, billing } = facts;
  const isElsewhere =
    ip?.network !== undefined || (ip?.country !== undefined && ip.country !== billing?.country);
  return shipsAbroad(facts) && !isElsewhere;
}

/** Whether the customer is online on a continent other than both addresses', and not through a VPN. False if unknown. */
export function ordersFromOverseas(facts: OrderFacts): boolean {
  const { ip, billing } = facts;
  if (ip?.country === undefined || ip.network !== undefined || billing?.country === undefined) return false;
  return ordersFromElsewhere(facts) && liesOverseas(ip.country, billing.country);
}

/** Another continent is stronger evidence than a neighboring country. A VPN's exit says little about where its user is. */
function toMismatchPoints(country: string, order: OrderCountries, isHidden: boolean): number {
  const points = isNear(country, order) ? 8 : liesOverseas(country, order.billing) ? 15 : 12;
  return isHidden ? Math.ceil(points / 2) : points;
}

function observeElsewhere(facts: OrderFacts): Observation | null {
  const { ip } = facts;
  const countries = toOrderCountries(facts);
  if (ip?.country === undefined || countries === null || !isRegisteredElsewhere(ip.country, countries))
    return null;
  const points = toMismatchPoints(ip.country, countries, ip.network !== undefined);
  return {
    points: fadePoints(points, DATA_SOURCES.ipCountries, facts.nowMs),
    says: sayElsewhere(ip.network !== undefined, { ...countries, ip: ip.masked, country: ip.country }),
  };
}

/** A VPN's exit isn't where its user is. If the addresses' countries differ, that has its own signal. */
function sayElsewhere(
  isHidden: boolean,
  values: OrderCountries & { readonly ip: string; readonly country: string },
): Sentence {
  if (isHidden)
    return say(
      "The VPN or server is in {country}, where neither of the addresses is. The customer may be elsewhere.",
      values,
    );
  return values.billing === values.shipping
    ? say("The IP address ({ip}) is registered in {country}; the order's addresses are in {billing}.", values)
    : say(
        "The IP address ({ip}) is registered in {country}, neither the billing nor the shipping country.",
        values,
      );
}

/** The IP address agrees with one of two addresses in different countries. */
function observeOneSide(side: keyof OrderCountries, points: number) {
  return (facts: OrderFacts): Observation | null => {
    const { ip } = facts;
    const countries = toOrderCountries(facts);
    if (countries === null || countries.billing === countries.shipping) return null;
    if (ip?.country !== countries[side] || ip.network !== undefined) return null;
    return {
      points: fadePoints(points, DATA_SOURCES.ipCountries, facts.nowMs),
      says: say("The IP address ({ip}) is registered in the {side} country, not in the {other} one.", {
        ip: ip.masked,
        side,
        other: side === "billing" ? "shipping" : "billing",
      }),
    };
  };
}

/** Signals from where the customer is online, compared with the addresses. Part of the evidence about places. */
const IP_COUNTRY_SIGNALS: readonly Signal[] = [
  {
    code: "IP_COUNTRY_MISMATCH",
    category: "technical",
    title: "Network in a different country than both addresses",
    observe: observeElsewhere,
  },
  {
    code: "IP_MATCHES_SHIPPING_ONLY",
    category: "technical",
    title: "Ordered from the shipping country, not the billing country",
    observe: observeOneSide("shipping", 8),
  },
  {
    code: "IP_MATCHES_BILLING_ONLY",
    category: "technical",
    title: "Ordered from the billing country, shipped abroad",
    observe: observeOneSide("billing", 3),
  },
];

/** Signals from the places of an order. No country gives points by itself, only a difference does. */
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
              says: say("Billed in {billing}, shipped to {shipping}.", {
                billing: facts.billing?.country ?? "",
                shipping: facts.shipping?.country ?? "",
              }),
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
        return {
          points: 7,
          says:
            from === undefined || to === undefined
              ? say("The billing and shipping addresses are in different regions of one country.")
              : say("Billed in {from}, shipped to {to}.", { from, to }),
        };
      },
    },
    {
      code: "BILL_SHIP_CITY",
      category: "address",
      title: "Billing and shipping in different cities",
      observe: (facts) =>
        !isMilitaryOrder(facts) && citiesDiffer(facts.billing, facts.shipping) === true
          ? { points: 2, says: say("The billing and shipping addresses are in different cities.") }
          : null,
    },
    {
      code: "SAME_PLACE",
      category: "address",
      title: "Shipped to where it's billed",
      isClaim: true,
      observe: (facts) =>
        isSamePlace(facts) && !isDisputedByBank(facts.payment) ? toSamePlace(facts) : null,
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

import type { OrderFacts } from "../order-facts.ts";
import type { Observation, Signal } from "../signal.ts";
import { DATA_SOURCES, fadePoints } from "../tables/data-sources.ts";
import { isNear, isThird, toOrderCountries, type OrderCountries } from "./order-countries.ts";

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

/** Whether two countries are known to lie on different continents. */
export function liesOverseas(first: string, second: string): boolean {
  const [left, right] = [CONTINENTS.get(first), CONTINENTS.get(second)];
  return left !== undefined && right !== undefined && left !== right;
}

/** Whether the customer is online in another country than both addresses. False when that cannot be said. */
export function ordersFromElsewhere(facts: OrderFacts): boolean {
  const countries = toOrderCountries(facts);
  return facts.ip?.country !== undefined && countries !== null && isThird(facts.ip.country, countries);
}

/** Another continent is stronger than a neighbour; a VPN's exit says little about where its user is. */
function toMismatchPoints(country: string, order: OrderCountries, isHidden: boolean): number {
  const points = isNear(country, order) ? 8 : liesOverseas(country, order.billing) ? 16 : 12;
  return isHidden ? points / 2 : points;
}

function observeElsewhere(facts: OrderFacts): Observation | null {
  const { ip } = facts;
  const countries = toOrderCountries(facts);
  if (ip?.country === undefined || countries === null || !isThird(ip.country, countries)) return null;
  const { billing, shipping } = countries;
  const addresses =
    billing === shipping
      ? `the order's addresses are in ${billing}`
      : `billing in ${billing}, shipping in ${shipping}`;
  const points = toMismatchPoints(ip.country, countries, ip.network !== undefined);
  return {
    points: fadePoints(points, DATA_SOURCES.ipCountries, facts.nowMs),
    description: `The IP address (${ip.masked}) is registered in ${ip.country}; ${addresses}.`,
  };
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
      description: `Billed in ${countries.billing}, shipped to ${countries.shipping}, ordered from ${ip.country} (${ip.masked}).`,
    };
  };
}

/** Where the customer is online, against the addresses. Part of the evidence about places. */
export const IP_COUNTRY_SIGNALS: readonly Signal[] = [
  {
    code: "IP_COUNTRY_MISMATCH",
    category: "technical",
    title: "Ordered from a different country than both addresses",
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

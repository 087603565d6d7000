import { EUROPEAN_MARKET } from "../tables/countries.ts";
import type { OrderFacts } from "../order-facts.ts";
import { citiesDiffer, countriesDiffer, regionsDiffer, toRegionCode } from "../place.ts";
import type { EvidenceGroup } from "../signal.ts";

/** Soldiers and diplomats bill at home and are served abroad: for them distance says nothing. */
function isExempt({ billing, shipping }: OrderFacts): boolean {
  return billing?.military === true || shipping?.military === true;
}

function isInsideMarket({ billing, shipping }: OrderFacts): boolean {
  return EUROPEAN_MARKET.has(billing?.country ?? "") && EUROPEAN_MARKET.has(shipping?.country ?? "");
}

/** Whether the order ships to another country than it is billed in. False when that cannot be said. */
export function shipsAbroad(facts: OrderFacts): boolean {
  return !isExempt(facts) && countriesDiffer(facts.billing, facts.shipping) === true;
}

/** Whether the order ships to another country or region than it is billed in. False when that cannot be said. */
export function shipsElsewhere(facts: OrderFacts): boolean {
  return shipsAbroad(facts) || (!isExempt(facts) && regionsDiffer(facts.billing, facts.shipping) === true);
}

/** Whether billing and shipping belong together. No country gives points by itself, only a difference does. */
export const GEO_SIGNALS: EvidenceGroup = {
  name: "geo",
  isKnown: ({ billing, shipping }) => countriesDiffer(billing, shipping) !== undefined,
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
        if (isExempt(facts) || regionsDiffer(facts.billing, facts.shipping) !== true) return null;
        const [from, to] = [toRegionCode(facts.billing), toRegionCode(facts.shipping)];
        const where = from === undefined || to === undefined ? "" : ` (${from} and ${to})`;
        return {
          points: 5,
          description: `Billing and shipping lie in different regions of one country${where}.`,
        };
      },
    },
    {
      code: "BILL_SHIP_CITY",
      category: "address",
      title: "Billing and shipping in different cities",
      observe: (facts) =>
        !isExempt(facts) && citiesDiffer(facts.billing, facts.shipping) === true
          ? { points: 2, description: "Billing and shipping lie in different cities." }
          : null,
    },
  ],
};

import { POSTCODE_SHAPES } from "../tables/postcodes.ts";
import { RESHIPPER_PATTERN } from "../tables/reshippers.ts";
import type { OrderFacts } from "../order-facts.ts";
import type { Place } from "../place.ts";
import type { EvidenceGroup } from "../signal.ts";
import { isGibberish, toWords } from "../text-shape.ts";

const PO_BOX =
  /\bp\.? ?o\.? ?box\b|\bpost ?office box\b|\bpostbox\b|\bpostfach\b|\bpostbus\b|\bapartado (?:de correos|postal)\b|\bboite postale\b|\bcaixa postal\b|\bcasella postale\b/;
/** Goods worth this much, in US dollars, are seldom sent to a box. */
const PO_BOX_AMOUNT_USD = 300;
/** Forwarders number their customers, and the number becomes the suite. */
const LONG_UNIT_NUMBER =
  /\b(?:suite|ste|apt|apartment|unit)\.? ?#? ?[a-z]{0,3}-?\d{5,}\b|#[a-z]{0,3}-?\d{5,}\b/;
/** "Test", "Test St 1", "Teststreet 5": but not "Test Valley", which exists. */
const TEST_PLACE = /^(?:test|test ?(?:street|st|str|strasse|road|address|city|town))\b[\s\d.,#-]*$/;

function toPlaces({ shipping, billing }: OrderFacts): readonly Place[] {
  return [shipping, billing].filter((place) => place !== undefined);
}

function isNonsense(place: Place): boolean {
  return [place.street, place.city].some(
    (text) => text !== undefined && (TEST_PLACE.test(text) || toWords(text).some(isGibberish)),
  );
}

function isMisshapen({ postcode, country }: Place): boolean {
  const shape = country === undefined ? undefined : POSTCODE_SHAPES[country];
  return shape !== undefined && postcode !== undefined && !shape.test(postcode);
}

function toShippingStreet({ shipping }: OrderFacts): string {
  return shipping === undefined || shipping.military ? "" : (shipping.street ?? "");
}

/** What the addresses say about themselves. Whether they exist is not looked up. */
export const ADDRESS_SIGNALS: EvidenceGroup = {
  name: "address",
  isKnown: (facts) =>
    toPlaces(facts).some((place) => (place.street ?? place.city ?? place.postcode) !== undefined),
  limitation: "The order has no address.",
  signals: [
    {
      code: "ADDRESS_NONSENSE",
      category: "address",
      title: "Meaningless address",
      observe: (facts) =>
        toPlaces(facts).some(isNonsense)
          ? { points: 14, description: "Street or city is a test word or letters typed at random." }
          : null,
    },
    {
      code: "RESHIPPER_NAMED",
      category: "address",
      title: "Parcel forwarder",
      observe: (facts) =>
        RESHIPPER_PATTERN.test(toShippingStreet(facts))
          ? { points: 16, description: "The shipping address names a parcel-forwarding service." }
          : null,
    },
    {
      code: "SUITE_5_DIGITS",
      category: "address",
      title: "Unit number as forwarders give them",
      observe: (facts) =>
        LONG_UNIT_NUMBER.test(toShippingStreet(facts))
          ? { points: 6, description: "The unit number of the shipping address has five digits or more." }
          : null,
    },
    {
      code: "PO_BOX",
      category: "address",
      title: "Ships to a post-office box",
      observe: (facts) => {
        if (!PO_BOX.test(toShippingStreet(facts))) return null;
        return (facts.amountUsd ?? 0) >= PO_BOX_AMOUNT_USD
          ? { points: 9, description: "An expensive order goes to a post-office box." }
          : { points: 3, description: "The order goes to a post-office box." };
      },
    },
    {
      code: "POSTCODE_FORMAT",
      category: "address",
      title: "Postal code does not fit the country",
      observe: (facts) => {
        const misshapen = toPlaces(facts).find(isMisshapen);
        return misshapen === undefined
          ? null
          : { points: 8, description: `A postal code does not have the form used in ${misshapen.country}.` };
      },
    },
  ],
};

import { isReshipperPostcode, RESHIPPER_PATTERN } from "../tables/reshippers.ts";
import { maskPostcode } from "../facts/masking.ts";
import type { OrderFacts } from "../facts/order-facts.ts";
import { toRegionCode, type Place } from "../facts/place.ts";
import { fitsCountry, fitsRegion } from "../facts/postal-codes.ts";
import type { EvidenceGroup, Observation } from "./signal.ts";
import { say } from "./sentence.ts";
import { BOX_COUNTRIES } from "../tables/countries.ts";
import { isGibberish, toWords } from "../text/text-shape.ts";
import { shipsAbroadFromHome, shipsElsewhere } from "./geo.ts";

const PO_BOX =
  /\bp\.? ?o\.? ?box\b|\bpost ?office box\b|\bpostbox\b|\bpostfach\b|\bpostbus\b|\bapartado (?:de correos|postal)\b|\bboite postale\b|\bcaixa postal\b|\bcasella postale\b/;
/** Goods worth this much, in US dollars, are rarely sent to a PO box. */
const PO_BOX_AMOUNT_USD = 300;
/** Forwarders number their customers and write the number as the suite. */
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

/** A territory uses its own codes or those of its country. Both are accepted. */
function isMisshapen({ postcode, country, writtenCountry }: Place): boolean {
  if (postcode === undefined || country === undefined || writtenCountry === undefined) return false;
  return [...new Set([writtenCountry, country])].every(
    (candidate) => fitsCountry(postcode, candidate) === false,
  );
}

function observePostcodeFormat(facts: OrderFacts): Observation | null {
  const misshapen = toPlaces(facts).find(isMisshapen);
  return misshapen === undefined
    ? null
    : {
        points: 8,
        says: say("A postal code doesn't have the format used in {country}.", {
          country: misshapen.writtenCountry ?? "",
        }),
      };
}

/** Countries whose tables are complete: tested against all codes (United States), or the codes follow the states by law. */
const SURE_REGIONS: ReadonlySet<string> = new Set(["US", "CA", "AU"]);

function isAstray({ postcode, writtenCountry, region, military }: Place): boolean {
  if (postcode === undefined || writtenCountry === undefined || region === undefined || military)
    return false;
  return fitsRegion(postcode, writtenCountry, region) === false;
}

function observePostcodeRegion(facts: OrderFacts): Observation | null {
  const astray = toPlaces(facts).filter(isAstray);
  const place = astray.find((candidate) => isSure(candidate)) ?? astray[0];
  if (place === undefined) return null;
  const [region, country] = [toRegionCode(place), place.writtenCountry ?? ""];
  const postcode = maskPostcode(place.postcode ?? "");
  return {
    points: isSure(place) ? 10 : 6,
    says:
      region === undefined
        ? say("A postal code ({postcode}) isn't in its address's region of {country}.", { postcode, country })
        : say("A postal code ({postcode}) isn't in its address's region, {region}.", { postcode, region }),
  };
}

function isSure({ writtenCountry }: Place): boolean {
  return SURE_REGIONS.has(writtenCountry ?? "");
}

/** In countries without door delivery, a PO box is the normal address. */
function observeBox(facts: OrderFacts): Observation | null {
  if (!PO_BOX.test(toShippingStreet(facts))) return null;
  const country = facts.shipping?.writtenCountry;
  if (country === undefined || BOX_COUNTRIES.has(country)) return null;
  return (facts.amountUsd ?? 0) >= PO_BOX_AMOUNT_USD
    ? {
        points: 9,
        says: say("The order ships to a PO box, which is rare for goods worth {usd} USD or more.", {
          usd: PO_BOX_AMOUNT_USD,
        }),
      }
    : { points: 3, says: say("The order ships to a PO box.") };
}

/**
 * A customer billed in the same region may live there, so only one from elsewhere counts. Not for customers abroad:
 * forwarders exist for them, and other signals already count that the order ships to another country.
 */
function observeReshipperArea(facts: OrderFacts): Observation | null {
  const { shipping } = facts;
  if (shipping?.postcode === undefined || shipping.country !== "US") return null;
  return isReshipperPostcode(shipping.postcode) && shipsElsewhere(facts) && !shipsAbroadFromHome(facts)
    ? {
        points: 8,
        says: say("The order ships to an area with many parcel forwarders ({postcode}).", {
          postcode: maskPostcode(shipping.postcode),
        }),
      }
    : null;
}

function toShippingStreet({ shipping }: OrderFacts): string {
  return shipping === undefined || shipping.military ? "" : (shipping.street ?? "");
}

/** Signals from the addresses themselves. Whether they exist isn't checked. */
export const ADDRESS_SIGNALS: EvidenceGroup = {
  name: "address",
  isKnown: (facts) =>
    toPlaces(facts).some((place) => (place.street ?? place.city ?? place.postcode) !== undefined),
  limitation: "The order has no address.",
  signals: [
    {
      code: "ADDRESS_NONSENSE",
      category: "address",
      title: "Address that looks invented",
      observe: (facts) =>
        toPlaces(facts).some(isNonsense)
          ? { points: 14, says: say("A street or city looks like a test word or random letters.") }
          : null,
    },
    {
      code: "RESHIPPER_NAMED",
      category: "address",
      title: "Parcel forwarder",
      observe: (facts) =>
        RESHIPPER_PATTERN.test(toShippingStreet(facts))
          ? {
              points: 16,
              says: say(
                "The shipping address names a parcel-forwarding service, so the goods may go on from there to a place that the order doesn't show.",
              ),
            }
          : null,
    },
    {
      code: "SUITE_5_DIGITS",
      category: "address",
      title: "Unit number typical of parcel forwarders",
      observe: (facts) =>
        LONG_UNIT_NUMBER.test(toShippingStreet(facts)) && !shipsAbroadFromHome(facts)
          ? { points: 6, says: say("The unit number in the shipping address has five or more digits.") }
          : null,
    },
    {
      code: "RESHIPPER_AREA",
      category: "address",
      title: "Area with many parcel forwarders",
      observe: observeReshipperArea,
    },
    { code: "PO_BOX", category: "address", title: "Ships to a PO box", observe: observeBox },
    {
      code: "POSTCODE_FORMAT",
      category: "address",
      title: "Postal code doesn't match the country",
      observe: observePostcodeFormat,
    },
    {
      code: "POSTCODE_REGION",
      category: "address",
      title: "Postal code from another region",
      observe: observePostcodeRegion,
    },
  ],
};

import { toCountryCode } from "../../order/countries/country-code.ts";
import { HOME_COUNTRIES } from "../tables/countries.ts";
import { findRegionCode, hasRegions } from "./postal-codes.ts";
import { foldText } from "../text/text-shape.ts";

/** "States" of the US military post. Orders to them may be placed from anywhere. */
const MILITARY_REGIONS: ReadonlySet<string> = new Set(["aa", "ae", "ap"]);
/** "Cities" of the military and diplomatic post of the United States and of British forces. */
const MILITARY_CITIES: ReadonlySet<string> = new Set(["apo", "fpo", "dpo", "bfpo"]);

/** A postal address, folded for comparison. A part that is missing or only a placeholder is undefined. */
export interface Place {
  readonly street: string | undefined;
  readonly city: string | undefined;
  readonly region: string | undefined;
  /** Upper case, without spaces and hyphens. */
  readonly postcode: string | undefined;
  /** ISO 3166-1 code of the country whose post delivers here; undefined if unknown. */
  readonly country: string | undefined;
  /** The country as written: a territory keeps its own code and postal codes. */
  readonly writtenCountry: string | undefined;
  /** Military or diplomatic post. */
  readonly military: boolean;
}

/** The original texts of an address, each already cut to its limit. */
export interface RawPlace {
  readonly street: string | undefined;
  readonly city: string | undefined;
  readonly state: string | undefined;
  readonly postalCode: string | undefined;
  readonly country: string | undefined;
}

/** What shops write in fields they can't fill. */
const PLACEHOLDER =
  /^(?:n[./]?a\.?|none|null|nil|undefined|unknown|not (?:available|applicable|provided|given|specified|known)|no (?:street|address|city|name|company|value)|withheld|placeholder|tb[acd]|same(?: as (?:above|billing|shipping)(?: address)?)?|[-–—._x*?\s]+|0+)$/;

/** A folded text, or undefined if it is empty or a placeholder. */
export function toMeaningful(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const folded = foldText(text);
  return folded === "" || PLACEHOLDER.test(folded) ? undefined : folded;
}

/** Read an address. Unknown countries and regions stay undefined, so that they never count as a mismatch. */
export function toPlace(raw: RawPlace): Place {
  const city = toMeaningful(raw.city);
  const written = toCountryCode(raw.country);
  // French business mail: "75008 CEDEX 08" is delivered like 75008.
  const postcode = toMeaningful(raw.postalCode)
    ?.toUpperCase()
    .replaceAll(/[\s-]/g, "")
    .replace(/(?<=\d)CEDEX\d{0,2}$/, "");
  const state = toMeaningful(raw.state);
  return {
    street: toMeaningful(raw.street),
    city,
    region: toRegion(state, city, written),
    postcode,
    country: written === undefined ? undefined : (HOME_COUNTRIES[written] ?? written),
    writtenCountry: written,
    military: isMilitary(city, state, written, postcode),
  };
}

/** Whether two countries differ; undefined if one is unknown. */
export function countriesDiffer(first: Place | undefined, second: Place | undefined): boolean | undefined {
  if (first?.country === undefined || second?.country === undefined) return undefined;
  return first.country !== second.country;
}

/** Whether two places in one country are in different regions; undefined if unknown. */
export function regionsDiffer(first: Place | undefined, second: Place | undefined): boolean | undefined {
  if (countriesDiffer(first, second) !== false) return undefined;
  const [left, right] = [first?.region, second?.region];
  if (left === undefined || right === undefined) return undefined;
  // A code can't be compared with an unknown name.
  if (left.length <= 3 !== right.length <= 3) return undefined;
  return left !== right;
}

/** Whether two places in one country are in different cities; undefined if unknown. */
export function citiesDiffer(first: Place | undefined, second: Place | undefined): boolean | undefined {
  if (countriesDiffer(first, second) !== false) return undefined;
  if (first?.city === undefined || second?.city === undefined) return undefined;
  return first.city.replaceAll(/[^\p{L}]/gu, "") !== second.city.replaceAll(/[^\p{L}]/gu, "");
}

/**
 * Whether two places, in a country whose addresses have no region, are in different cities and far apart, judged by the
 * letters or the first digit of their postal codes. False if unknown.
 */
export function areasDiffer(first: Place | undefined, second: Place | undefined): boolean {
  if (regionsDiffer(first, second) !== undefined || citiesDiffer(first, second) !== true) return false;
  const [left, right] = [toPostalArea(first), toPostalArea(second)];
  return left !== undefined && right !== undefined && left !== right;
}

function toPostalArea(place: Place | undefined): string | undefined {
  // "LV-1010" is also written "1010".
  const bare = place?.postcode?.replace(/^[A-Z]{1,2}(?=\d+$)/, "");
  return bare === undefined ? undefined : /^(?:[A-Z]+|.)/.exec(bare)?.[0];
}

/** Whether both are the same address, including the street. False if a street is missing. */
export function isSameAddress(first: Place | undefined, second: Place | undefined): boolean {
  if (first?.street === undefined || first.street !== second?.street) return false;
  return first.city === second.city && first.postcode === second.postcode && first.country === second.country;
}

/** `AZ` or `NSW` from a known name. Safe to show, unlike free text. */
export function toRegionCode(place: Place | undefined): string | undefined {
  const region = place?.region;
  return region !== undefined && /^[A-Z]{2,3}$/.test(region) ? region : undefined;
}

function toRegion(
  state: string | undefined,
  city: string | undefined,
  country: string | undefined,
): string | undefined {
  if (country === undefined) return undefined;
  const home = HOME_COUNTRIES[country];
  // Puerto Rico is written as a country or as a US state.
  if (home === "US") return country;
  if (state === undefined) return undefined;
  if (hasRegions(country)) return findRegionCode(country, state) ?? toNumberedRegion(state);
  // If an address has no state, shops write the city there, which isn't a region. Without a city, that can't be known.
  return city === undefined || state === city ? undefined : state;
}

/** Numbered regions. No table has them, but they can be compared with each other. */
function toNumberedRegion(state: string): string | undefined {
  return /^[a-z]{0,8}[ _-]?\d{1,5}(?:\.0)?$/.test(state) ? `region ${state}` : undefined;
}

function isMilitary(
  city: string | undefined,
  state: string | undefined,
  country: string | undefined,
  postcode: string | undefined,
): boolean {
  if (city !== undefined && MILITARY_CITIES.has(city)) return true;
  if (postcode?.startsWith("BFPO") === true) return true;
  return country === "US" && state !== undefined && MILITARY_REGIONS.has(state);
}

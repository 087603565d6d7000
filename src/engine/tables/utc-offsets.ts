import { CLOCKS } from "./generated/utc-offsets.ts";

/** Hours ahead of UTC, in standard time, for regions of countries with distant time zones. Source: IANA, by hand. */
const REGIONS_BY_OFFSET: readonly (readonly [hours: number, places: string])[] = [
  [-10, "US-HI"],
  [-9, "US-AK"],
  [-8, "US-CA US-NV US-OR US-WA CA-BC MX-BC"],
  [-7, "US-AZ US-CO US-ID US-MT US-NM US-UT US-WY CA-AB CA-YT CA-NT MX-BCS MX-SON MX-SIN MX-NAY"],
  [
    -6,
    "US-AL US-AR US-IA US-IL US-KS US-LA US-MN US-MO US-MS US-ND US-NE US-OK US-SD US-TN US-TX US-WI CA-MB CA-SK MX-AGS MX-CAMP MX-CHIS MX-CHIH MX-COAH MX-COL MX-D.F. MX-DGO MX-MEX MX-GTO MX-GRO MX-HGO MX-JAL MX-MICH MX-MOR MX-NL MX-OAX MX-PUE MX-QRO MX-SLP MX-TAB MX-TAMPS MX-TLAX MX-VER MX-YUC MX-ZAC",
  ],
  [
    -5,
    "US-CT US-DC US-DE US-FL US-GA US-IN US-KY US-MA US-MD US-ME US-MI US-NC US-NH US-NJ US-NY US-OH US-PA US-RI US-SC US-VA US-VT US-WV CA-ON CA-QC MX-QROO BR-AC",
  ],
  [-4, "US-PR US-VI CA-NB CA-NS CA-PE BR-AM BR-MS BR-MT BR-RO BR-RR"],
  [
    -3,
    "BR-AL BR-AP BR-BA BR-CE BR-DF BR-ES BR-GO BR-MA BR-MG BR-PA BR-PB BR-PE BR-PI BR-PR BR-RJ BR-RN BR-RS BR-SC BR-SE BR-SP BR-TO",
  ],
  [8, "AU-WA"],
  [9.5, "AU-SA AU-NT"],
  [10, "US-GU AU-NSW AU-VIC AU-QLD AU-TAS AU-ACT"],
];

const REGION_OFFSETS: ReadonlyMap<string, number> = new Map(
  REGIONS_BY_OFFSET.flatMap(([hours, places]) =>
    places.split(" ").map((place): [string, number] => [place, hours]),
  ),
);

const COUNTRY_OFFSETS: ReadonlyMap<string, readonly number[]> = new Map(
  CLOCKS.split("|").map((line): [string, readonly number[]] => {
    const [code = "", ...hours] = line.split(" ");
    return [code, hours.map(Number)];
  }),
);

/**
 * For countries whose time zones differ by more than a night: the zone in the middle of their population. Kosovo uses
 * Belgrade's time and has no own zone.
 */
const MIDDLE_OFFSETS: Readonly<Record<string, number>> = {
  US: -6,
  CA: -5,
  MX: -6,
  BR: -3,
  AU: 10,
  RU: 3,
  GL: -2,
  XK: 1,
};
/** Up to this difference, all zones of a country are checked. */
const NEAR_HOURS = 3;

/**
 * The possible hours ahead of UTC at a place, in standard time. Summer time is ignored, so the resulting hour can be one too
 * early. Several if a country's zone isn't known, empty if nothing is.
 */
export function listUtcOffsets(country: string, region: string | undefined): readonly number[] {
  const ofRegion = region === undefined ? undefined : REGION_OFFSETS.get(`${country}-${region}`);
  if (ofRegion !== undefined) return [ofRegion];
  const offsets = COUNTRY_OFFSETS.get(country) ?? [];
  const span = (offsets.at(-1) ?? 0) - (offsets[0] ?? 0);
  if (span <= NEAR_HOURS && MIDDLE_OFFSETS[country] === undefined) return offsets;
  const middle = MIDDLE_OFFSETS[country];
  return middle === undefined ? [] : [middle];
}

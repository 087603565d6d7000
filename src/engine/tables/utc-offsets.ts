/**
 * Standard time of countries with one zone, and of the regions of those with several: hours ahead of UTC. Summer time
 * is left out, so an hour read from this can be one too early. Source: IANA time zone database (public domain), by hand.
 */
const COUNTRIES_BY_OFFSET: readonly (readonly [hours: number, places: string])[] = [
  [-10, "PF US-HI"],
  [-9, "US-AK"],
  [-8, "US-CA US-NV US-OR US-WA CA-BC MX-BC"],
  [-7, "US-AZ US-CO US-ID US-MT US-NM US-UT US-WY CA-AB CA-YT CA-NT MX-BCS MX-SON MX-SIN MX-NAY"],
  [
    -6,
    "BZ CR GT HN NI SV US-AL US-AR US-IA US-IL US-KS US-LA US-MN US-MO US-MS US-ND US-NE US-OK US-SD US-TN US-TX US-WI CA-MB CA-SK MX-AGS MX-CAMP MX-CHIS MX-CHIH MX-COAH MX-COL MX-D.F. MX-DGO MX-MEX MX-GTO MX-GRO MX-HGO MX-JAL MX-MICH MX-MOR MX-NL MX-OAX MX-PUE MX-QRO MX-SLP MX-TAB MX-TAMPS MX-TLAX MX-VER MX-YUC MX-ZAC",
  ],
  [
    -5,
    "BS CO HT JM KY PA PE US-CT US-DC US-DE US-FL US-GA US-IN US-KY US-MA US-MD US-ME US-MI US-NC US-NH US-NJ US-NY US-OH US-PA US-RI US-SC US-VA US-VT US-WV CA-ON CA-QC MX-QROO BR-AC",
  ],
  [
    -4,
    "AG AW BB BM BO DM DO GD GY KN LC PY TT VC VE US-PR US-VI CA-NB CA-NS CA-PE BR-AM BR-MS BR-MT BR-RO BR-RR",
  ],
  [
    -3,
    "AR SR UY BR-AL BR-AP BR-BA BR-CE BR-DF BR-ES BR-GO BR-MA BR-MG BR-PA BR-PB BR-PE BR-PI BR-PR BR-RJ BR-RN BR-RS BR-SC BR-SE BR-SP BR-TO",
  ],
  [-1, "CV"],
  [0, "BF CI GB GH GM GN GW IE IS LR ML MR SL SN TG"],
  [
    1,
    "AD AL AO AT BA BE BJ CF CG CH CM CZ DE DK DZ FR GA GQ HR HU IT LI LU MA ME MK MT NE NG NL NO PL RS SE SI SK TD TN XK",
  ],
  [2, "BG BI BW CY EE EG FI GR IL LB LS LT LV LY MD MW MZ NA RO RW SD SZ UA ZA ZM ZW"],
  [3, "BH BY DJ ER ET IQ JO KE KM KW MG QA SA SO SY TR TZ UG YE"],
  [3.5, "IR"],
  [4, "AE AM AZ GE MU OM SC"],
  [4.5, "AF"],
  [5, "MV PK TJ TM UZ KZ"],
  [5.5, "IN LK"],
  [5.75, "NP"],
  [6, "BD BT KG"],
  [6.5, "MM"],
  [7, "KH LA TH VN"],
  [8, "BN CN HK MO MY PH SG TW AU-WA"],
  [9, "JP KR"],
  [9.5, "AU-SA AU-NT"],
  [10, "PG US-GU AU-NSW AU-VIC AU-QLD AU-TAS AU-ACT"],
  [12, "FJ NZ"],
];

/** `CO` or `US-CA` → hours ahead of UTC. */
export const UTC_OFFSETS: ReadonlyMap<string, number> = new Map(
  COUNTRIES_BY_OFFSET.flatMap(([hours, places]) =>
    places.split(" ").map((place): [string, number] => [place, hours]),
  ),
);

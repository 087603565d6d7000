/**
 * Territories whose post and cards work like those of the country beside them, so moving between the two doesn't count as a
 * border.
 */
export const HOME_COUNTRIES: Readonly<Record<string, string>> = {
  AS: "US",
  GU: "US",
  MP: "US",
  PR: "US",
  UM: "US",
  VI: "US",
  GG: "GB",
  IM: "GB",
  JE: "GB",
  CC: "AU",
  CX: "AU",
  NF: "AU",
  BL: "FR",
  GF: "FR",
  GP: "FR",
  MC: "FR",
  MF: "FR",
  MQ: "FR",
  PM: "FR",
  RE: "FR",
  YT: "FR",
  AX: "FI",
  SJ: "NO",
  SM: "IT",
  VA: "IT",
  LI: "CH",
  AC: "SH",
  TA: "SH",
};

/**
 * Countries with many IP addresses registered in another country, where the provider's parent company is: 44 % of Iraq's, 15
 * to 19 % of the Baltic states', and all of Kosovo's, which registries don't know. Such an address counts as local.
 *
 * Source: `@ip-location-db/geo-whois-asn-country` of 2026-06 (who uses a range) against the registries' delegations.
 */
export const REGISTERED_ABROAD: Readonly<Record<string, readonly string[]>> = {
  EE: ["SE"],
  IQ: ["AE"],
  LT: ["SE"],
  LV: ["SE"],
  XK: ["AL", "RS"],
};

/** The European single market and Switzerland, where people often shop across borders. */
export const EUROPEAN_MARKET: ReadonlySet<string> = new Set([
  "AT",
  "BE",
  "BG",
  "CH",
  "CY",
  "CZ",
  "DE",
  "DK",
  "EE",
  "ES",
  "FI",
  "FR",
  "GR",
  "HR",
  "HU",
  "IE",
  "IS",
  "IT",
  "LI",
  "LT",
  "LU",
  "LV",
  "MT",
  "NL",
  "NO",
  "PL",
  "PT",
  "RO",
  "SE",
  "SI",
  "SK",
]);

/**
 * Countries with little or no mail delivery to the door, where most people use a PO box.
 *
 * Source: addressing sheets of the Universal Postal Union.
 */
export const BOX_COUNTRIES: ReadonlySet<string> = new Set(
  "AE AG AI BH BM BS BW BZ CM ET FJ FK GH GL GM JM JO KE KN KW KY LC LR LS MS MW NA OM PG QA RW SA SB SC SL SS SZ TC TO TT TZ UG VC VG VU WS YE ZA ZM ZW".split(
    " ",
  ),
);

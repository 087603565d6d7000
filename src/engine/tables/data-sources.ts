import { RATES_AS_OF } from "./generated/currencies.ts";
import { IP_COUNTRIES } from "./generated/ip-countries.ts";
import { IP_NETWORKS } from "./generated/ip-networks.ts";
import { POSTAL_FORMATS_AS_OF } from "./generated/postal-formats.ts";
import { CLOCKS_AS_OF } from "./generated/utc-offsets.ts";

/**
 * The newest major version of desktop browsers on one day, and how many are released per year.
 *
 * Source: the version table of the npm package `caniuse-lite` 1.0.30001826 (CC BY 4.0, caniuse.com); the pace is a release
 * every four weeks. Updated by hand.
 */
export const NEWEST_BROWSERS = {
  asOf: "2026-11-03",
  perYear: 13,
  major: { chrome: 157, firefox: 160 },
} as const;

/** The last major version that ran on a Windows before 10. */
export const LAST_ON_OLD_WINDOWS = { chrome: 109, firefox: 115 } as const;

/** Data that an answer is based on. */
export interface DataSource {
  /** The day of the data, `YYYY-MM-DD`. */
  readonly asOf: string;
  /** For data that changes quickly: its name for a reviewer, once it is too old to count in full. */
  readonly perishable?: string;
}

/**
 * The data the engine comes with. The versions of npm packages are compared with what is installed by
 * `test/engine/tables/data-sources.test.ts`.
 */
export const DATA_SOURCES = {
  /** `disposable-email-domains-js` 1.26.0. */
  disposableDomains: { asOf: "2026-09-21", perishable: "the list of disposable email domains" },
  ipCountries: { asOf: IP_COUNTRIES.asOf, perishable: "the countries of IP addresses" },
  ipNetworks: { asOf: IP_NETWORKS.asOf, perishable: "the networks of IP addresses" },
  /** `libphonenumber-js` 1.13.16. */
  phoneNumbers: { asOf: "2026-11-10" },
  /** `tldts` 7.5.4. */
  publicSuffixes: { asOf: "2026-11-15" },
  postalFormats: { asOf: POSTAL_FORMATS_AS_OF },
  browsers: { asOf: NEWEST_BROWSERS.asOf },
  currencies: { asOf: RATES_AS_OF },
  clocks: { asOf: CLOCKS_AS_OF },
} as const satisfies Readonly<Record<string, DataSource>>;

/** Perishable data counts in full for this long. */
const FRESH_MS = 180 * 86_400_000;
const STALE_SHARE = 0.5;

/** Whether data was too old to count in full when the order was placed. */
export function isStale({ asOf }: DataSource, orderMs: number): boolean {
  return orderMs - Date.parse(asOf) > FRESH_MS;
}

/** The points of a signal based on perishable data: half of them once the data is stale. */
export function fadePoints(points: number, source: DataSource, orderMs: number): number {
  return isStale(source, orderMs) ? Math.round(points * STALE_SHARE) : points;
}

/** Each source and its day, for an answer. */
export function listDataVersions(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(DATA_SOURCES).map(([name, { asOf }]) => [name, asOf]));
}

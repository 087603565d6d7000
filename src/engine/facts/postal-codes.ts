import { POSTAL_FORMATS, POSTAL_REGIONS } from "../tables/generated/postal-formats.ts";
import { foldText } from "../text/text-shape.ts";

/** Spellings of regions that differ from the standard names. Country → folded text → code. */
const REGION_ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  US: {
    "washington dc": "DC",
    "washington d.c.": "DC",
    "virgin islands": "VI",
  },
  CA: { newfoundland: "NL", "northwest territories": "NT", yukon: "YT", "yukon territory": "YT" },
  MX: {
    cdmx: "D.F.",
    df: "D.F.",
    "ciudad de mexico": "D.F.",
    "mexico city": "D.F.",
    mexico: "MEX",
  },
};

interface Regions {
  /** Folded name or code → code. */
  readonly codes: ReadonlyMap<string, string>;
  /** Code → the prefixes of its postal codes. */
  readonly prefixes: ReadonlyMap<string, RegExp>;
}

/** Patterns are compiled on first use and kept. */
const formats = new Map<string, RegExp | undefined>();
const regions = new Map<string, Regions | undefined>();

/** Whether the names of a country's regions are known. */
export function hasRegions(country: string): boolean {
  return Object.hasOwn(POSTAL_REGIONS, country);
}

/** Whether addresses of a country have a postal code. */
export function hasPostcodes(country: string): boolean {
  const format = openFormat(country);
  return format !== undefined && !format.test("");
}

/** The code of a region from its code or name, folded; undefined if unknown. */
export function findRegionCode(country: string, region: string): string | undefined {
  const known = openRegions(country)?.codes;
  return known?.get(region) ?? known?.get(region.replaceAll(/[^\p{L}]/gu, ""));
}

/**
 * Whether a postal code (upper case, without spaces and hyphens) has its country's format. Undefined if that can't be known:
 * countries without codes, codes in other digits.
 */
export function fitsCountry(postcode: string, country: string): boolean | undefined {
  const format = openFormat(country);
  if (format === undefined || !/^[A-Z0-9]+$/.test(postcode)) return undefined;
  return findFitting(postcode, country, format).length > 0;
}

/** Whether a postal code belongs to a region of its country; undefined if unknown. */
export function fitsRegion(postcode: string, country: string, region: string): boolean | undefined {
  const prefix = openRegions(country)?.prefixes.get(region);
  const format = openFormat(country);
  if (prefix === undefined || format === undefined) return undefined;
  const fitting = findFitting(postcode, country, format);
  return fitting.length === 0 ? undefined : fitting.some((spelling) => prefix.test(spelling));
}

/** The code as written if it fits its country, otherwise the spellings of it that do. */
function findFitting(postcode: string, country: string, format: RegExp): readonly string[] {
  return format.test(postcode)
    ? [postcode]
    : toSpellings(postcode, country).filter((spelling) => format.test(spelling));
}

/** With and without the country prefix ("L-1234"), and with the leading zeros that spreadsheets drop. */
function toSpellings(postcode: string, country: string): readonly string[] {
  const bare = postcode.startsWith(country)
    ? postcode.slice(country.length)
    : postcode.replace(/^[A-Z](?=\d+$)/, "");
  const spellings = [`${country}${postcode}`, bare];
  return /^\d{3,8}$/.test(postcode) ? [...spellings, `0${postcode}`] : spellings;
}

/**
 * Formats in use that the table lacks: British forces abroad (BF1), Egypt's seven digits beside five (UPU's addressing
 * sheet), Cambodia's six and, since 2025, eight digits, Mauritius Post's five, Paraguay's six, Tristan da Cunha's code,
 * Somalia's region before the digits, Tanzania's five digits (2012), and the zone letter in Venezuela.
 */
const MORE_FORMATS: Readonly<Record<string, string>> = {
  EG: "\\d{7}",
  GB: "BF1\\d[A-Z]{2}",
  KH: "\\d{6}(?:\\d{2})?",
  MU: "\\d{5}",
  PY: "\\d{6}",
  SH: "TDCU1ZZ",
  SO: "[A-Z]{2}\\d{5}",
  TZ: "\\d{5}",
  VE: "\\d{4}[A-Z]",
};

/** Prefixes of regions that the table lacks: Kuala Lumpur's 53000 to 59999 (Pos Malaysia's postcode finder). */
const MORE_PREFIXES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  MY: { "KUALA LUMPUR": "5[0-9]" },
};

function openFormat(country: string): RegExp | undefined {
  if (!formats.has(country)) {
    const pattern = Object.hasOwn(POSTAL_FORMATS, country) ? POSTAL_FORMATS[country] : undefined;
    const more = MORE_FORMATS[country];
    const forms = more === undefined ? pattern : `${pattern}|${more}`;
    formats.set(country, forms === undefined ? undefined : new RegExp(`^(?:${forms})$`));
  }
  return formats.get(country);
}

function openRegions(country: string): Regions | undefined {
  if (!regions.has(country)) regions.set(country, readRegions(country));
  return regions.get(country);
}

function readRegions(country: string): Regions | undefined {
  const lines = hasRegions(country) ? POSTAL_REGIONS[country]?.split("\n") : undefined;
  if (lines === undefined) return undefined;
  const rows = lines.map((line) => line.split("~"));
  const more = MORE_PREFIXES[country] ?? {};
  const prefixes = rows.flatMap(([code = "", , prefix = ""]): [string, RegExp][] =>
    prefix === ""
      ? []
      : [[code, new RegExp(`^(?:${more[code] === undefined ? prefix : `${prefix}|${more[code]}`})`)]],
  );
  const names = rows.flatMap(([code = "", name = ""]) => [
    [foldText(code), code] as const,
    [foldText(name), code] as const,
    [foldText(code).replaceAll(/[^\p{L}]/gu, ""), code] as const,
    [foldText(name).replaceAll(/[^\p{L}]/gu, ""), code] as const,
  ]);
  const aliases = Object.entries(REGION_ALIASES[country] ?? {});
  return { codes: new Map([...names, ...aliases]), prefixes: new Map(prefixes) };
}

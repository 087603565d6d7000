import { writeFileSync } from "node:fs";
import { generateAlpha3Codes } from "./local-tables/alpha-3-codes.ts";
import { generateCallingCodes } from "./local-tables/calling-codes.ts";
import { generateCountryNames } from "./local-tables/country-names.ts";
import { generateCurrencies } from "./local-tables/currencies.ts";
import { generateIpCountries, generateIpNetworks } from "./local-tables/ip-tables.ts";
import { generateLetterPairs } from "./local-tables/letter-pairs.ts";
import { generatePostalFormats } from "./local-tables/postal-formats.ts";
import { generateUtcOffsets } from "./local-tables/utc-offsets.ts";

// Writes the generated tables of the local engine, and those of countries, which the fingerprint uses, too.
//
//   node scripts/generate-local-tables.ts INPUTS [TABLE]...
//
// INPUTS is a folder with the sources of the tables, each unpacked into its own folder:
//
//   asn-country/      npm pack @ip-location-db/asn-country
//   asn/              npm pack @ip-location-db/asn
//   cldr-core/        npm pack cldr-core, of the version that Node's Intl has
//   faker/            npm pack @faker-js/faker
//   currency-api/     npm pack @fawazahmed0/currency-api
//   countryinfo.txt   testdata/countryinfo.txt of github.com/google/libaddressinput
//
// The project behind the first two publishes newer files as releases of github.com/sapics/ip-location-db, by the same names;
// put the day in the version of a package.json beside them (`1.0.YYYYMMDD`). The same inputs give the same files.

type Generate = (inputs: string) => string | Promise<string>;

const COUNTRY_TABLES: Readonly<Record<string, Generate>> = {
  "alpha-3-codes": generateAlpha3Codes,
  "calling-codes": generateCallingCodes,
  "country-names": generateCountryNames,
};
/** Where the tables stand in `src` that aren't among the engine's. */
const FOLDERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(COUNTRY_TABLES).map((name) => [name, "order/countries"])),
  "letter-pairs": "engine/text",
};
const TABLES: Readonly<Record<string, Generate>> = {
  ...COUNTRY_TABLES,
  currencies: generateCurrencies,
  "ip-countries": generateIpCountries,
  "ip-networks": generateIpNetworks,
  "letter-pairs": generateLetterPairs,
  "postal-formats": generatePostalFormats,
  "utc-offsets": generateUtcOffsets,
};

const [inputs, ...wanted] = process.argv.slice(2);
if (inputs === undefined || wanted.some((name) => !Object.hasOwn(TABLES, name))) {
  throw new Error(
    `usage: node scripts/generate-local-tables.ts INPUTS [${Object.keys(TABLES).join("|")}]...`,
  );
}
for (const [name, generate] of Object.entries(TABLES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const source = await generate(inputs);
  const folder = FOLDERS[name] ?? "engine/tables";
  writeFileSync(new URL(`../src/${folder}/generated/${name}.ts`, import.meta.url), source);
  console.log(`${name}: ${source.length} bytes`);
}

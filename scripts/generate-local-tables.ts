import { writeFileSync } from "node:fs";
import { generateCountryNames } from "./local-tables/country-names.ts";
import { generateCurrencies } from "./local-tables/currencies.ts";
import { generateIpCountries, generateIpNetworks } from "./local-tables/ip-tables.ts";
import { generateLetterPairs } from "./local-tables/letter-pairs.ts";
import { generatePostalFormats } from "./local-tables/postal-formats.ts";
import { generateUtcOffsets } from "./local-tables/utc-offsets.ts";

// Writes the generated tables of the local engine.
//
//   node scripts/generate-local-tables.ts INPUTS [TABLE]...
//
// INPUTS is a folder with the sources of the tables, each unpacked into its own folder:
//
//   asn-country/      npm pack @ip-location-db/asn-country
//   asn/              npm pack @ip-location-db/asn
//   faker/            npm pack @faker-js/faker
//   currency-api/     npm pack @fawazahmed0/currency-api
//   countryinfo.txt   testdata/countryinfo.txt of github.com/google/libaddressinput
//
// The project behind the first two publishes newer files as releases of github.com/sapics/ip-location-db, by the same names;
// put the day in the version of a package.json beside them (`1.0.YYYYMMDD`). The same inputs give the same files.

const TABLES: Readonly<Record<string, (inputs: string) => string | Promise<string>>> = {
  "country-names": generateCountryNames,
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
  writeFileSync(new URL(`../src/engine/tables/generated/${name}.ts`, import.meta.url), source);
  console.log(`${name}: ${source.length} bytes`);
}

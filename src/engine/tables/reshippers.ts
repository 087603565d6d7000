/**
 * Parcel-forwarding services in an address line (folded text): names of operators, and explicit words. A plain "logistics" or
 * "cargo" is left out, because streets and business parks have such names.
 */
export const RESHIPPER_PATTERN =
  /\b(?:my ?us\.com|myus|shipito|stackry|planet express|forward ?2 ?me|shop ?(?:&|and|n) ?ship|borderlinx|qwintry|viabox|usabox|reship|reshipping|comgateway|shipmate us|freight forward(?:er|ers|ing)|parcel forward(?:er|ers|ing)|mail forwarding|package forwarding|cargo express|consolidation warehouse)\b/;

/**
 * ZIP codes with many parcel forwarders, from the top of published lists of risky shipping areas: the freight district of
 * Miami and Doral, South El Monte, and the tax-free warehouses of Portland, Delaware and western Nevada. People live there
 * too, so the area alone says nothing.
 */
const RESHIPPER_POSTCODES: ReadonlySet<string> = new Set(
  (
    "33102 33106 33122 33126 33142 33152 33166 33172 33178 33182 33192 33195 91733 97230 97220 97062 19720 19701 19801 " +
    "19802 19804 19805 19806 19807 19808 89423 66025"
  ).split(" "),
);

/** Whether a US postal code is in an area with many parcel forwarders. */
export function isReshipperPostcode(postcode: string): boolean {
  return RESHIPPER_POSTCODES.has(postcode.slice(0, 5));
}

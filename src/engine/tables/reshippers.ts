/**
 * How parcel-forwarding services show in an address line (folded text). Operators by name, and trades that say it
 * themselves. A plain "logistics" or "cargo" is left out: streets and business parks carry those names.
 */
export const RESHIPPER_PATTERN =
  /\b(?:my ?us\.com|myus|shipito|stackry|planet express|forward ?2 ?me|shop ?(?:&|and|n) ?ship|borderlinx|qwintry|viabox|usabox|reship|reshipping|comgateway|shipmate us|freight forward(?:er|ers|ing)|parcel forward(?:er|ers|ing)|mail forwarding|package forwarding|cargo express|consolidation warehouse)\b/;

/**
 * ZIP codes where parcel forwarders cluster, which published lists of risky shipping areas lead with: the freight quarter of
 * Miami and Doral, South El Monte, and the tax-free warehouses of Portland, Delaware and western Nevada. People live there
 * too, so an area alone says nothing.
 */
const RESHIPPER_POSTCODES: ReadonlySet<string> = new Set(
  (
    "33102 33106 33122 33126 33142 33152 33166 33172 33178 33182 33192 33195 91733 97230 97220 97062 19720 19701 19801 " +
    "19802 19804 19805 19806 19807 19808 89423 66025"
  ).split(" "),
);

/** Whether a postal code of the United States lies where parcel forwarders cluster. */
export function isReshipperPostcode(postcode: string): boolean {
  return RESHIPPER_POSTCODES.has(postcode.slice(0, 5));
}

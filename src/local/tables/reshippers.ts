/**
 * How parcel-forwarding services show in an address line (folded text). Operators by name, and trades that say it
 * themselves. A plain "logistics" or "cargo" is left out: streets and business parks carry those names.
 */
export const RESHIPPER_PATTERN =
  /\b(?:my ?us\.com|myus|shipito|stackry|planet express|forward ?2 ?me|shop ?(?:&|and|n) ?ship|borderlinx|qwintry|viabox|usabox|reship|reshipping|comgateway|shipmate us|freight forward(?:er|ers|ing)|parcel forward(?:er|ers|ing)|mail forwarding|package forwarding|cargo express|consolidation warehouse)\b/;

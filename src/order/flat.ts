import { foldPlace } from "./fold.ts";

const WORD = "(?:apartment|apt|flat|suite|ste|unit)";
const NUMBER = String.raw`(?:\d{1,5}[a-z]?|[a-z]\d{0,4})`;
/** A flat or unit number with its word, perhaps after its floor: `flat 4b`, `apt unit 4` (Apt #4), `floor 7 flat 12`. */
const FLAT = new RegExp(`^(?:floor ${NUMBER} )?${WORD}(?: unit)? ${NUMBER}$`);
const HAS_FLAT = new RegExp(String.raw`\b${WORD}\b`);

/**
 * Whether a street line is another one with a flat or unit number added at its beginning or end: `1 Main Street` and
 * `Flat 4B, 1 Main Street`. Only to one that has a house number and no flat yet; what is in doubt is another place.
 */
export function isFlatAdded(before: string, after: string): boolean {
  const street = foldFlat(before);
  if (!/\d/.test(street) || HAS_FLAT.test(street)) return false;
  const longer = foldFlat(after);
  if (longer.startsWith(`${street} `)) return FLAT.test(longer.slice(street.length + 1));
  return longer.endsWith(` ${street}`) && FLAT.test(longer.slice(0, -street.length - 1));
}

function foldFlat(street: string): string {
  return foldPlace(street.replaceAll(/[#＃]/g, " unit "));
}

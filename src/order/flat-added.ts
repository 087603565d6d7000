import { foldPlace } from "./text.ts";

const WORD = "(?:apartment|apt|flat|suite|ste|unit)";
const NUMBER = String.raw`(?:\d{1,5}[a-z]?|[a-z]\d{0,4})`;
/** A flat or unit number with its word, perhaps after its floor: `flat 4b`, `apt unit 4` (Apt #4), `floor 7 flat 12`. */
const FLAT = new RegExp(`^(?:floor ${NUMBER} )?${WORD}(?: unit)? ${NUMBER}$`);
const HAS_FLAT = new RegExp(String.raw`\b${WORD}\b`);

/**
 * A house number before a name with a street word. Doesn't match `5 de Mayo`, `20 Noviembre`, `4 Norte` and `5 Avenue`,
 * which are street names.
 */
const HOUSE_FIRST =
  /^\d+[a-z]? (?:\S+ )+(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|court|ct|way|place|pl|terrace|close|crescent|square|parkway|pkwy)(?: [ns]?[ew]?)?$/;

/**
 * Whether a street line is another one with a flat or unit number added at its beginning or end: `1 Main Street` and
 * `Flat 4B, 1 Main Street`. Only if it has a house number and no flat yet; doubtful cases count as another place. `#4`
 * is a flat only after a house number and its street: `Av. 16 de Septiembre #120` and `20 Noviembre #120` are house 120.
 */
export function isFlatAdded(before: string, after: string): boolean {
  const hash = HOUSE_FIRST.test(foldPlace(before)) ? " unit " : " ";
  const street = foldFlat(before, hash);
  if (!/\d/.test(street) || HAS_FLAT.test(street)) return false;
  const longer = foldFlat(after, hash);
  if (longer.startsWith(`${street} `)) return FLAT.test(longer.slice(street.length + 1));
  return longer.endsWith(` ${street}`) && FLAT.test(longer.slice(0, -street.length - 1));
}

/** `hash` is what # stands for. */
function foldFlat(street: string, hash: string): string {
  return foldPlace(street.replaceAll(/[#＃]/g, hash));
}

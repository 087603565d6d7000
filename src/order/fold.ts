import { toAsciiDomain, trimEmail } from "./email-address.ts";

/** Printable ASCII and nothing else: most order text, and NFKC leaves it as it is. */
const PLAIN = /^[\x20-\x7e]*$/;

// Through upper case: it spells out letters that lower case leaves alone (ß and SS, ſ and S), except the capital ẞ.
function foldCase(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase();
}

/** Text without its accidents: compatibility forms, letter case and repeated white space. For comparing, never for showing. */
export function foldText(text: string): string {
  return foldCase(text).replaceAll(/\s+/g, " ").trim();
}

/** Like {@link foldText}, and every run of punctuation, white space or invisible characters counts as one space. */
export function foldAddress(text: string): string {
  return foldCase(text)
    .replaceAll(/[\p{P}\p{Z}\p{C}]+/gu, " ")
    .trim();
}

/** Like {@link foldAddress}, and without the accents of Latin and Greek letters. Elsewhere a mark makes another letter. */
export function foldPlace(text: string): string {
  const folded = foldAddress(text);
  if (PLAIN.test(folded)) return folded;
  return folded
    .normalize("NFD")
    .replaceAll(/([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, "$1")
    .normalize("NFC");
}

/**
 * An email address, or a domain alone, in lower case without surrounding white space. A domain is the same in both of
 * its forms, `müller.de` and `xn--mller-kva.de`.
 */
export function foldEmail(email: string): string {
  const text = trimEmail(email);
  if (PLAIN.test(text)) return text.toLowerCase();
  const composed = text.normalize("NFC");
  const start = composed.lastIndexOf("@") + 1;
  const domain = composed.slice(start);
  // The domain first: in lower case a Greek one may end in another letter.
  return (composed.slice(0, start) + (toAsciiDomain(domain) ?? domain)).toLowerCase();
}

/** The digits of a phone number, in order: separators, brackets and the plus sign are habits of writing. */
export function toDigits(phone: string): string {
  return phone.normalize("NFKC").replaceAll(/\P{Nd}+/gu, "");
}

/** Providers that deliver mail whatever dots the local part has. */
const DOTLESS_DOMAINS: ReadonlySet<string> = new Set(["gmail.com", "googlemail.com"]);

/** One mailbox, however it is written: what follows a plus sign, and dots where the provider ignores them, do not count. */
export function toMailbox(email: string): string {
  const folded = foldEmail(email);
  const at = folded.lastIndexOf("@");
  if (at < 0) return folded;
  const domain = folded.slice(at + 1);
  const plus = folded.indexOf("+", 1);
  const local = folded.slice(0, plus === -1 ? at : Math.min(plus, at));
  return DOTLESS_DOMAINS.has(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`;
}

const WORD = "(?:apartment|apt|flat|suite|ste|unit)";
const NUMBER = String.raw`(?:\d{1,5}[a-z]?|[a-z]\d{0,4})`;
/** A flat or unit number with its word, perhaps after its floor: `flat 4b`, `apt unit 4` (Apt #4), `floor 7 flat 12`. */
const FLAT = new RegExp(`^(?:floor ${NUMBER} )?${WORD}(?: unit)? ${NUMBER}$`);
const HAS_FLAT = new RegExp(String.raw`\b${WORD}\b`);

/** A house number in front of a street that says it is one. Not `5 de Mayo`, `20 Noviembre`, `4 Norte` nor `5 Avenue`: they are streets. */
const HOUSE_FIRST =
  /^\d+[a-z]? (?:\S+ )+(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|court|ct|way|place|pl|terrace|close|crescent|square|parkway|pkwy)(?: [ns]?[ew]?)?$/;

/**
 * Whether a street line is another one with a flat or unit number added at its beginning or end: `1 Main Street` and
 * `Flat 4B, 1 Main Street`. Only to one that has a house number and no flat yet; what is in doubt is another place. `#4` is a
 * flat only after a house number and its street: `Av. 16 de Septiembre #120` and `20 Noviembre #120` are house 120.
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

/**
 * Cut text to at most `max` UTF-16 code units without splitting a character. White space at both ends goes first.
 */
export function cutText(text: string, max: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= max) return trimmed;
  const cut = trimmed.slice(0, max);
  const last = cut.charCodeAt(cut.length - 1);
  // A high surrogate at the end has lost its other half.
  const whole = last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut;
  return whole.trimEnd();
}

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const OTHER_CONTROLS = /\p{Cc}+/gu;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Text as the service takes it, or undefined if `value` has no readable text: cut to `max` UTF-16 code units, with line
 * breaks replaced by spaces, and other control characters and broken surrogate pairs removed. Text of only white space
 * and invisible format characters counts as blank.
 */
export function cleanText(value: unknown, max: number): string | undefined {
  if (typeof value !== "string") return undefined;
  // One field may hold a whole 5 MB body, so read only as much of it as the cut can keep.
  let text = cutText(value, 2 * max);
  if (CONTROL.test(text)) text = text.replace(LINE_BREAKS, " ").replace(OTHER_CONTROLS, "");
  const cut = cutText(text.toWellFormed(), max);
  return VISIBLE.test(cut) ? cut : undefined;
}

/** The first of `values` that {@link cleanText} can read. */
export function firstText(max: number, ...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const text = cleanText(value, max);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The readable `values`, joined and cut to `max`; undefined if none is readable. */
export function joinText(max: number, separator: string, ...values: readonly unknown[]): string | undefined {
  const parts = values.map((value) => cleanText(value, max)).filter((text) => text !== undefined);
  return parts.length === 0 ? undefined : cutText(parts.join(separator), max);
}

/** Printable ASCII and nothing else: most order text, and NFKC leaves it as it is. */
const PLAIN = /^[\x20-\x7e]*$/;

/** White space that isn't one space between words. */
const SPACING = /\s\s|[^\S ]/;

// By way of upper case, which expands letters that lower case doesn't change (ß to SS, ſ to S), except the capital ẞ.
function foldCase(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase();
}

/**
 * Text without differences that don't matter: compatibility forms, letter case and repeated white space. For comparing,
 * never for showing.
 */
export function foldText(text: string): string {
  const folded = foldCase(text);
  return (SPACING.test(folded) ? folded.replaceAll(/\s+/g, " ") : folded).trim();
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
  // The domain first, because lower case can change the last letter of a Greek domain.
  return (composed.slice(0, start) + (toAsciiDomain(domain) ?? domain)).toLowerCase();
}

/** The digits of a phone number, in order, without separators, brackets and the plus sign. */
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

/** Labels of letters, digits, hyphens and underscores, with a dot between them. */
const ASCII_DOMAIN = /^[\w-]+(?:\.[\w-]+)+$/;
const ASCII = /^[\x20-\x7e]*$/;
/** Characters that a URL would read as the end of a host name, or unescape. */
const NOT_IN_A_HOST = /[/?#:\\@%\s]/;
/** A longer name cannot be looked up, and encoding a label takes time that grows with the square of its length. */
const DOMAIN_LENGTH = 253;
const NO_DOMAIN = "none";

/** Whether a text is too long for a domain. Code that reads each of its parts would take too long. */
export function isTooLong(domain: string): boolean {
  return domain.length > DOMAIN_LENGTH;
}

const LOCAL_PART = /^[^\s@\p{Cc}\p{Cs}]+$/u;
const INVISIBLE = /\p{Cf}+/gu;

/** An address without the remains of copying: invisible format characters, and white space at the ends. */
function trimEmail(text: string): string {
  return text.replace(INVISIBLE, "").trim();
}

/** A domain in its ASCII form (`müller.de` is `xn--mller-kva.de`); undefined when it has none. ASCII stays as it is. */
export function toAsciiDomain(domain: string): string | undefined {
  if (ASCII.test(domain)) return domain;
  if (isTooLong(domain) || NOT_IN_A_HOST.test(domain)) return undefined;
  // `URL` converts it, in every runtime. It ignores an invalid host.
  const url = new URL(`ws://${NO_DOMAIN}`);
  url.hostname = domain;
  return url.hostname === NO_DOMAIN ? undefined : url.hostname;
}

/**
 * An email address as it is sent to the service, or undefined when `text` is not one: exactly one `@`, something before
 * it, a domain with a dot and at most 253 characters, no spaces and no control characters. That is what mail providers deliver to, which is more
 * than RFC 5321 writes down (`taro..yamada@docomo.ne.jp`). An internationalized domain comes out in ASCII.
 */
export function toEmailAddress(text: string): string | undefined {
  const address = trimEmail(text);
  const at = address.indexOf("@");
  if (at < 0) return undefined;
  const local = address.slice(0, at);
  const domain = toAsciiDomain(address.slice(at + 1));
  if (domain === undefined || isTooLong(domain) || !ASCII_DOMAIN.test(domain)) return undefined;
  if (!LOCAL_PART.test(local)) return undefined;
  return `${local}@${domain}`;
}

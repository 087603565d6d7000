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
 * An email address as it is sent to the service, or undefined when `text` is not one: exactly one `@`, something before it, a
 * domain with a dot and at most 253 characters, no spaces and no control characters. That is what mail providers deliver to,
 * which is more than RFC 5321 writes down (`taro..yamada@docomo.ne.jp`). An internationalized domain comes out in ASCII.
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

/**
 * An email address, or a domain alone, in lower case without surrounding white space. A domain is the same in both of
 * its forms, `müller.de` and `xn--mller-kva.de`.
 */
export function foldEmail(email: string): string {
  const text = trimEmail(email);
  if (ASCII.test(text)) return text.toLowerCase();
  const composed = text.normalize("NFC");
  const start = composed.lastIndexOf("@") + 1;
  const domain = composed.slice(start);
  // The domain first, because lower case can change the last letter of a Greek domain.
  return (composed.slice(0, start) + (toAsciiDomain(domain) ?? domain)).toLowerCase();
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

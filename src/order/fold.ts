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
 * An e-mail address, or a domain alone, in lower case without surrounding white space. A domain is the same in both of
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

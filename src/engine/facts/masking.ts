import { toEmailFacts, type EmailFacts } from "./email-facts.ts";
import { isPublicDomain } from "./disposable-domains.ts";

/** The first letter or digit of a text and stars for the rest, whatever its length: `j***`. */
export function maskText(text: string): string {
  return `${/[\p{L}\p{N}]/u.exec(text)?.[0] ?? ""}***`;
}

/**
 * An email address that can be shown: `j***@gmail.com`. The domain is shown only if many people use it, because somebody's
 * own domain is as personal as a name.
 */
export function maskEmail({ local, domain }: Pick<EmailFacts, "local" | "domain">): string {
  return `${maskText(local)}@${isPublicDomain(domain) ? domain : "***"}`;
}

/** {@link maskEmail} of an unparsed address; empty if there is none. */
export function maskMailbox(text: string | undefined): string {
  const email = toEmailFacts(text);
  return email === undefined ? "" : maskEmail(email);
}

/** The start of a postal code, which identifies an area but not a street: `331**`. */
export function maskPostcode(postcode: string): string {
  const shown = postcode.slice(0, Math.min(3, Math.floor(postcode.length / 2)));
  return `${shown}${"*".repeat(postcode.length - shown.length)}`;
}

/** The longest title of goods in a sentence, in characters. */
const TITLE_LENGTH = 60;
/** Invisible characters, apart from the two that join letters in Persian and emoji; and broken surrogate pairs. */
const INVISIBLE = /(?![\u200C\u200D])\p{C}|\uFFFD/gu;
/** What a title could end its quotation, a placeholder or the code of a factor with. */
const DELIMITERS = /[<>{}`“”]/g;
/** Marks that are heaped on one letter to cover the lines around it. */
const HEAPED_MARKS = /(\p{M}{3})\p{M}+/gu;

/**
 * The title of goods as it can stand in a sentence: on one line, without tags, invisible characters and delimiters, cut, and in quotation
 * marks. Empty if nothing readable is left. It stays a quotation, whatever it says.
 */
export function toTitle(text: string): string {
  const plain = text
    .toWellFormed()
    .replaceAll(/[\s\p{Z}\p{Cc}]+/gu, " ")
    .replaceAll(INVISIBLE, "")
    .replaceAll(/<[^<>]*>/g, " ")
    .replaceAll(DELIMITERS, "")
    .replaceAll("[", "(")
    .replaceAll("]", ")")
    .replaceAll(HEAPED_MARKS, "$1")
    .replaceAll(/ +/g, " ")
    .trim();
  if (!/[\p{L}\p{N}]/u.test(plain)) return "";
  const characters = Array.from(plain);
  const isShort = characters.length <= TITLE_LENGTH;
  return `“${
    isShort
      ? plain
      : `${characters
          .slice(0, TITLE_LENGTH - 1)
          .join("")
          .trimEnd()}…`
  }”`;
}

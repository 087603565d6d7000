import type { EmailFacts } from "./email-facts.ts";

/** The first letter or digit of a text and stars for the rest, whatever its length: `j***`. */
export function maskText(text: string): string {
  return `${/[\p{L}\p{N}]/u.exec(text)?.[0] ?? ""}***`;
}

/**
 * An email address that can be shown: `j***@gmail.com`. The domain is shown only when `isPublic` knows it as one that
 * many people use; a domain of one's own is as personal as a name.
 */
export function maskEmail(
  { local, domain }: Pick<EmailFacts, "local" | "domain">,
  isPublic: (domain: string) => boolean,
): string {
  return `${maskText(local)}@${isPublic(domain) ? domain : "***"}`;
}

/** The start of a postal code, which names an area and not a street: `331**`. */
export function maskPostcode(postcode: string): string {
  const shown = postcode.slice(0, Math.min(3, Math.floor(postcode.length / 2)));
  return `${shown}${"*".repeat(postcode.length - shown.length)}`;
}

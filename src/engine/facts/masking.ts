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

import { foldEmail } from "./fold.ts";

/** Providers that deliver mail whatever dots the local part has. */
const DOTLESS_DOMAINS: ReadonlySet<string> = new Set(["gmail.com", "googlemail.com"]);

/** One mailbox, however it is written: what follows a plus sign, and dots where the provider ignores them, do not count. */
export function toMailbox(email: string): string {
  const folded = foldEmail(email);
  const at = folded.lastIndexOf("@");
  if (at < 0) return folded;
  const domain = folded.slice(at + 1);
  const local = folded.slice(0, at).replace(/(?<=.)\+.*$/, "");
  return DOTLESS_DOMAINS.has(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`;
}

import { domainToUnicode } from "node:url";
import { parse } from "tldts";
import { readText } from "./plain-order.ts";
import { RESERVED_DOMAINS } from "../tables/email-domains.ts";
import { foldText } from "../text/text-shape.ts";

/** An email address, folded. */
export interface EmailFacts {
  readonly local: string;
  readonly domain: string;
  readonly wellFormed: boolean;
  /** Whether the domain ends in a suffix of the public list or in a reserved one. */
  readonly suffixKnown: boolean;
  /** The registered part of the domain; the whole domain if that isn't known. */
  readonly registrable: string;
}

const EMAIL_LENGTH = 254;
const SUFFIX_OPTIONS = { detectIp: false, extractHostname: false, validateHostname: false } as const;

/** Read an email address; undefined if none was given. */
export function toEmailFacts(value: unknown): EmailFacts | undefined {
  const given = readText(value, EMAIL_LENGTH);
  if (given === undefined) return undefined;
  const text = toShownDomain(given);
  const folded = foldText(text);
  const at = folded.lastIndexOf("@");
  const [local, domain] = at === -1 ? [folded, ""] : [folded.slice(0, at), folded.slice(at + 1)];
  // Use the unfolded domain, because folding removes accents that suffixes of other scripts need.
  const unfolded = text.slice(text.lastIndexOf("@") + 1).toLowerCase();
  const parsed = parse(unfolded, SUFFIX_OPTIONS);
  return {
    local,
    domain,
    wellFormed: isWellFormed(local, domain),
    suffixKnown: parsed.isIcann === true || parsed.isPrivate === true || findReserved(domain) !== undefined,
    registrable: foldText(parsed.domain ?? "") || domain,
  };
}

/** The reserved domain that a domain equals or belongs to, if any. */
export function findReserved(domain: string): string | undefined {
  return RESERVED_DOMAINS.find((name) => domain === name || domain.endsWith(`.${name}`));
}

/** The domain as people read it, because only this form shows an imitated name or a suffix of another script. */
function toShownDomain(email: string): string {
  const start = email.lastIndexOf("@") + 1;
  const domain = email.slice(start);
  if (!/(?:^|\.)xn--/i.test(domain)) return email;
  return email.slice(0, start) + (domainToUnicode(domain) || domain);
}

function isWellFormed(local: string, domain: string): boolean {
  const labels = domain.split(".");
  return (
    /^[^\s@<>(),;:"[\]\\]{1,64}$/.test(local) &&
    labels.length >= 2 &&
    labels.every(
      (label) => /^[\p{L}\p{N}-]{1,63}$/u.test(label) && !label.startsWith("-") && !label.endsWith("-"),
    ) &&
    /^(?:\p{L}{2,}|xn--.+)$/u.test(labels.at(-1) ?? "")
  );
}

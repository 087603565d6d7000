import type { OrderFacts } from "../order-facts.ts";
import type { Observation, Signal } from "../signal.ts";
import { INSTITUTION_LABELS, LINE_PROVIDER_DOMAINS } from "../tables/email-domains.ts";

/**
 * Lifts among 18,000 card payments of the IEEE-CIS data, as points. Hotmail's 1.5 is left out: it is what most people
 * have in some countries, whose customers it would mark.
 */
const PROVIDER_POINTS: readonly (readonly [domains: RegExp, points: number])[] = [
  [/^outlook\./, 10],
  [/^(?:yahoo\.|ymail\.com|rocketmail\.com)/, -6],
  [/^(?:aol|aim)\./, -6],
  [/^(?:icloud|me|mac)\.com$/, -3],
];
/** None of 365 payments with the address of an American internet line was a fraud. */
const LINE_POINTS = -14;
const INSTITUTION_POINTS = -5;

function toProviderPoints({ email }: OrderFacts): number {
  const domain = email?.domain ?? "";
  return PROVIDER_POINTS.find(([domains]) => domains.test(domain))?.[1] ?? 0;
}

function isInstitution(domain: string): boolean {
  const endings = domain.split(".").slice(1).slice(-2);
  return endings.some((label) => INSTITUTION_LABELS.has(label));
}

function observeTrusted({ email }: OrderFacts): Observation | null {
  if (email?.wellFormed !== true) return null;
  const isLine = LINE_PROVIDER_DOMAINS.has(email.domain);
  return isLine || isInstitution(email.domain)
    ? {
        points: isLine ? LINE_POINTS : INSTITUTION_POINTS,
        description: "the email address comes with a paid contract or an institution",
      }
    : null;
}

/** What the provider of the email address says, whoever has the address. */
export const EMAIL_PROVIDER_SIGNALS: readonly Signal[] = [
  {
    code: "EMAIL_PROVIDER_RISK",
    category: "customer",
    title: "Email provider often seen in fraud",
    observe: (facts) => {
      const points = toProviderPoints(facts);
      return points > 0
        ? {
            points,
            description: "Addresses from this email provider are seen in fraud more often than others.",
          }
        : null;
    },
  },
  {
    code: "EMAIL_PROVIDER_TRUST",
    category: "customer",
    title: "Email provider rarely seen in fraud",
    observe: (facts) => {
      const points = toProviderPoints(facts);
      return points < 0 ? { points, description: "the email provider is rarely seen in fraud" } : null;
    },
  },
  {
    code: "EMAIL_TRUSTED_DOMAIN",
    category: "customer",
    title: "Email address from a paid contract or an institution",
    observe: observeTrusted,
  },
];

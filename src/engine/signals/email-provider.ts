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
        description: "the e-mail address belongs to a paid line or an institution",
      }
    : null;
}

/** What the provider of the e-mail address says, whoever has the address. */
export const EMAIL_PROVIDER_SIGNALS: readonly Signal[] = [
  {
    code: "EMAIL_PROVIDER_RISK",
    category: "customer",
    title: "E-mail provider found more often in fraud",
    observe: (facts) => {
      const points = toProviderPoints(facts);
      return points > 0
        ? {
            points,
            description: "Addresses of this e-mail provider are found more often in fraud than others.",
          }
        : null;
    },
  },
  {
    code: "EMAIL_PROVIDER_TRUST",
    category: "customer",
    title: "E-mail provider seldom found in fraud",
    observe: (facts) => {
      const points = toProviderPoints(facts);
      return points < 0 ? { points, description: "the e-mail provider is seldom found in fraud" } : null;
    },
  },
  {
    code: "EMAIL_TRUSTED_DOMAIN",
    category: "customer",
    title: "E-mail address with a contract or institution behind it",
    observe: observeTrusted,
  },
];

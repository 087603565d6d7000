import { DISPOSABLE_DOMAINS } from "../tables/disposable-domains.ts";
import {
  INSTITUTION_SUFFIXES,
  LARGE_PROVIDER_DOMAINS,
  LINE_PROVIDER_DOMAINS,
  LOOKALIKE_REAL_DOMAINS,
  NUMERIC_LOCAL_DOMAINS,
  RELAY_DOMAINS,
  RESERVED_DOMAINS,
  ROLE_NAMES,
} from "../tables/email-domains.ts";
import { localPartFitsName } from "../names.ts";
import type { EmailFacts, OrderFacts } from "../order-facts.ts";
import type { EvidenceGroup } from "../signal.ts";
import { isFingerPlay, isOneSlipApart, isUnpronounceable, toWords } from "../text-shape.ts";

const TEST_WORDS: ReadonlySet<string> = new Set([
  "test",
  "tests",
  "testing",
  "tester",
  "spam",
  "dummy",
  "fake",
  "abcd",
]);
const TEST_TEXT = /asdf|qwert|azerty|no-?reply|^abc123/;
/** Shorter local parts are initials and nicknames, which look random in every family. */
const RANDOM_LENGTH = 8;
const MANY_DIGITS = 4;
const MANY_DIGITS_SHARE = 0.4;

/** The domain and every parent of it: `a.b.com` → `a.b.com`, `b.com`, `com`. */
function toParents(domain: string): readonly string[] {
  const labels = domain.split(".");
  return labels.map((_, start) => labels.slice(start).join("."));
}

function findListed(domain: string, list: ReadonlySet<string>): string | undefined {
  return toParents(domain).find((parent) => list.has(parent));
}

/** Facts of an address whose local part a person chose; null for malformed ones and forwarding aliases. */
function toChosen({ email }: OrderFacts): EmailFacts | null {
  return email?.wellFormed === true && findListed(email.domain, RELAY_DOMAINS) === undefined ? email : null;
}

function hasTestWord({ local }: EmailFacts): boolean {
  return TEST_TEXT.test(local) || toWords(local).some((word) => TEST_WORDS.has(word) || isFingerPlay(word));
}

function isRandom(email: EmailFacts, customerName: string | undefined): boolean {
  if (email.local.length < RANDOM_LENGTH) return false;
  if (customerName !== undefined && localPartFitsName(email.local, customerName) === true) return false;
  return isUnpronounceable(email.local.match(/[a-z]+/g) ?? []);
}

function countOddDigits(local: string): number {
  // A year of birth is the most ordinary number in an address.
  return local.replace(/(?:19|20)\d\d/, "").replaceAll(/\D/g, "").length;
}

/** What the e-mail address says about itself. Whether it can be delivered is not looked up. */
export const EMAIL_SIGNALS: EvidenceGroup = {
  name: "email",
  isKnown: ({ email }) => email !== undefined,
  limitation: "The order has no e-mail address.",
  signals: [
    {
      code: "EMAIL_DISPOSABLE",
      category: "customer",
      title: "Disposable e-mail domain",
      observe: ({ email }) => {
        const listed = email === undefined ? undefined : findListed(email.domain, DISPOSABLE_DOMAINS);
        return listed === undefined
          ? null
          : {
              points: 40,
              description: `The e-mail address is at ${listed}, which hands out throw-away inboxes.`,
            };
      },
    },
    {
      code: "EMAIL_INVALID",
      category: "customer",
      title: "Not an e-mail address",
      observe: ({ email }) =>
        email === undefined || email.wellFormed
          ? null
          : { points: 22, description: "What was given as e-mail address cannot be one." },
    },
    {
      code: "EMAIL_RESERVED_DOMAIN",
      category: "customer",
      title: "E-mail domain that cannot receive mail",
      testData: true,
      observe: ({ email }) => {
        const reserved = RESERVED_DOMAINS.find(
          (name) => email?.domain === name || email?.domain.endsWith(`.${name}`),
        );
        return reserved === undefined
          ? null
          : {
              points: 14,
              description: `The e-mail domain is reserved for examples and tests (${reserved}).`,
            };
      },
    },
    {
      code: "EMAIL_RANDOM_LOCAL",
      category: "customer",
      title: "Random-looking e-mail name",
      observe: (facts) => {
        const email = toChosen(facts);
        return email !== null && isRandom(email, facts.customerName)
          ? {
              points: 14,
              description: "The part before the @ cannot be pronounced and does not fit the name.",
            }
          : null;
      },
    },
    {
      code: "EMAIL_TEST_WORD",
      category: "customer",
      title: "Test word in the e-mail address",
      observe: (facts) => {
        const email = toChosen(facts);
        return email !== null && hasTestWord(email)
          ? {
              points: 12,
              description: "The part before the @ holds a test word or a run along the keyboard.",
            }
          : null;
      },
    },
    {
      code: "EMAIL_MANY_DIGITS",
      category: "customer",
      title: "Many digits in the e-mail address",
      observe: (facts) => {
        const email = toChosen(facts);
        if (email === null || NUMERIC_LOCAL_DOMAINS.has(email.domain)) return null;
        const digits = countOddDigits(email.local);
        const isMany =
          digits >= MANY_DIGITS || (digits >= 3 && digits / email.local.length > MANY_DIGITS_SHARE);
        return isMany
          ? { points: 5, description: `The part before the @ has ${digits} digits besides a year.` }
          : null;
      },
    },
    {
      code: "EMAIL_NAME_MISMATCH",
      category: "customer",
      title: "E-mail address does not fit the name",
      observe: (facts) => {
        const email = toChosen(facts);
        if (email === null || facts.customerName === undefined) return null;
        // A test word or random letters were counted already; a desk has no name.
        const isExplained =
          ROLE_NAMES.has(email.local) || hasTestWord(email) || isRandom(email, facts.customerName);
        return !isExplained && localPartFitsName(email.local, facts.customerName) === false
          ? { points: 5, description: "The part before the @ shares nothing with the customer's name." }
          : null;
      },
    },
    {
      code: "EMAIL_TYPO_DOMAIN",
      category: "customer",
      title: "Misspelt e-mail provider",
      observe: ({ email }) => {
        if (email === undefined || LOOKALIKE_REAL_DOMAINS.has(email.domain)) return null;
        const meant = LARGE_PROVIDER_DOMAINS.find((provider) => isOneSlipApart(email.domain, provider));
        return meant === undefined
          ? null
          : { points: 6, description: `The e-mail domain is one letter away from ${meant}.` };
      },
    },
    {
      code: "EMAIL_TRUSTED_DOMAIN",
      category: "customer",
      title: "E-mail address with a contract or institution behind it",
      observe: ({ email }) => {
        if (email?.wellFormed !== true) return null;
        const isTrusted =
          LINE_PROVIDER_DOMAINS.has(email.domain) ||
          INSTITUTION_SUFFIXES.some((suffix) => email.domain.endsWith(`.${suffix}`));
        return isTrusted
          ? { points: -5, description: "the e-mail address belongs to a paid line or an institution" }
          : null;
      },
    },
  ],
};

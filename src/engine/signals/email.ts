import {
  FREE_PROVIDER_DOMAINS,
  LARGE_PROVIDER_DOMAINS,
  LOOKALIKE_REAL_DOMAINS,
  NUMERIC_LOCAL_DOMAINS,
  RISKY_TLDS,
  ROLE_NAMES,
} from "../tables/email-domains.ts";
import { findReserved } from "../facts/email-facts.ts";
import { findDisposable, isRelay } from "../facts/disposable-domains.ts";
import { maskEmail } from "../facts/masking.ts";
import { localPartFitsName } from "../text/names.ts";
import type { EmailFacts, OrderFacts } from "../facts/order-facts.ts";
import type { EvidenceGroup, Observation } from "./signal.ts";
import { say } from "./sentence.ts";
import { isNonsenseName } from "../text/nonsense-names.ts";
import { DATA_SOURCES, fadePoints } from "../tables/data-sources.ts";
import {
  isKeyboardMash,
  isOddName,
  isOneSlipApart,
  isUnpronounceable,
  toLetterSurprise,
  toWords,
} from "../text/text-shape.ts";
import { EMAIL_PROVIDER_SIGNALS } from "./email-provider.ts";

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
/** Shorter local parts are often initials and nicknames, which look random. */
const RANDOM_LENGTH = 8;
/** From this value on, a sequence of letters fits no language; see `toLetterSurprise`. */
const RANDOM_SURPRISE_BITS = 5.7;
/** Fewer letters are too few to judge. */
const RANDOM_LETTERS = 6;
/** Digits between letters, as in `x9k2q7`. People put their numbers at one end. */
const RANDOM_DIGIT_RUNS = 3;
const MANY_DIGITS = 4;
const MANY_DIGITS_SHARE = 0.4;

/** The address if a person chose its local part; null for malformed addresses and forwarding aliases. */
function toChosen({ email }: OrderFacts): EmailFacts | null {
  return email?.wellFormed === true && !isRelay(email.domain) ? email : null;
}

function hasTestWord({ local }: EmailFacts, customerName: string | undefined): boolean {
  const isTest = (word: string): boolean =>
    TEST_WORDS.has(word) || (isKeyboardMash(word) && !isOddName(word, customerName));
  return TEST_TEXT.test(local) || toWords(local).some(isTest);
}

/** The local part without a plus tag. */
function toUntagged(local: string): string {
  const untagged = local.split("+", 1)[0] ?? "";
  return untagged === "" ? local : untagged;
}

/** Whether digits are scattered between the letters, as in no person's name. */
function hasStrewnDigits(local: string): boolean {
  return local
    .split(/[._-]/)
    .some((part) => (part.match(/[a-z]\d+(?=[a-z])/g) ?? []).length >= RANDOM_DIGIT_RUNS);
}

/**
 * Whether the customer's own name would look random too ("Krstić", "Mgvdliashvili"), or is in a script whose sound in Latin
 * letters isn't known. Then letters are weaker evidence.
 */
function isForeignToTable(customerName: string | undefined): boolean {
  const words = toWords(customerName ?? "");
  return words.some((word) => !/^[a-z]+$/.test(word) || isUnpronounceable([word]) || HARD_CLUSTER.test(word));
}

const HARD_CLUSTER = /[b-df-hj-np-tv-xz]{4}/;

function isRandom({ local, domain }: EmailFacts, customerName: string | undefined): boolean {
  const text = toUntagged(local);
  if (text.length < RANDOM_LENGTH || NUMERIC_LOCAL_DOMAINS.has(domain)) return false;
  // Names are compared last, because that takes longest and few addresses look random.
  if (!hasStrewnDigits(text) && !hasRandomLetters(text, customerName)) return false;
  const isRealName = customerName !== undefined && !isNonsenseName(customerName);
  return !(isRealName && localPartFitsName(text, customerName) === true);
}

function hasRandomLetters(local: string, customerName: string | undefined): boolean {
  const pieces = local.match(/[a-z]+/g) ?? [];
  const isSurprising =
    pieces.join("").length >= RANDOM_LETTERS && toLetterSurprise(pieces) >= RANDOM_SURPRISE_BITS;
  const cannotBeSaid = isUnpronounceable(pieces);
  return isSurprising === cannotBeSaid ? isSurprising : !isForeignToTable(customerName);
}

/** Whether the local part looks generated or typed at random. */
export function hasRandomEmail(facts: OrderFacts): boolean {
  const email = toChosen(facts);
  return email !== null && isRandom(email, facts.customerName);
}

export function hasDisposableEmail({ email }: OrderFacts): boolean {
  return email !== undefined && findDisposable(email.domain) !== undefined;
}

function observeDisposable({ email, nowMs }: OrderFacts): Observation | null {
  const listed = email === undefined ? undefined : findDisposable(email.domain);
  return listed === undefined
    ? null
    : {
        points: fadePoints(40, DATA_SOURCES.disposableDomains, nowMs),
        says: say(
          "The email address is at {domain}, which provides disposable inboxes. They soon end, so a later message may reach nobody.",
          { domain: listed },
        ),
      };
}

function observeInvalid({ email }: OrderFacts): Observation | null {
  if (email === undefined) return null;
  if (!email.wellFormed) {
    return {
      points: 22,
      says: say("This isn't a valid email address, so no message can reach the customer."),
    };
  }
  // "gmail.con" is usually a real customer's typo, and is reported as one.
  if (email.suffixKnown || findSlip(email) !== undefined) return null;
  return {
    points: 22,
    says: say(
      "The email address ends in a top-level domain that doesn't exist, so no message can reach the customer.",
    ),
  };
}

function findSlip({ domain }: EmailFacts): string | undefined {
  if (LOOKALIKE_REAL_DOMAINS.has(domain) || FREE_PROVIDER_DOMAINS.has(domain)) return undefined;
  return LARGE_PROVIDER_DOMAINS.find((provider) => isOneSlipApart(domain, provider));
}

function observeManyDigits(facts: OrderFacts): Observation | null {
  const email = toChosen(facts);
  if (email === null || NUMERIC_LOCAL_DOMAINS.has(email.domain)) return null;
  const local = toUntagged(email.local);
  // A year of birth is the most common number in an address.
  const digits = local.replace(/(?:19|20)\d\d/, "").replaceAll(/\D/g, "").length;
  // A phone number as the address is common in countries where people first used the internet on phones.
  if (digits === local.length && digits >= 9) return null;
  const isMany = digits >= MANY_DIGITS || (digits >= 3 && digits / local.length > MANY_DIGITS_SHARE);
  return isMany
    ? {
        points: 5,
        says: say(
          "The part before the @ ({email}) has {digits} digits that don't look like a year of birth.",
          {
            digits,
            email: maskEmail(email),
          },
        ),
      }
    : null;
}

/** Whether the part before the @ has nothing of the customer's name. False when that cannot be said, as behind a relay. */
export function hasAnotherName(facts: OrderFacts): boolean {
  const email = toChosen(facts);
  if (email === null || facts.customerName === undefined) return false;
  return localPartFitsName(email.local, facts.customerName) === false;
}

function observeNameMismatch(facts: OrderFacts): Observation | null {
  const email = toChosen(facts);
  if (email === null || !hasAnotherName(facts)) return null;
  // Test words and random letters are already counted, and a role address contains no name.
  const isExplained =
    ROLE_NAMES.has(email.local) ||
    hasTestWord(email, facts.customerName) ||
    isRandom(email, facts.customerName);
  return isExplained
    ? null
    : {
        points: 5,
        says: say("The part before the @ ({email}) doesn't match the customer's name.", {
          email: maskEmail(email),
        }),
      };
}

/** Signals from the email address itself. Whether it can receive mail isn't checked. */
export const EMAIL_SIGNALS: EvidenceGroup = {
  name: "email",
  isKnown: ({ email }) => email !== undefined,
  limitation: "The order has no email address.",
  signals: [
    {
      code: "EMAIL_DISPOSABLE",
      category: "customer",
      title: "Disposable email domain",
      voidsTrust: true,
      observe: observeDisposable,
    },
    { code: "EMAIL_INVALID", category: "customer", title: "Not an email address", observe: observeInvalid },
    {
      code: "EMAIL_RESERVED_DOMAIN",
      category: "customer",
      title: "Email domain that cannot receive mail",
      testData: true,
      observe: ({ email }) => {
        const reserved = email === undefined ? undefined : findReserved(email.domain);
        return reserved === undefined
          ? null
          : {
              points: 14,
              says: say("The email domain is reserved for examples and tests ({domain}).", {
                domain: reserved,
              }),
            };
      },
    },
    {
      code: "EMAIL_RANDOM_LOCAL",
      category: "customer",
      title: "Random-looking email name",
      voidsTrust: true,
      observe: (facts) =>
        facts.email !== undefined && hasRandomEmail(facts)
          ? {
              points: 14,
              says: say("The part before the @ ({email}) looks random and doesn't match the name.", {
                email: maskEmail(facts.email),
              }),
            }
          : null,
    },
    {
      code: "EMAIL_TEST_WORD",
      category: "customer",
      title: "Test word in the email address",
      observe: (facts) => {
        const email = toChosen(facts);
        return email !== null && hasTestWord(email, facts.customerName)
          ? {
              points: 12,
              says: say("The part before the @ contains a test word or a keyboard pattern."),
            }
          : null;
      },
    },
    {
      code: "EMAIL_MANY_DIGITS",
      category: "customer",
      title: "Many digits in the email address",
      observe: observeManyDigits,
    },
    {
      code: "EMAIL_NAME_MISMATCH",
      category: "customer",
      title: "Email address doesn't match the name",
      observe: observeNameMismatch,
    },
    {
      code: "EMAIL_TYPO_DOMAIN",
      category: "customer",
      title: "Misspelled email provider",
      observe: ({ email }) => {
        const meant = email === undefined ? undefined : findSlip(email);
        return meant === undefined
          ? null
          : {
              points: 6,
              says: say("The email domain is one letter away from {domain}, probably by mistake.", {
                domain: meant,
              }),
            };
      },
    },
    {
      code: "EMAIL_RISKY_TLD",
      category: "customer",
      title: "Email domain ending that is often abused",
      observe: ({ email }) => {
        const ending = email?.domain.split(".").at(-1) ?? "";
        return email?.wellFormed === true && RISKY_TLDS.has(ending)
          ? {
              points: 8,
              says: say("The email domain ends in .{ending}, where domains are free or almost free.", {
                ending,
              }),
            }
          : null;
      },
    },
    {
      code: "EMAIL_FREE_FOR_COMPANY",
      category: "customer",
      title: "Company with a free email address",
      observe: ({ email, companyName }) =>
        email !== undefined && companyName !== undefined && FREE_PROVIDER_DOMAINS.has(email.domain)
          ? {
              points: 3,
              says: say(
                "The order names a company, but the email address is from a free provider ({email}).",
                { email: maskEmail(email) },
              ),
            }
          : null,
    },
    ...EMAIL_PROVIDER_SIGNALS,
  ],
};

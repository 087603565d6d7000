import type { OrderFacts } from "../facts/order-facts.ts";
import type { EvidenceGroup, Observation } from "./signal.ts";
import { say } from "./sentence.ts";

/** 555-0100 to 555-0199 in every North American area code are reserved for fiction (ATIS-0300115). */
const NORTH_AMERICAN_FICTION = /^1?[2-9]\d{2}55501\d{2}$/;
/** Numbers that Ofcom reserves for drama, without the leading 0 or 44. */
const BRITISH_FICTION =
  /^(?:2079460\d{3}|1(?:13|14|15|16|17|18|21|31|41|51|61)4960\d{3}|1914980\d{3}|2890180\d{3}|2920180\d{3}|1632960\d{3}|7700900\d{3}|8081570\d{3}|9098790\d{3}|3069990\d{3})$/;
const REPEATED_DIGIT = /(\d)\1{6}/;
const SEQUENCE_LENGTH = 7;
const LONGEST_COUNTRY_CODE = 3;
const UPWARDS = "012345678901234567890";
const DOWNWARDS = "098765432109876543210";
/** Kinds of numbers that reach no particular person, in words for a reviewer. */
const RISKY_TYPES: ReadonlyMap<string | undefined, string> = new Map([
  ["PAGER", "a pager"],
  ["PREMIUM_RATE", "a premium-rate service"],
  ["TOLL_FREE", "a toll-free service"],
  ["SHARED_COST", "a shared-cost service"],
  ["UAN", "a company's service number"],
  ["PERSONAL_NUMBER", "a number that forwards anywhere"],
  ["VOICEMAIL", "a voice mailbox"],
]);

function isFictional({ phone, billing, shipping }: OrderFacts): boolean {
  if (phone === undefined) return false;
  if (NORTH_AMERICAN_FICTION.test(phone.digits)) return true;
  const isBritish = billing?.country === "GB" || shipping?.country === "GB";
  const national =
    /^(?:0044|44)0?(.+)$/.exec(phone.digits)?.[1] ?? (isBritish ? phone.digits.replace(/^0/, "") : "");
  return BRITISH_FICTION.test(national);
}

/** Whether all digits count up or down, from the start or after the country code. */
function isSequence(digits: string): boolean {
  for (let skipped = 0; skipped <= LONGEST_COUNTRY_CODE; skipped += 1) {
    const rest = digits.slice(skipped);
    if (rest.length < SEQUENCE_LENGTH) return false;
    if (UPWARDS.includes(rest) || DOWNWARDS.includes(rest)) return true;
  }
  return false;
}

function hasMadeUpDigits(digits: string): boolean {
  return REPEATED_DIGIT.test(digits) || isSequence(digits);
}

function observeInvalid(facts: OrderFacts): Observation | null {
  const { phone } = facts;
  // Invented and reserved numbers have their own signals.
  if (phone === undefined || hasMadeUpDigits(phone.digits) || isFictional(facts)) return null;
  const values = { digits: phone.digits.length };
  if (phone.plan === "impossible") {
    return { points: 10, says: say("This isn't a valid phone number (digits: {digits}).", values) };
  }
  return phone.plan === "unassigned"
    ? {
        points: 5,
        says: say(
          "The phone number (digits: {digits}) isn't in any range that its country has assigned.",
          values,
        ),
      }
    : null;
}

function observeRiskyType({ phone, billing, shipping }: OrderFacts): Observation | null {
  if (phone === undefined) return null;
  const risky = RISKY_TYPES.get(phone.type);
  if (risky !== undefined)
    return { points: 8, says: say("The phone number belongs to {what}.", { what: risky }) };
  // An internet phone number of the order's country is ordinary. Anybody can rent one of an unrelated country.
  const isForeign =
    phone.country !== undefined &&
    billing?.writtenCountry !== undefined &&
    shipping?.writtenCountry !== undefined &&
    ![billing.writtenCountry, shipping.writtenCountry].includes(phone.country);
  return phone.type === "VOIP" && isForeign
    ? {
        points: 8,
        says: say("The phone number is an internet line from another country ({country}).", {
          country: phone.country,
        }),
        beside: {
          codes: ["PHONE_COUNTRY"],
          says: say("It is an internet line, which can be rented from anywhere."),
        },
      }
    : null;
}

/** Signals from the phone number itself. Whether it can be reached isn't checked. */
export const PHONE_SIGNALS: EvidenceGroup = {
  name: "phone",
  isKnown: ({ phone }) => phone !== undefined,
  limitation: "The order has no phone number.",
  signals: [
    {
      code: "PHONE_INVALID",
      category: "customer",
      title: "Not a phone number",
      observe: observeInvalid,
    },
    {
      code: "PHONE_REPEATED_DIGIT",
      category: "customer",
      title: "Phone number with one repeated digit",
      observe: ({ phone }) =>
        phone !== undefined && REPEATED_DIGIT.test(phone.digits)
          ? { points: 14, says: say("The phone number repeats one digit seven times or more.") }
          : null,
    },
    {
      code: "PHONE_SEQUENTIAL",
      category: "customer",
      title: "Phone number that counts up or down",
      observe: ({ phone }) =>
        phone !== undefined && isSequence(phone.digits)
          ? { points: 14, says: say("The digits of the phone number count up or down.") }
          : null,
    },
    {
      code: "PHONE_FICTIONAL",
      category: "customer",
      title: "Phone number reserved for fiction",
      testData: true,
      observe: (facts) =>
        isFictional(facts)
          ? { points: 14, says: say("The phone number is in a range that is never assigned.") }
          : null,
    },
    {
      code: "PHONE_RISKY_TYPE",
      category: "customer",
      title: "Phone number not tied to a person",
      observe: observeRiskyType,
    },
  ],
};

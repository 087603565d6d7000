import type { OrderFacts } from "../order-facts.ts";
import type { EvidenceGroup } from "../signal.ts";

/** Fewer digits reach nobody even inside a small country; E.164 allows no more than fifteen. */
const SHORTEST = 6;
const LONGEST = 15;
/** 555-0100 to 555-0199 in every North American area code are kept free for fiction (ATIS-0300115). */
const NORTH_AMERICAN_FICTION = /^1?[2-9]\d{2}55501\d{2}$/;
/** Numbers that Ofcom keeps free for drama, without the leading 0 or 44. */
const BRITISH_FICTION =
  /^(?:2079460\d{3}|1(?:13|14|15|16|17|18|21|31|41|51|61)4960\d{3}|1914980\d{3}|2890180\d{3}|2920180\d{3}|1632960\d{3}|7700900\d{3}|8081570\d{3}|9098790\d{3}|3069990\d{3})$/;
const REPEATED_DIGIT = /(\d)\1{6}/;
const SEQUENCE_LENGTH = 7;
const LONGEST_COUNTRY_CODE = 3;
const UPWARDS = "012345678901234567890";
const DOWNWARDS = "098765432109876543210";

function isFictional({ phoneDigits, billing, shipping }: OrderFacts): boolean {
  if (phoneDigits === undefined) return false;
  if (NORTH_AMERICAN_FICTION.test(phoneDigits)) return true;
  const isBritish = billing?.country === "GB" || shipping?.country === "GB";
  const national =
    /^(?:0044|44)0?(.+)$/.exec(phoneDigits)?.[1] ?? (isBritish ? phoneDigits.replace(/^0/, "") : "");
  return BRITISH_FICTION.test(national);
}

/** Whether the number counts up or down from its start, or right after its country code, to its end. */
function isSequence(digits: string): boolean {
  for (let skipped = 0; skipped <= LONGEST_COUNTRY_CODE; skipped += 1) {
    const rest = digits.slice(skipped);
    if (rest.length < SEQUENCE_LENGTH) return false;
    if (UPWARDS.includes(rest) || DOWNWARDS.includes(rest)) return true;
  }
  return false;
}

/** What the phone number says about itself. Whether it exists is not looked up. */
export const PHONE_SIGNALS: EvidenceGroup = {
  name: "phone",
  isKnown: ({ phoneDigits }) => phoneDigits !== undefined,
  limitation: "The order has no phone number.",
  signals: [
    {
      code: "PHONE_INVALID",
      category: "customer",
      title: "Not a phone number",
      observe: ({ phoneDigits }) =>
        phoneDigits === undefined || (phoneDigits.length >= SHORTEST && phoneDigits.length <= LONGEST)
          ? null
          : { points: 10, description: `The phone number has ${phoneDigits.length} digits.` },
    },
    {
      code: "PHONE_REPEATED_DIGIT",
      category: "customer",
      title: "Phone number of one digit",
      observe: ({ phoneDigits }) =>
        phoneDigits !== undefined && REPEATED_DIGIT.test(phoneDigits)
          ? { points: 14, description: "The phone number repeats one digit seven times or more." }
          : null,
    },
    {
      code: "PHONE_SEQUENTIAL",
      category: "customer",
      title: "Phone number that counts up or down",
      observe: ({ phoneDigits }) =>
        phoneDigits !== undefined && isSequence(phoneDigits)
          ? { points: 14, description: "The digits of the phone number count up or down." }
          : null,
    },
    {
      code: "PHONE_FICTIONAL",
      category: "customer",
      title: "Phone number reserved for fiction",
      testData: true,
      observe: (facts) =>
        isFictional(facts)
          ? { points: 14, description: "The phone number lies in a range that is never given to anyone." }
          : null,
    },
  ],
};

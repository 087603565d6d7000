import { toDigits } from "../text.ts";
import { CALLING_CODES } from "./generated/calling-codes.ts";

interface NumberingPlan {
  readonly callingCode: string;
  /** What people dial before a national number; empty if nothing. */
  readonly trunk: string;
  readonly lengths: ReadonlySet<number>;
}

const PLANS: ReadonlyMap<string, NumberingPlan> = new Map(
  CALLING_CODES.split("|").map((line) => {
    const [country = "", callingCode = "", trunk = "", lengths = ""] = line.split(" ");
    const plan = {
      callingCode,
      trunk: trunk === "-" ? "" : trunk,
      lengths: new Set(lengths.split(",").map(Number)),
    };
    return [country, plan];
  }),
);
const PLUS = /^[\s(]*\+/;
/** The prefixes of calls abroad: of most countries, and of North America. */
const ABROAD: Readonly<Record<string, RegExp>> = { "1": /^011(?=[1-9])/ };
const ABROAD_ELSEWHERE = /^00(?=[1-9])/;

/**
 * The digits of a phone number with its country's calling code, so that `07400 123456` of Britain is `+44 7400 123456`.
 * Undefined `country`: not known, and the digits stay as they are. A number that fits neither form stays different, which
 * costs a credit at most.
 *
 * @param country ISO 3166-1 code of the buyer's country.
 */
export function foldPhone(phone: string, country: string | undefined): string {
  const digits = toDigits(phone);
  const plan = country === undefined ? undefined : PLANS.get(country);
  if (plan === undefined || digits === "") return digits;
  const { callingCode } = plan;
  if (PLUS.test(phone.normalize("NFKC"))) return fromAnywhere(digits, plan);
  const dialed = digits.replace(ABROAD[callingCode] ?? ABROAD_ELSEWHERE, "");
  if (dialed !== digits) return fromAnywhere(dialed, plan);
  const national = withoutTrunk(digits, plan);
  return national === digits && hasCallingCode(digits, plan) ? digits : callingCode + national;
}

/** An international number. `+44 (0)7400 123456` is dialed without the zero. */
function fromAnywhere(digits: string, plan: NumberingPlan): string {
  const { callingCode } = plan;
  if (!digits.startsWith(callingCode)) return digits;
  return callingCode + withoutTrunk(digits.slice(callingCode.length), plan);
}

/** In Russia, where the trunk prefix is 8, national numbers begin with 8, too. None begins with 0 where that's the prefix. */
function withoutTrunk(digits: string, { trunk, lengths }: NumberingPlan): string {
  if (trunk === "" || !digits.startsWith(trunk)) return digits;
  const national = digits.slice(trunk.length);
  return trunk === "0" || lengths.has(national.length) ? national : digits;
}

/** Whether digits without a plus sign are an international number. A national one may begin with the same digits. */
function hasCallingCode(digits: string, { callingCode, trunk, lengths }: NumberingPlan): boolean {
  if (!digits.startsWith(callingCode) || !lengths.has(digits.length - callingCode.length)) return false;
  // Where national numbers begin with a trunk prefix, one without it is rare.
  return trunk !== "" || !lengths.has(digits.length);
}

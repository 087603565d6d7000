import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { NetworkKind } from "../../../engine/facts/ip-facts.ts";
import type { OrderContext } from "../../../order/order-context.ts";

/** What a fact says about an order; `warn`: look twice. */
const MEANINGS = ["good", "neutral", "warn", "bad"] as const;
type Meaning = (typeof MEANINGS)[number];

export const signJson = z.object({
  kind: z.enum(["avs", "cvv", "network", "ip-country", "addresses"]),
  meaning: z.enum(MEANINGS),
  detail: z
    .string()
    .describe("the bank's code, the kind of network, or the IP address's country; else empty"),
});
type Sign = z.infer<typeof signJson>;

/** Letters, what they stand for, and what that says about the order. */
type Codes = readonly (readonly [codes: string, words: string, meaning: Meaning])[];

/** Result codes of the card networks' address check. */
const AVS_WORDS: Codes = [
  ["A", "the street matches, the postal code doesn't", "warn"],
  ["B", "the street matches, the postal code wasn't checked", "warn"],
  ["CEGIRSU", "the bank didn't check the address", "neutral"],
  ["DMXY", "street and postal code match", "good"],
  ["F", "the postal code matches, the name doesn't", "warn"],
  ["H", "street and postal code match, the name doesn't", "warn"],
  ["JQV", "name, street and postal code match", "good"],
  ["K", "the name matches, street and postal code don't", "bad"],
  ["L", "name and postal code match, the street doesn't", "warn"],
  ["N", "neither street nor postal code matches", "bad"],
  ["O", "name and street match, the postal code doesn't", "warn"],
  ["P", "the postal code matches, the street wasn't checked", "warn"],
  ["T", "the street matches, the name doesn't", "warn"],
  ["WZ", "the postal code matches, the street doesn't", "warn"],
];

/** Result codes of the check of the card's security code. */
const CVV_WORDS: Codes = [
  ["D", "suspicious", "bad"],
  ["I", "invalid", "bad"],
  ["M", "matches", "good"],
  ["N", "doesn't match", "bad"],
  ["P", "wasn't checked", "neutral"],
  ["S", "not entered, though the card has one", "warn"],
  ["U", "the bank didn't check it", "neutral"],
  ["X", "the card doesn't support it", "neutral"],
];

/** The result of the address check in words with its code; undefined without a result. */
export function explainAvs(code: string | undefined) {
  return explain(AVS_WORDS, code);
}

/** The result of the security code's check in words with its code; undefined without a result. */
export function explainCvv(code: string | undefined) {
  return explain(CVV_WORDS, code);
}

function explain(all: Codes, code: string | undefined) {
  if (code === undefined) return undefined;
  const [, words] = find(all, code) ?? [];
  return words === undefined ? `code ${code}` : `${words} (${toLetter(code)})`;
}

function find(all: Codes, code: string) {
  const letter = toLetter(code);
  return all.find(([codes]) => letter.length === 1 && codes.includes(letter));
}

function toLetter(code: string): string {
  return code.trim().toUpperCase();
}

/** The facts of an order that say something about it. */
interface SignedFacts {
  readonly shippingAddress?: object | undefined;
  readonly billingAddress?: object | undefined;
  readonly ip?: { readonly network?: NetworkKind | undefined } | undefined;
  /** ISO codes. */
  readonly countries: { readonly [of in "ip" | "shipping" | "billing"]?: string | undefined };
}

/** What an order's facts say for or against it; those that aren't known are left out. Pure. */
export function toSigns(contents: SignedFacts, { avs, cvv }: OrderContext): readonly Sign[] {
  return [
    toCheckSign("avs", AVS_WORDS, avs),
    toCheckSign("cvv", CVV_WORDS, cvv),
    toNetworkSign(contents),
    toIpCountrySign(contents),
    toAddressSign(contents),
  ].filter((sign) => sign !== null);
}

/** A code that nobody knows says nothing. */
function toCheckSign(kind: "avs" | "cvv", all: Codes, code: string | undefined): Sign | null {
  const [, , meaning] = (code === undefined ? undefined : find(all, code)) ?? [];
  return code === undefined || meaning === undefined ? null : { kind, meaning, detail: toLetter(code) };
}

const NETWORK_MEANINGS = { tor: "bad", vpn: "warn", hosting: "warn", shared: "neutral" } as const;

function toNetworkSign({ ip }: SignedFacts): Sign | null {
  const network = ip?.network;
  return network === undefined
    ? null
    : { kind: "network", meaning: NETWORK_MEANINGS[network], detail: network };
}

function toIpCountrySign({ countries: { ip, shipping, billing } }: SignedFacts): Sign | null {
  if (ip === undefined || (shipping === undefined && billing === undefined)) return null;
  return { kind: "ip-country", meaning: ip === shipping || ip === billing ? "good" : "warn", detail: ip };
}

/** Gifts go to other addresses, seldom to other countries. */
function toAddressSign({ shippingAddress, billingAddress, countries }: SignedFacts): Sign | null {
  if (shippingAddress === undefined || billingAddress === undefined) return null;
  const { shipping, billing } = countries;
  const isAbroad = shipping !== undefined && billing !== undefined && shipping !== billing;
  const isSame = isDeepStrictEqual(shippingAddress, billingAddress);
  const meaning = isAbroad ? "warn" : isSame ? "good" : "neutral";
  return { kind: "addresses", meaning, detail: "" };
}

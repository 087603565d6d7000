import { z } from "zod";
import { toKnown, type MappedOrder } from "../../../platform/platform.ts";
import { toIpFacts } from "../../../engine/facts/ip-facts.ts";
import { toCountryCode } from "../../../order/countries/country-code.ts";
import type { OrderAddress, PartialVerificationRequest } from "../../../order/request.ts";

const text = z.string().optional();
const count = z.number().optional();

const addressJson = z.object({ street: text, city: text, state: text, postalCode: text, country: text });

/** An order's buyer and goods, whether or not it was sent. Fields that the platform doesn't provide are absent. */
export const contentsJson = z.object({
  buyer: z.object({
    name: text,
    email: text,
    phone: text,
    company: text,
    accountAgeInDays: count,
    earlierOrders: count.describe("orders of the same customer before this one, as the platform counts"),
    cancelledOrders: count,
    returnedOrders: count,
  }),
  items: z.array(z.object({ name: z.string(), quantity: z.number(), price: z.number(), sku: text })),
  recipient: text,
  shippingAddress: addressJson.optional(),
  billingAddress: addressJson.optional(),
  card: z.object({ brand: text, lastFourDigits: text, expiry: text, holderName: text }).optional(),
  checks: z
    .object({ avs: text, cvv: text })
    .describe("results of the bank's checks of address and security code, in words with their codes"),
  ip: z
    .object({
      address: z.string(),
      network: z.enum(["tor", "vpn", "hosting", "shared"]).optional(),
    })
    .optional(),
  countries: z
    .object({ ip: text.describe("where the IP address is registered"), shipping: text, billing: text })
    .describe("ISO codes"),
});
type ContentsJson = z.infer<typeof contentsJson>;

/** An order's contents without the stand-ins that only the service needs. Personal. Null if it was erased. */
export function toContentsJson(mapped: MappedOrder | null): ContentsJson | null {
  if (mapped === null) return null;
  const order: PartialVerificationRequest = toKnown(mapped);
  const standIns = new Set<string>(mapped.standIns);
  const { recipientName, context = {} } = mapped;
  const shippingAddress = toAddress("shippingAddress", order.shippingAddress, standIns);
  const billingAddress = toAddress("billingAddress", order.billingAddress, standIns);
  const { ipAddress } = order;
  const ip = ipAddress === undefined ? undefined : toIpFacts(ipAddress);
  return {
    buyer: toBuyer(order, standIns),
    items: (order.items ?? []).map(({ name, quantity, price, sku }) => ({ name, quantity, price, sku })),
    recipient: recipientName === "" ? undefined : recipientName,
    shippingAddress,
    billingAddress,
    card: order.paymentInfo,
    checks: { avs: explainAvs(context.avs), cvv: explainCvv(context.cvv) },
    ip: ipAddress === undefined ? undefined : { address: ipAddress, network: ip?.network },
    countries: {
      ip: ip?.country,
      shipping: toCountryCode(shippingAddress?.country),
      billing: toCountryCode(billingAddress?.country),
    },
  };
}

function toBuyer(order: PartialVerificationRequest, standIns: ReadonlySet<string>): ContentsJson["buyer"] {
  return {
    name: standIns.has("customerName") ? undefined : order.customerName,
    email: order.customerEmail,
    phone: order.customerPhone,
    company: order.companyName,
    accountAgeInDays: order.accountAgeInDays,
    earlierOrders: order.totalOrders,
    cancelledOrders: order.cancelledOrders,
    returnedOrders: order.returnedOrders,
  };
}

/** An address as the platform has it. Undefined if it's a copy of the other one, or unknown. */
function toAddress(
  name: "shippingAddress" | "billingAddress",
  address: Partial<OrderAddress> | undefined,
  standIns: ReadonlySet<string>,
): z.infer<typeof addressJson> | undefined {
  if (address === undefined || standIns.has(name)) return undefined;
  const parts = Object.entries(address).filter(([part]) => !standIns.has(`${name}.${part}`));
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

/** Letters and what they stand for. */
type Codes = readonly (readonly [codes: string, words: string])[];

/** Result codes of the card networks' address check. */
const AVS_WORDS: Codes = [
  ["A", "the street matches, the postal code doesn't"],
  ["B", "the street matches, the postal code wasn't checked"],
  ["CEGIRSU", "the bank didn't check the address"],
  ["DMXY", "street and postal code match"],
  ["F", "the postal code matches, the name doesn't"],
  ["H", "street and postal code match, the name doesn't"],
  ["JQV", "name, street and postal code match"],
  ["K", "the name matches, street and postal code don't"],
  ["L", "name and postal code match, the street doesn't"],
  ["N", "neither street nor postal code matches"],
  ["O", "name and street match, the postal code doesn't"],
  ["P", "the postal code matches, the street wasn't checked"],
  ["T", "the street matches, the name doesn't"],
  ["WZ", "the postal code matches, the street doesn't"],
];

/** Result codes of the check of the card's security code. */
const CVV_WORDS: Codes = [
  ["D", "suspicious"],
  ["I", "invalid"],
  ["M", "matches"],
  ["N", "doesn't match"],
  ["P", "wasn't checked"],
  ["S", "not entered, though the card has one"],
  ["U", "the bank didn't check it"],
  ["X", "the card doesn't support it"],
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
  const letter = code.trim().toUpperCase();
  const [, words] = all.find(([codes]) => letter.length === 1 && codes.includes(letter)) ?? [];
  return words === undefined ? `code ${code}` : `${words} (${letter})`;
}

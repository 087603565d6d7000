import { z } from "zod";
import { toKnownNow, type MappedOrder } from "../../../platform/platform.ts";
import { toIpFacts } from "../../../engine/facts/ip-facts.ts";
import { UNREAD_CAUSES } from "../../../order/unread-detail.ts";
import { toCountryCode } from "../../../order/countries/country-code.ts";
import { explainAvs, explainCvv, signJson, toSigns } from "./order-signs.ts";
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
  unread: z
    .object({
      payment: z.enum(UNREAD_CAUSES).optional().describe("the card, and the bank's checks of it"),
      history: z.enum(UNREAD_CAUSES).optional().describe("the customer's earlier orders"),
    })
    .readonly()
    .describe("what the platform hasn't provided, and why. It's filled in when it comes"),
  signs: z.array(signJson).readonly().describe("facts that speak for or against the order"),
});
type ContentsJson = z.infer<typeof contentsJson>;

/** An order's contents without the stand-ins that only the service needs. Personal. Null if it was erased. */
export function toContentsJson(mapped: MappedOrder | null): ContentsJson | null {
  if (mapped === null) return null;
  const order: PartialVerificationRequest = toKnownNow(mapped);
  const standIns = new Set<string>(mapped.standIns);
  const { recipientName, context = {} } = mapped;
  const shippingAddress = toAddress("shippingAddress", order.shippingAddress, standIns);
  const billingAddress = toAddress("billingAddress", order.billingAddress, standIns);
  const { ipAddress } = order;
  const ip = ipAddress === undefined ? undefined : toIpFacts(ipAddress);
  const contents: Omit<ContentsJson, "signs"> = {
    buyer: toBuyer(order, standIns),
    items: (order.items ?? []).map(({ name, quantity, price, sku }) => ({ name, quantity, price, sku })),
    recipient: recipientName === "" ? undefined : recipientName,
    shippingAddress,
    billingAddress,
    card: order.paymentInfo,
    unread: mapped.unread ?? {},
    checks: { avs: explainAvs(context.avs), cvv: explainCvv(context.cvv) },
    ip: ipAddress === undefined ? undefined : { address: ipAddress, network: ip?.network },
    countries: {
      ip: ip?.country,
      shipping: toCountryCode(shippingAddress?.country),
      billing: toCountryCode(billingAddress?.country),
    },
  };
  return { ...contents, signs: toSigns(contents, context) };
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

import ipaddr from "ipaddr.js";
import { REQUEST_LIMITS, verificationRequestSchema } from "../../../src/index.ts";
import { cleanText } from "../../../src/mapping.ts";
import { definedOnly, toJsonObject, type JsonObject } from "../intake/payload.ts";

/** The device that an order was placed with. */
export interface OrderDevice {
  readonly ipAddress?: string;
  readonly userAgent?: string;
}

/**
 * The buyer's IP address and browser. Neither is given for drafts, orders at a counter and other orders that staff
 * made: there they are the merchant's own, and one address behind many buyers looks like fraud.
 */
export function toDevice(payload: JsonObject): OrderDevice {
  if (isStaffMade(payload)) return {};
  const details = toJsonObject(payload["client_details"]);
  return definedOnly({
    ipAddress: toPublicIp(payload["browser_ip"]) ?? toPublicIp(details?.["browser_ip"]),
    userAgent: cleanText(details?.["user_agent"], REQUEST_LIMITS.userAgent),
  });
}

function isStaffMade(payload: JsonObject): boolean {
  const source = payload["source_name"];
  if (source === "shopify_draft_order" || source === "pos") return true;
  // `user_id` names the member of staff behind an order. The online shop's own checkout has none, so `web` wins.
  const staff = payload["user_id"];
  return staff !== undefined && staff !== null && source !== "web";
}

const ipSchema = verificationRequestSchema.shape.ipAddress;

// No buyer reaches Shopify from these addresses: they are private or reserved. Shopify's samples and some apps write
// 0.0.0.0 for "unknown".
const NOT_A_BUYERS: ReadonlySet<string> = new Set([
  "unspecified",
  "broadcast",
  "multicast",
  "linkLocal",
  "loopback",
  "carrierGradeNat",
  "private",
  "uniqueLocal",
]);

/** An address of the public internet. IPv4 inside IPv6 (`::ffff:`) is given as IPv4. */
function toPublicIp(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : undefined;
  // The schema's pattern first: ipaddr.js also reads octal, hexadecimal and shortened forms.
  if (text === undefined || !ipSchema.safeParse(text).success || !ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  if (NOT_A_BUYERS.has(address.range())) return undefined;
  return address.kind() === "ipv4" ? address.toString() : text;
}

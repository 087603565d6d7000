import ipaddr from "ipaddr.js";
import { isBuyersIp, REQUEST_LIMITS, verificationRequestSchema } from "../../../src/adapter-kit.ts";
import { cleanText } from "../../../src/mapping.ts";
import { definedOnly, toJsonObject, type JsonObject } from "../base/payload.ts";

/**
 * The buyer's IP address and browser. Left out for drafts, orders at a counter and other orders by staff: there they
 * are the merchant's own, and one address behind many buyers looks like fraud.
 */
export function toDevice(payload: JsonObject) {
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
  // `user_id` identifies the staff member behind an order. The online shop's own checkout has none, so `web` wins.
  const staff = payload["user_id"];
  return staff !== undefined && staff !== null && source !== "web";
}

const ipSchema = verificationRequestSchema.shape.ipAddress;

/** A public internet address. IPv4 inside IPv6 (`::ffff:`) becomes IPv4. */
function toPublicIp(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : undefined;
  // Check the schema's pattern first, since ipaddr.js also reads octal, hexadecimal and shortened forms.
  if (text === undefined || !ipSchema.safeParse(text).success || !ipaddr.isValid(text)) return undefined;
  if (!isBuyersIp(text)) return undefined;
  const address = ipaddr.process(text);
  return address.kind() === "ipv4" ? address.toString() : text;
}

import ipaddr from "ipaddr.js";
import type { OrderFacts } from "../order-facts.ts";
import type { EvidenceGroup } from "../signal.ts";

/** Public addresses; the last two carry IPv6 over IPv4 for people behind old routers. */
const CUSTOMER_RANGES: ReadonlySet<string> = new Set(["unicast", "6to4", "teredo"]);

/**
 * What keeps an IP address from being that of a customer, for a reviewer; null for a public one or none. An address
 * of the shop's own network is a fault of the integration, never the customer's.
 */
export function toIpFault({ ipAddress }: OrderFacts): string | null {
  if (ipAddress === undefined) return null;
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(ipAddress) || ipaddr.IPv6.isValid(ipAddress);
  if (!isAddress) return "The IP address given is not one.";
  const range = ipaddr.process(ipAddress).range();
  return CUSTOMER_RANGES.has(range)
    ? null
    : `The IP address lies in a range that no customer comes from (${range}); check what the shop passes on.`;
}

/** Where the customer is online. Holds no signal as long as the engine has no data about addresses. */
export const IP_SIGNALS: EvidenceGroup = {
  name: "ip",
  isKnown: () => false,
  limitation: "Location and reputation of the IP address are not looked up.",
  signals: [],
};

import type { NetworkKind } from "../facts/ip-facts.ts";
import type { OrderFacts } from "../facts/order-facts.ts";
import type { EvidenceGroup, Observation } from "./signal.ts";
import { DATA_SOURCES, fadePoints } from "../tables/data-sources.ts";

function observeNetwork(kind: NetworkKind, points: number, what: string) {
  return ({ ip, nowMs }: OrderFacts): Observation | null =>
    ip?.network === kind
      ? {
          points: fadePoints(points, DATA_SOURCES.ipNetworks, nowMs),
          description: `The IP address (${ip.masked}) belongs to ${what}.`,
        }
      : null;
}

export const IP_SIGNALS: EvidenceGroup = {
  name: "ip",
  isKnown: ({ ip }) => ip !== undefined && ip.fault === undefined,
  limitation: "The customer's IP address is not known, so neither its network nor its country was looked at.",
  signals: [
    {
      code: "IP_TOR",
      category: "technical",
      title: "Tor",
      voidsTrust: true,
      observe: observeNetwork("tor", 35, "a network of Tor exits"),
    },
    {
      code: "IP_DATACENTER",
      category: "technical",
      title: "Order from a data center",
      observe: observeNetwork("hosting", 16, "a hosting company, which servers use rather than people"),
    },
    {
      code: "IP_VPN",
      category: "technical",
      title: "VPN or proxy",
      observe: observeNetwork("vpn", 10, "a VPN or proxy service"),
    },
  ],
};

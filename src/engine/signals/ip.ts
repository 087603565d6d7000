import type { NetworkKind } from "../facts/ip-facts.ts";
import type { OrderFacts } from "../facts/order-facts.ts";
import type { EvidenceGroup, Observation } from "./signal.ts";
import { say, type Sentence } from "./sentence.ts";
import { DATA_SOURCES, fadePoints } from "../tables/data-sources.ts";

function observeNetwork(kind: NetworkKind, points: number, toSentence: (ip: string) => Sentence) {
  return ({ ip, nowMs }: OrderFacts): Observation | null =>
    ip?.network === kind
      ? {
          points: fadePoints(points, DATA_SOURCES.ipNetworks, nowMs),
          says: toSentence(ip.masked),
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
      observe: observeNetwork("tor", 35, (address) =>
        say(
          "The IP address ({ip}) is in a network of Tor exits, so the customer's own network and place aren't known.",
          { ip: address },
        ),
      ),
    },
    {
      code: "IP_DATACENTER",
      category: "technical",
      title: "Order from a data center",
      observe: observeNetwork("hosting", 16, (address) =>
        say(
          "The IP address ({ip}) belongs to a hosting company. Servers use it, and some VPNs, but home and mobile connections hardly ever do.",
          {
            ip: address,
          },
        ),
      ),
    },
    {
      code: "IP_VPN",
      category: "technical",
      title: "VPN or proxy",
      observe: observeNetwork("vpn", 10, (address) =>
        say("The IP address ({ip}) belongs to a VPN or proxy service.", { ip: address }),
      ),
    },
  ],
};

import ipaddr from "ipaddr.js";
import { readText } from "./plain-order.ts";
import { HOME_COUNTRIES } from "../tables/countries.ts";
import { IP_COUNTRIES } from "../tables/generated/ip-countries.ts";
import { IP_NETWORKS } from "../tables/generated/ip-networks.ts";
import { openTable, type AddressBlock } from "../tables/packed-ranges.ts";

/**
 * The kind of a network. `tor`: exits of the Tor network. `vpn`: consumer VPNs and proxies. `hosting`: clouds and hosters.
 * `shared`: relays, company gateways and satellites, which reveal neither a person nor a place.
 */
export type NetworkKind = "tor" | "vpn" | "hosting" | "shared";

export interface IpFacts {
  /** Why it can't be a customer's address, for a reviewer; undefined for a public address. */
  readonly fault: string | undefined;
  /** Masked, without the half that identifies a person: `113.161.x.x`, `2600:1700:x`. */
  readonly masked: string;
  /** ISO 3166-1 code of the country it is registered in; undefined if unknown or meaningless. */
  readonly country: string | undefined;
  readonly network: NetworkKind | undefined;
}

/** Public addresses; the last two carry IPv6 over IPv4 for people behind old routers. */
const CUSTOMER_RANGES: ReadonlySet<string> = new Set(["unicast", "6to4", "teredo"]);
const LONGEST_ADDRESS = 64;
/**
 * Registries use these codes for ranges that span countries. Companies that lease millions of addresses to providers on other
 * continents register in the Seychelles, so hardly any of them is used there.
 */
const NO_COUNTRIES: ReadonlySet<string> = new Set(["EU", "AP", "ZZ", "SC"]);

const findCountry = openTable(IP_COUNTRIES);
const findNetwork = openTable(IP_NETWORKS);

/** Read an IP address; undefined if none was given. An invalid address is the shop's fault, never the customer's. */
export function toIpFacts(value: unknown): IpFacts | undefined {
  const text = readText(value, LONGEST_ADDRESS);
  if (text === undefined) return undefined;
  const address = parseIpAddress(text);
  if (address === undefined) return toFaulty("The IP address given is not one.");
  const range = address.range();
  if (!CUSTOMER_RANGES.has(range)) {
    return toFaulty(
      `The IP address lies in a range that no customer comes from (${range}); check what the shop passes on.`,
    );
  }
  const block = toBlock(address, range);
  const network = block === undefined ? undefined : (findNetwork(block) as NetworkKind | undefined);
  const registered = block === undefined ? undefined : findCountry(block);
  const isReliable =
    registered !== undefined && !NO_COUNTRIES.has(registered) && network !== "shared" && network !== "tor";
  return {
    fault: undefined,
    masked: toMasked(address),
    country: isReliable ? (HOME_COUNTRIES[registered] ?? registered) : undefined,
    network,
  };
}

/** Whether an IP address is a relay's, a CDN's or a gateway's, as published: a great many strangers share it. */
export function isRelayed(ip: unknown): boolean {
  return toIpFacts(ip)?.network === "shared";
}

function toFaulty(fault: string): IpFacts {
  return { fault, masked: "", country: undefined, network: undefined };
}

/** Parse an address; IPv4 inside IPv6 is extracted. Short spellings such as `10.1` don't count. */
function parseIpAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes(":") || text.includes("%") || !ipaddr.IPv6.isValid(text)) return undefined;
  return ipaddr.process(text);
}

function toBlock(address: ipaddr.IPv4 | ipaddr.IPv6, range: string): AddressBlock | undefined {
  if (address instanceof ipaddr.IPv4) {
    const [first = 0, second = 0, third = 0] = address.octets;
    return { family: "v4", number: first * 65_536 + second * 256 + third };
  }
  const [first = 0, second = 0, third = 0] = address.parts;
  // 2002:AABB:CCDD:: belongs to the line whose IPv4 address is AA.BB.CC.DD.
  if (range === "6to4") return { family: "v4", number: second * 256 + (third >>> 8) };
  if (range === "teredo") return undefined;
  return { family: "v6", number: first * 4_294_967_296 + second * 65_536 + third };
}

function toMasked(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address instanceof ipaddr.IPv4) return `${address.octets.slice(0, 2).join(".")}.x.x`;
  return `${address.parts
    .slice(0, 2)
    .map((part) => part.toString(16))
    .join(":")}:x`;
}

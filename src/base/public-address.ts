import { lookup as lookUp, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** The only allocated IPv6 addresses (RFC 4291, 2.4). Others include forms that hide an IPv4 address. */
const GIVEN_OUT = ipaddr.IPv6.parseCIDR("2000::/3");

/** Whether an IP address is public: not private, not this machine's, and not reserved. */
export function isPublicIp(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.parse(address);
  return ip.range() === "unicast" && (!(ip instanceof ipaddr.IPv6) || ip.match(GIVEN_OUT));
}

/**
 * Whether a URL's host may be on the public internet: a name, or a public address. Names have to be looked up by
 * {@link publicLookup} as well.
 */
export function isPublicHost(hostname: string): boolean {
  const plain = hostname.replaceAll(/[[\]]/g, "");
  if (isIP(plain) !== 0) return isPublicIp(plain);
  // A name may end with the root's dot.
  const name = plain.replace(/\.+$/, "");
  return name !== "" && name !== "localhost" && !name.endsWith(".localhost");
}

/**
 * Looks up a name and returns only its public addresses, right when connecting, so that a host name that somebody else chose
 * can't reach this network. The error's code is `EPRIVATE`.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, found: readonly LookupAddress[]) => {
    if (error !== null) return callback(error, "", 0);
    const reachable = found.filter(({ address }) => isPublicIp(address));
    const [first] = reachable;
    if (first === undefined) {
      return callback(Object.assign(new Error("not a public address"), { code: "EPRIVATE" }), "", 0);
    }
    return options.all === true ? callback(null, reachable) : callback(null, first.address, first.family);
  });
};

/** `hostname` as the URL parser writes it: IPv4 with four decimal parts, IPv6 in brackets. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}

/**
 * An IP address, alone or with the length of its network's prefix. A bare number is refused, although it parses as an
 * address. So is `/0`: it would trust everybody, and Express doesn't start with it.
 */
export function isNetwork(text: string): boolean {
  const [address = "", prefix] = text.split("/");
  if (isIP(address) === 0 || address.includes("%")) return false;
  return prefix === undefined || (ipaddr.isValidCIDR(text) && Number(prefix) > 0);
}

import { lookup as lookUp, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** Whether an IP address is one that anybody can reach: neither private, nor of this machine, nor reserved. */
export function isPublicIp(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === "unicast";
}

/** Whether a URL's host may be of the public internet: a name, or a public address. Names have to be looked up by {@link publicLookup} as well. */
export function isPublicHost(hostname: string): boolean {
  const plain = hostname.replaceAll(/[[\]]/g, "");
  if (isIP(plain) !== 0) return isPublicIp(plain);
  return plain !== "" && plain !== "localhost" && !plain.endsWith(".localhost");
}

/**
 * Looks up a name and finds its public addresses alone, at the very moment of connecting, so that an address that somebody
 * else chose leads to nobody inside. The error's code is `EPRIVATE`.
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

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** An address with a port, as Azure's gateways write it in `X-Forwarded-For`: `192.0.2.1:443`, `[2001:db8::1]:443` (RFC 7239, section 6). */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[^:]+)):\d{1,5}$/;

/** The prefix that a dual-stack socket reports for an IPv4 peer (RFC 4291, section 2.5.5.2). */
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;

/**
 * A copy of the order with the customer's IP address as the host knows it, in place of any that the order carries: a
 * cart's own may have been written by the customer. A port is left out, and an IPv4 address mapped into IPv6 is written
 * as IPv4. A value that isn't one IP address (a zone, a list, `unknown`) stays as it is: the check leaves it out and warns
 * about it. An order that isn't an object is returned as it is.
 *
 * @param ip Undefined, null or blank when the host doesn't know it.
 */
export function withIpAddress(order: unknown, ip: unknown): unknown {
  if (typeof order !== "object" || order === null || Array.isArray(order)) return order;
  const { ipAddress: _, ...others } = order as { readonly ipAddress?: unknown };
  const isUnknown = ip === undefined || ip === null || (typeof ip === "string" && ip.trim() === "");
  return isUnknown ? others : { ...others, ipAddress: toGivenIp(ip) ?? ip };
}

/**
 * The one IP address that a host gives, perhaps as a list of one. Undefined for a list of several: customers choose the
 * first addresses of a forwarded list themselves, the last is a proxy's, and only the host knows how many proxies it has.
 */
export function toGivenIp(ip: unknown): string | undefined {
  const only: unknown = Array.isArray(ip) && ip.length === 1 ? ip[0] : ip;
  return typeof only === "string" ? toPlainIp(only) : undefined;
}

/** An IP address without its port, an IPv4 address mapped into IPv6 as IPv4; undefined for any other text, and with a zone. */
export function toPlainIp(text: string): string | undefined {
  const trimmed = text.trim();
  const parts = WITH_PORT.exec(trimmed)?.groups;
  const ip = (parts?.["v6"] ?? parts?.["v4"] ?? trimmed).replace(MAPPED_IPV4, "");
  return isIP(ip) === 0 || ip.includes("%") ? undefined : ip;
}

/** Ranges of addresses that no buyer orders from: private, reserved, or this machine's. `0.0.0.0` often means "unknown". */
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

/** Whether a valid IP address can be a buyer's. A private one is a proxy's, and the same for every buyer behind it. */
export function isBuyersIp(ip: string): boolean {
  return !NOT_A_BUYERS.has(ipaddr.process(ip).range());
}

/** An IPv4 address, or the /64 of an IPv6 address: the smallest network that one subscriber gets. */
export function toNetwork(ip: string): string {
  const parsed = ipaddr.process(ip);
  return parsed.kind() === "ipv4" ? parsed.toString() : parsed.toByteArray().slice(0, 8).join(".");
}

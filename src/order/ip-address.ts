import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** What a dual-stack socket reports for an IPv4 peer (RFC 4291, section 2.5.5.2). */
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;

/**
 * A copy of the order with `ipAddress` filled in, if the order is an object without one. Text that is not an IP address
 * (a port, a zone, `unknown`) is left out rather than made the customer's problem; an IPv4 address mapped into IPv6
 * is written as IPv4.
 */
export function withIpAddress(order: unknown, ip: string | undefined): unknown {
  if (ip === undefined || typeof order !== "object" || order === null || Array.isArray(order)) return order;
  if ("ipAddress" in order && order.ipAddress !== undefined) return order;
  const ipAddress = toPlainIp(ip);
  return ipAddress === undefined ? order : { ...order, ipAddress };
}

/** An IP address without port or zone, an IPv4 address mapped into IPv6 as IPv4; undefined for any other text. */
export function toPlainIp(text: string): string | undefined {
  const ip = text.trim().replace(MAPPED_IPV4, "");
  return isIP(ip) === 0 || ip.includes("%") ? undefined : ip;
}

/** An IPv4 address, or the /64 of an IPv6 address: the smallest network that one subscriber gets. */
export function toNetwork(ip: string): string {
  const parsed = ipaddr.process(ip);
  return parsed.kind() === "ipv4" ? parsed.toString() : parsed.toByteArray().slice(0, 8).join(".");
}

import { isIPv4 } from "node:net";
import { HoldfastError } from "../base/errors.ts";

/** Where the verification service is. */
export interface ServiceUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path before `/api`, without a trailing slash; empty at the root. */
  readonly prefix: string;
}

function refuse(expected: string): HoldfastError {
  // The address itself is not repeated: it may hold a password.
  return new HoldfastError("CONFIG_INVALID", `\`url\` (VERIFY_URL) ${expected}`, { retryable: false });
}

/** Whether a host, as `URL` spells it, is this very machine. `URL` has normalised every notation of an IPv4 address. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && hostname.startsWith("127."))
  );
}

/**
 * Check the verification service's base address.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` unless it is https, or http to this machine, without credentials, query and
 * fragment.
 */
export function parseServiceUrl(url: string | URL): ServiceUrl {
  const text = String(url);
  if (!URL.canParse(text)) throw refuse("must be an absolute address such as https://verify.example.com");
  const { protocol, hostname, host, pathname, username, password } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") throw refuse("must begin with https://");
  if (protocol === "http:" && !isLoopback(hostname)) {
    throw refuse("must begin with https://; http is for this machine only (localhost, 127.0.0.0/8, ::1)");
  }
  if (username !== "" || password !== "") throw refuse("must not hold credentials");
  if (/[?#]/.test(text)) throw refuse("must not have a query or a fragment");
  return { origin: `${protocol}//${host}`, prefix: pathname.replace(/\/+$/, "") };
}

/** Whether a host is this very machine. `hostname` as the URL parser writes it: IPv4 with four decimal parts, IPv6 in brackets. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}

import { LRUCache } from "lru-cache";
import { atMost } from "../../base/entry-limit.ts";
import { toNetwork, toPlainIp } from "../../order/ip-address.ts";

export interface FailureLimiterOptions {
  /** Failures allowed per address and window. */
  readonly failures: number;
  readonly windowMs: number;
  readonly now: () => number;
}

/** Addresses remembered; the least recently seen is forgotten first, so memory stays below about a megabyte. */
const ADDRESSES_KEPT = 10_000;

/** Counts failures per network address, to slow down guessing: with fixed windows, in this process only. */
export function createFailureLimiter(options: FailureLimiterOptions) {
  const { failures, windowMs, now } = options;
  const windows = new LRUCache<string, { readonly endsAtMs: number; readonly count: number }>(
    atMost(ADDRESSES_KEPT),
  );

  function open(address: string | undefined) {
    const window = windows.get(toGuesser(address));
    return window !== undefined && now() < window.endsAtMs ? window : undefined;
  }

  return {
    /** When this address may fail again, in milliseconds since the epoch; `undefined` while it still may. */
    blockedUntilMs(address: string | undefined) {
      const window = open(address);
      return window !== undefined && window.count >= failures ? window.endsAtMs : undefined;
    },
    fail(address: string | undefined): void {
      const { endsAtMs, count } = open(address) ?? { endsAtMs: now() + windowMs, count: 0 };
      windows.set(toGuesser(address), { endsAtMs, count: count + 1 });
    },
  };
}

/** The part of an address that an attacker can't change: IPv6 hosts can choose among 2^64 addresses of their network. */
function toGuesser(address: string | undefined): string {
  // Some proxies add the caller's port. A zone has a meaning only on this machine.
  const ip = toPlainIp((address ?? "").replace(/%.*$/, ""));
  return ip === undefined ? "unknown" : toNetwork(ip);
}

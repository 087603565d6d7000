import type { PlatformOrder } from "./platform.ts";

/** Clocks differ, and what a platform lists can follow a little behind its orders. */
const LIST_LAG_MS = 10_000;

/**
 * As of when a list of orders that was asked for at `askedAtMs` surely tells of them, in milliseconds since the epoch: a
 * change from before that moment is in it.
 */
export function toListedAsOfMs(askedAtMs: number): number {
  return askedAtMs - LIST_LAG_MS;
}

/** When the order was placed, by its own account, in milliseconds since the epoch; undefined when it does not say. */
export function toPlacedAtMs({ mapped }: Pick<PlatformOrder, "mapped">): number | undefined {
  const { orderTimestamp } = mapped.outcome === "screenable" ? mapped.request : mapped.known;
  const placedAtMs = orderTimestamp === undefined ? Number.NaN : Date.parse(orderTimestamp);
  return Number.isNaN(placedAtMs) ? undefined : placedAtMs;
}

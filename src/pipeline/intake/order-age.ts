import type { PlatformOrder } from "../../platform/platform.ts";

/** When the order was placed, by its own account, in milliseconds since the epoch; undefined when it does not say. */
export function toPlacedAtMs({ mapped }: Pick<PlatformOrder, "mapped">): number | undefined {
  const { orderTimestamp } = mapped.outcome === "screenable" ? mapped.request : mapped.known;
  const placedAtMs = orderTimestamp === undefined ? Number.NaN : Date.parse(orderTimestamp);
  return Number.isNaN(placedAtMs) ? undefined : placedAtMs;
}

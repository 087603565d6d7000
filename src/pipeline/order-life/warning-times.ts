import { toKnown } from "../../platform/platform.ts";
import type { OrderRecord, StepRecord } from "../../store/store.ts";

/** How long before an authorization ends to warn: time to decide within a working day. */
const AUTHORIZATION_WARNING_MS = 24 * 3_600_000;

/** When to warn that a held order's authorization ends soon; null if it has no known end. */
export function toAuthorizationWarningMs({ mapped }: Pick<OrderRecord, "mapped">): number | null {
  const endMs = Date.parse(mapped?.context?.authorizationExpiresAt ?? "");
  return Number.isNaN(endMs) ? null : endMs - AUTHORIZATION_WARNING_MS;
}

/** Shopify Protect covers an order that ships within 7 days of being placed, with tracking. */
const COVER_MS = 7 * 24 * 3_600_000;
/** How long before the cover ends to warn: time to decide, pack and ship. */
const COVER_WARNING_MS = 48 * 3_600_000;

/** When to warn that the order's cover ends soon; null if it has none. */
export function toCoverWarningMs({ mapped, receivedAtMs }: Pick<OrderRecord, "mapped" | "receivedAtMs">) {
  if (mapped === null) return null;
  const { protect, protectEligibility } = mapped.context ?? {};
  const isCovered = protect === "active" || (protect === "pending" && protectEligibility !== "not-eligible");
  if (!isCovered) return null;
  const { orderTimestamp } = toKnown(mapped);
  const placedAtMs = Date.parse(orderTimestamp ?? "");
  return (Number.isNaN(placedAtMs) ? receivedAtMs : placedAtMs) + COVER_MS - COVER_WARNING_MS;
}

/** When to warn that a hold costs the cover or the authorization; null for one the order doesn't have. */
export function toWarningsMs(
  order: Pick<OrderRecord, "mapped" | "receivedAtMs">,
): readonly (number | null)[] {
  return [toCoverWarningMs(order), toAuthorizationWarningMs(order)];
}

export type HoldNotes = NonNullable<StepRecord["notes"]>;

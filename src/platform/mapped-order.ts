import { completeOrder, isSendable } from "../order/complete-order.ts";
import type { PartialVerificationRequest } from "../order/request.ts";
import { keepUsable } from "../order/usable-order.ts";
import { toKnown, toKnownNow, type MappedOrder } from "./platform.ts";

/**
 * An order in the pipeline's format: with a request that the service accepts, completed by {@link completeOrder}, or
 * with the reason why there is none. A detail that can't be read is left out.
 */
export function toMappedOrder(
  given: PartialVerificationRequest,
  about: Pick<MappedOrder, "test" | "recipientName" | "context" | "standIns"> & {
    readonly cancelled: boolean;
  },
): MappedOrder {
  const { cancelled, ...facts } = about;
  const { known } = keepUsable(given);
  if (cancelled) return { ...facts, outcome: "unscreenable", reason: "CANCELLED", known };
  const { order, standIns } = completeOrder(known);
  if (!isSendable(order)) return { ...facts, outcome: "unscreenable", reason: toReason(given, known), known };
  const all = [...new Set([...(facts.standIns ?? []), ...standIns])];
  return { ...facts, ...(all.length === 0 ? {} : { standIns: all }), outcome: "screenable", request: order };
}

function toReason(
  { orderAmount }: PartialVerificationRequest,
  { customerEmail }: PartialVerificationRequest,
) {
  if (orderAmount !== undefined && orderAmount <= 0) return "ZERO_AMOUNT";
  return customerEmail === undefined ? "NO_EMAIL" : "NO_AMOUNT";
}

/** The country that an order ships to, or else is billed in, as the platform writes it. */
export function readCountry(mapped: MappedOrder): string | undefined {
  const { shippingAddress, billingAddress } = toKnownNow(mapped);
  return shippingAddress?.country ?? billingAddress?.country;
}

/** When an order was placed, as it says itself, in milliseconds since the epoch; undefined if it doesn't say. */
export function readPlacedAtMs(mapped: MappedOrder): number | undefined {
  const { orderTimestamp } = toKnown(mapped);
  const placedAtMs = orderTimestamp === undefined ? Number.NaN : Date.parse(orderTimestamp);
  return Number.isNaN(placedAtMs) ? undefined : placedAtMs;
}

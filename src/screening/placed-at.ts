import type { PartialVerificationRequest } from "../order/request.ts";

/** With its offset: without one, the time would depend on the machine's zone. */
const OFFSET_TIME = /(?:Z|[+-]\d{2}:?\d{2})$/i;

/** The order's own time, so that an order that comes late is compared with those of its time; never one to come. */
export function toPlacedAtMs({ orderTimestamp }: PartialVerificationRequest, nowMs: number): number {
  if (orderTimestamp === undefined || !OFFSET_TIME.test(orderTimestamp)) return nowMs;
  const placedAtMs = Date.parse(orderTimestamp);
  return Number.isNaN(placedAtMs) ? nowMs : Math.min(placedAtMs, nowMs);
}

import { toIdDigits } from "./payload.ts";

/** Handle of every hold that Holdfast places. Unique per app and fulfillment order, so a repeat is recognized. */
export const HOLD_HANDLE = "holdfast";

/** No event names more fulfillment orders than a split: the original, the rest, and a replacement. */
const IDS_MAX = 3;

/** The reference of an `order-ready` event: fulfillment orders of one order. Undefined if the values name none. */
export function toReference(values: readonly unknown[]): string | undefined {
  const ids = toGlobalIds(values);
  return ids.length === 0 ? undefined : ids.join(" ");
}

/** The fulfillment orders of a reference. */
export function fromReference(reference: string): readonly string[] {
  return toGlobalIds(reference.split(" ", IDS_MAX));
}

/** Global ids, each once, of the values that are ids of fulfillment orders. */
export function toGlobalIds(values: readonly unknown[]): readonly string[] {
  const digits = values
    .map((value) => toIdDigits(value, "FulfillmentOrder"))
    .filter((found) => found !== undefined);
  return [...new Set(digits)].map((found) => `gid://shopify/FulfillmentOrder/${found}`);
}

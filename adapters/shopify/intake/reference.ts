import { toIdDigits } from "./payload.ts";

/** No event names more fulfillment orders than a split: the original, the rest, and a replacement. */
const IDS_MAX = 3;

/** What an `order-ready` event refers to: fulfillment orders of one order; undefined when the values name none. */
export function toReference(values: readonly unknown[]): string | undefined {
  const ids = toGlobalIds(values);
  return ids.length === 0 ? undefined : ids.join(" ");
}

/** The global ids in a reference. */
export function fromReference(reference: string): readonly string[] {
  return toGlobalIds(reference.split(" ", IDS_MAX));
}

function toGlobalIds(values: readonly unknown[]): readonly string[] {
  const digits = values
    .map((value) => toIdDigits(value, "FulfillmentOrder"))
    .filter((found) => found !== undefined);
  return [...new Set(digits)].map((found) => `gid://shopify/FulfillmentOrder/${found}`);
}

import type { OrderRecord } from "./order-record.ts";

/** Whether an order is only due for a look, because it is at rest and nothing new is known. As the column `is_look`. */
export function isLook({
  state,
  review,
  revision,
}: Pick<OrderRecord, "state" | "review" | "revision">): boolean {
  const isAtRest = state === "settled" || state === "review" || state === "failed";
  return isAtRest && review === null && revision === null;
}

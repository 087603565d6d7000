import { compareOrders, type ComparedOrder } from "../order/material-change.ts";
import { toKnown, type MappedOrder } from "./platform.ts";

/** Whether a change is so relevant that whoever judged the order before has to look at it again. */
export function isMaterial(before: MappedOrder, after: MappedOrder): boolean {
  if (before.outcome === "unscreenable" && after.outcome === "screenable") return true;
  return compareOrders(toCompared(before), toCompared(after)).some(({ material }) => material);
}

/**
 * A name that only the card has isn't compared, because webhooks lack it. A name that is added later is listed, but asks
 * for no new check.
 */
export function toCompared(mapped: MappedOrder): ComparedOrder {
  const { customerName, ...known } = toKnown(mapped);
  const isStandIn = mapped.standIns?.includes("customerName") === true;
  return { ...known, ...(isStandIn ? {} : { customerName }), recipientName: mapped.recipientName };
}

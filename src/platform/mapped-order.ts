import { isHoldfastError } from "../base/errors.ts";
import { completeOrder } from "../order/complete-order.ts";
import { parseVerificationRequest, type PartialVerificationRequest } from "../order/request.ts";
import type { MappedOrder } from "./platform.ts";

/**
 * An order in the pipeline's format: with a request that the service accepts, completed by {@link completeOrder}, or
 * with the reason why there is none.
 */
export function toMappedOrder(
  known: PartialVerificationRequest,
  about: Pick<MappedOrder, "test" | "recipientName" | "context" | "standIns"> & {
    readonly cancelled: boolean;
  },
): MappedOrder {
  const { cancelled, ...facts } = about;
  if (cancelled) return { ...facts, outcome: "unscreenable", reason: "CANCELLED", known };
  const { order, standIns } = completeOrder(known);
  try {
    const request = parseVerificationRequest(order);
    const all = [...new Set([...(facts.standIns ?? []), ...standIns])];
    return { ...facts, ...(all.length === 0 ? {} : { standIns: all }), outcome: "screenable", request };
  } catch (error) {
    if (!isHoldfastError(error, "ORDER_INVALID")) throw error;
    const paths = error.fields.map(({ path }) => path);
    return { ...facts, outcome: "unscreenable", reason: toReason(known.orderAmount, paths), known };
  }
}

function toReason(amount: number | undefined, paths: readonly string[]) {
  if (amount !== undefined && amount <= 0) return "ZERO_AMOUNT";
  if (paths.includes("customerEmail")) return "NO_EMAIL";
  if (paths.includes("customerName")) return "NO_NAME";
  return paths.some((path) => path === "orderAmount" || path === "currency") ? "NO_AMOUNT" : "NO_ADDRESS";
}

import { toUnreadDetail } from "../../order/unread-detail.ts";
import { toKnown, type MappedOrder, type Platform } from "../../platform/platform.ts";
import type { OrderRecord } from "../../store/store.ts";
import type { OrderTask } from "../tasks.ts";

/** The longest that an order waits for customer history and card facts. */
export const DETAIL_TIMEOUT_MS = 5_000;

/** The order with what the platform knows about its customer and card, and with what it couldn't provide. */
export async function askPlatform(
  { platform, signal }: Pick<OrderTask, "platform" | "signal">,
  order: OrderRecord,
  mapped: MappedOrder,
): ReturnType<Platform["enrich"]> {
  const asked = {
    orderId: order.orderId,
    name: order.name,
    customerId: order.customerId ?? undefined,
    mapped,
    amount: order.amount ?? undefined,
    currency: order.currency ?? undefined,
  };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DETAIL_TIMEOUT_MS)]);
  const read = await platform.enrich(order.tenant, asked, { signal: limit });
  const { paymentInfo, totalOrders } = toKnown(read.mapped);
  const known = { payment: paymentInfo, history: totalOrders };
  const unread = toUnreadDetail(read.limitations, {
    awaitsPayment: read.awaitsPayment === true,
    has: (part) => known[part] !== undefined,
  });
  const { unread: _before, ...rest } = read.mapped;
  return {
    ...read,
    mapped: Object.keys(unread).length === 0 ? rest : { ...read.mapped, unread },
  };
}

import type { OrderRecord } from "../../store/store.ts";
import type { MappedOrder, Platform } from "../../platform/platform.ts";

/** Customer history and card facts are detail: an order does not wait longer than this for them. */
export const ENRICH_TIMEOUT_MS = 5_000;

/** An order with what the platform knows of its customer and card, and what it could not tell. */
type Enriched = Awaited<ReturnType<Platform["enrich"]>>;

/** Ask the platform for detail on an order that will be sent; any other is left as it is. */
export async function enrich(
  order: OrderRecord,
  mapped: MappedOrder,
  platform: Platform,
  signal: AbortSignal,
): Promise<Enriched> {
  if (mapped.outcome !== "screenable") return { mapped, limitations: [] };
  const asked = {
    orderId: order.orderId,
    name: order.name,
    customerId: order.customerId ?? undefined,
    mapped,
    amount: order.amount ?? undefined,
    currency: order.currency ?? undefined,
  };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ENRICH_TIMEOUT_MS)]);
  return platform.enrich(order.tenant, asked, { signal: limit });
}

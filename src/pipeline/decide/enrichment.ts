import type { KnownProduct } from "../../order/order-context.ts";
import type { OrderRecord } from "../../store/store.ts";
import { toKnown, type MappedOrder, type Platform } from "../../platform/platform.ts";
import type { ProductLookup } from "./product-lookups.ts";

/** Customer history and card facts are detail: an order does not wait longer than this for them. */
export const ENRICH_TIMEOUT_MS = 5_000;

/** An order with what the platform knows of its customer and card, and what it could not tell. */
type Enriched = Awaited<ReturnType<Platform["enrich"]>>;

/** What is asked for detail. */
export interface DetailSources {
  readonly platform: Platform;
  readonly lookUpProducts: ProductLookup;
  readonly signal: AbortSignal;
}

/** Ask the platform for detail on an order that will be sent, and meanwhile the catalog about what is bought. */
export async function enrich(
  order: OrderRecord,
  mapped: MappedOrder,
  { platform, lookUpProducts, signal }: DetailSources,
): Promise<Enriched> {
  const [detailed, found] = await Promise.all([
    askPlatform(order, mapped, platform, signal),
    lookUpProducts(order, mapped),
  ]);
  const products = keepKnown(order, mapped, found.products);
  return {
    ...detailed,
    mapped: products.length === 0 ? detailed.mapped : addProducts(detailed.mapped, products),
    limitations: [...detailed.limitations, ...found.limitations],
  };
}

/** What was found, and what was known before of goods that are still bought: a silent catalog takes no rule's ground away. */
function keepKnown(
  order: OrderRecord,
  mapped: MappedOrder,
  found: readonly KnownProduct[],
): readonly KnownProduct[] {
  const bought = new Set((toKnown(mapped).items ?? []).map(({ sku }) => sku));
  for (const { sku } of found) bought.delete(sku);
  const before = order.mapped?.context?.products ?? [];
  return [...found, ...before.filter(({ sku }) => bought.has(sku))];
}

function addProducts<T extends MappedOrder>(mapped: T, products: readonly KnownProduct[]): T {
  return { ...mapped, context: { ...mapped.context, products } };
}

async function askPlatform(
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

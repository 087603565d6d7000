import type { KnownProduct } from "../../order/order-context.ts";
import { toKnown, type MappedOrder, type Platform } from "../../platform/platform.ts";
import type { OrderRecord } from "../../store/store.ts";
import { toLessDetailEntries } from "../timeline.ts";
import type { Handler, OrderTask } from "../tasks.ts";

/** If an order has no payment yet, it is read once more after this. */
const PAYMENT_REREAD_MS = 60_000;

/**
 * Read from the platform what the webhook lacks. The result is saved before anything is paid for, so that a repeat sends exactly
 * the same request.
 */
export const readDetail: Handler<"read-detail"> = async (task, situation, move) => {
  const { order } = situation;
  const { mapped, limitations, awaitsPayment } = await enrich(task, order, move.mapped);
  // All news so far was just read. A later payment changes facts for rules, but not the request.
  const nextMs = awaitsPayment === true ? task.now() + PAYMENT_REREAD_MS : null;
  const reread = { seenMs: order.rereadAtMs, nextMs };
  const changes = { mapped, enriched: true, state: "screening", reread } as const;
  return task.save(situation, { changes, entries: toLessDetailEntries(task.now(), limitations) });
};

/** The same for the new content of a decided order. */
export const readChangedDetail: Handler<"read-changed-detail"> = async (task, situation, { order }) => {
  const { revision, revisedAtMs } = order;
  const { mapped, limitations } = await enrich(task, order, revision.mapped);
  const kept = { ...revision, mapped, enriched: true };
  const entries = toLessDetailEntries(task.now(), limitations);
  return task.save(situation, { changes: { revise: { revisedAtMs, kept } }, entries });
};

/** The longest that an order waits for customer history and card facts. */
export const DETAIL_TIMEOUT_MS = 5_000;

/** An order with what the platform knows about its customer and card, and what it couldn't provide. */
type Enriched = Awaited<ReturnType<Platform["enrich"]>>;

type DetailSources = Pick<OrderTask, "platform" | "lookUpProducts" | "signal">;

/** Ask the platform for details of an order and, at the same time, the catalog about its products. */
export async function enrich(
  task: DetailSources,
  order: OrderRecord,
  mapped: MappedOrder,
): Promise<Enriched> {
  const [detailed, found] = await Promise.all([
    askPlatform(task, order, mapped),
    task.lookUpProducts(order, mapped),
  ]);
  task.signal.throwIfAborted();
  const products = keepKnown(order, mapped, found.products);
  const context = { ...detailed.mapped.context, products };
  return {
    ...detailed,
    mapped: products.length === 0 ? detailed.mapped : { ...detailed.mapped, context },
    limitations: [...detailed.limitations, ...found.limitations],
  };
}

/** The products found now, and those known before that are still in the order: rules keep working when the catalog is down. */
function keepKnown(order: OrderRecord, mapped: MappedOrder, found: readonly KnownProduct[]) {
  const bought = new Set((toKnown(mapped).items ?? []).map(({ sku }) => sku));
  for (const { sku } of found) bought.delete(sku);
  const before = order.mapped?.context?.products ?? [];
  return [...found, ...before.filter(({ sku }) => bought.has(sku))];
}

async function askPlatform({ platform, signal }: DetailSources, order: OrderRecord, mapped: MappedOrder) {
  const asked = {
    orderId: order.orderId,
    name: order.name,
    customerId: order.customerId ?? undefined,
    mapped,
    amount: order.amount ?? undefined,
    currency: order.currency ?? undefined,
  };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DETAIL_TIMEOUT_MS)]);
  return platform.enrich(order.tenant, asked, { signal: limit });
}

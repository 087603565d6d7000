import type { KnownProduct } from "../../order/order-context.ts";
import { toKnown, type MappedOrder, type Platform } from "../../platform/platform.ts";
import { readAgent } from "../../policy/agent-orders.ts";
import { mayCome } from "../../order/unread-detail.ts";
import type { OrderRecord } from "../../store/store.ts";
import { toLessDetailEntries } from "../timeline.ts";
import type { Handler, OrderTask } from "../tasks.ts";
import { askPlatform } from "./ask-platform.ts";

/** If an order has no payment yet, or its detail couldn't be read, it is read once more after this. */
const DETAIL_REREAD_MS = 60_000;

/**
 * Read from the platform what the webhook lacks. The result is saved before anything is paid for, so that a repeat sends exactly
 * the same request.
 */
export const readDetail: Handler<"read-detail"> = async (task, situation, move) => {
  const { order } = situation;
  const { mapped, limitations, retryAtMs = 0 } = await enrich(task, order, move.mapped);
  // All news so far was just read. What comes later changes facts for rules and people, but not the request.
  const nextMs = mayCome(mapped.unread ?? {}) ? Math.max(task.now() + DETAIL_REREAD_MS, retryAtMs) : null;
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

/** An order with what the platform knows about its customer and card, and what it couldn't provide. */
type Enriched = Awaited<ReturnType<Platform["enrich"]>>;

type DetailSources = Pick<OrderTask, "platform" | "policyOf" | "lookUpProducts" | "signal">;

/** Ask the platform for details of an order and, at the same time, the catalog about its products. */
export async function enrich(
  task: DetailSources,
  order: OrderRecord,
  mapped: MappedOrder,
): Promise<Enriched> {
  const [detailed, found, { policy }] = await Promise.all([
    askPlatform(task, order, mapped),
    task.lookUpProducts(order, mapped),
    task.policyOf(order.tenant),
  ]);
  task.signal.throwIfAborted();
  const products = keepKnown(order, mapped, found.products);
  const context = { ...detailed.mapped.context, products };
  const known = products.length === 0 ? detailed.mapped : { ...detailed.mapped, context };
  return {
    ...detailed,
    mapped: readAgent(known, policy),
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

import type { KnownProduct } from "../../order/order-context.ts";
import { toKnown, type MappedOrder, type Platform } from "../../platform/platform.ts";
import type { OrderRecord, OrderRevision } from "../../store/store.ts";
import { toLessDetailEntries } from "../timeline.ts";
import type { OrderTask } from "../tasks.ts";

/** A payment is read once more this long after its order, where there was none to read. */
const PAYMENT_REREAD_MS = 60_000;

/**
 * Read from the platform what the webhook lacks, also on the new content of a decided order. It is kept before anything is
 * paid for, so that a repeat asks the very same question.
 */
export async function readDetail(task: OrderTask, received: OrderRecord): Promise<OrderRecord> {
  if (received.decision !== null) return enrichRevision(task, received);
  const order = await takeUpRevision(task, received);
  if (order.mapped === null || order.enriched) return order;
  const { mapped, limitations, awaitsPayment } = await enrich(task, order, order.mapped);
  // What the platform said meanwhile was just read. A payment that comes later changes the facts, not the question.
  const nextMs = awaitsPayment === true ? task.now() + PAYMENT_REREAD_MS : null;
  const reread = { seenMs: order.rereadAtMs, nextMs };
  const changes = { mapped, enriched: true, state: "screening", reread } as const;
  const entries = toLessDetailEntries(task.now(), limitations);
  return task.save(order, { changes, entries, release: false });
}

/** An order that is to be decided on with content that its decision, if it has one, did not know. */
export type ChangedOrder = OrderRecord & { readonly revision: OrderRevision; readonly mapped: MappedOrder };

/** Whether an order is such a {@link ChangedOrder}. */
export function isToRescreen(order: OrderRecord): order is ChangedOrder {
  const { revision, mapped, decision } = order;
  // A person's word stands until a person takes it back.
  return revision?.rescreen === true && mapped !== null && decision?.source !== "person";
}

/** An order that was changed before anybody decided on it is decided on as it is now. */
async function takeUpRevision(task: OrderTask, order: OrderRecord): Promise<OrderRecord> {
  if (!isToRescreen(order)) return order;
  const { mapped, amount, currency } = order.revision;
  // The tries stay counted: however often it is changed, an order waits only so long for the service.
  const revise = { revisedAtMs: order.revisedAtMs, kept: null, isLatest: true } as const;
  return task.save(order, { changes: { mapped, amount, currency, enriched: false, revise }, release: false });
}

async function enrichRevision(task: OrderTask, order: OrderRecord): Promise<OrderRecord> {
  if (!isToRescreen(order) || order.revision.enriched) return order;
  const { revision, revisedAtMs } = order;
  const { mapped, limitations } = await enrich(task, order, revision.mapped);
  const kept = { ...revision, mapped, enriched: true };
  const entries = toLessDetailEntries(task.now(), limitations);
  return task.save(order, { changes: { revise: { revisedAtMs, kept } }, entries, release: false });
}

/** Customer history and card facts are detail: an order does not wait longer than this for them. */
export const DETAIL_TIMEOUT_MS = 5_000;

/** An order with what the platform knows of its customer and card, and what it could not tell. */
type Enriched = Awaited<ReturnType<Platform["enrich"]>>;

type DetailSources = Pick<OrderTask, "platform" | "lookUpProducts" | "signal">;

/** Ask the platform for detail on an order that will be sent, and meanwhile the catalog about what is bought. */
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
  { platform, signal }: DetailSources,
  order: OrderRecord,
  mapped: MappedOrder,
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
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DETAIL_TIMEOUT_MS)]);
  return platform.enrich(order.tenant, asked, { signal: limit });
}

import { toKnown, type PlatformOrder } from "../../platform/platform.ts";
import { DEFAULT_KEEPING_TIMES } from "../../store/retention/keeping-times.ts";
import type { TenantRecord } from "../../store/store.ts";
import type { DeliveryTask } from "../tasks.ts";
import { toTimelineEntry } from "../timeline.ts";

/** What taking an order in takes. */
export type ReceiptTask = Pick<DeliveryTask, "store" | "metrics" | "now" | "keep" | "delivery">;

/** Whose delivery it is. */
interface Sender {
  readonly tenant: TenantRecord;
  /** The same body came before: however often somebody sends it, nothing more is written of it. */
  readonly repeated: boolean;
}

/** Take an order into the pipeline, once. */
export async function receiveOrder(
  task: ReceiptTask,
  { tenant: record, repeated }: Sender,
  order: PlatformOrder,
): Promise<string> {
  const { store, now, metrics } = task;
  const { tenant } = record;
  const isKnown = repeated && (await store.getOrder({ tenant, orderId: order.orderId })) !== null;
  if (!isKnown && (await isErased(task, record, order))) return "order-too-old";
  const outcome = isKnown ? null : await takeIn(task, record, order);
  if (outcome !== null) return outcome;
  // What asking for each delivery would have cost, which is what the ordinary plugin does.
  await store.recordSaving(tenant, "duplicate", 1, now());
  metrics.saved("duplicate");
  return "order-known";
}

/** Take an order in if it is neither known, then null, nor too old. */
export async function takeIn(
  task: ReceiptTask,
  tenant: TenantRecord,
  order: PlatformOrder,
): Promise<"order-received" | "order-too-old" | null> {
  if (isForgotten(task, tenant, order)) return "order-too-old";
  const { delivery, store, now } = task;
  const { platform, topic } = delivery;
  // One that waited for the installation is judged as it comes: nobody could have been faster.
  const receivedAtMs = Math.max(delivery.receivedAtMs, tenant.installedAtMs);
  const received = { tenant: tenant.tenant, platform, receivedAtMs, asOfMs: order.updatedAtMs, ...order };
  const entry = toTimelineEntry(now(), { kind: "received", topic }, topic, "platform");
  return (await store.receiveOrder(received, entry)) ? "order-received" : null;
}

/**
 * Whether the order may have been known and erased by age since: it is placed and last changed longer ago than orders
 * are kept, by its own signed word, and the tenant was installed then. An old order that is news has changed of late.
 */
function isForgotten(
  { now, keep = DEFAULT_KEEPING_TIMES }: ReceiptTask,
  { installedAtMs }: TenantRecord,
  order: PlatformOrder,
): boolean {
  const keptSinceMs = now() - keep.ordersDays * 86_400_000;
  const said = toSaid(order);
  return said !== undefined && said.changedAtMs >= installedAtMs && said.lastAtMs < keptSinceMs;
}

/**
 * Whether the order may have been known and erased together with the tenant, which has come back since: its body was
 * sent then, and somebody sends it again. Nobody is asked about an order that is from this installation.
 */
async function isErased(
  { store }: ReceiptTask,
  { tenant, installedAtMs }: TenantRecord,
  order: PlatformOrder,
): Promise<boolean> {
  const said = toSaid(order);
  if (said === undefined || said.lastAtMs >= installedAtMs) return false;
  return said.lastAtMs <= ((await store.findErasure(tenant)) ?? Number.NEGATIVE_INFINITY);
}

/** When the order changed last, and when something happened to it last, by its own signed word; undefined: it does not say. */
function toSaid(
  order: PlatformOrder,
): { readonly changedAtMs: number; readonly lastAtMs: number } | undefined {
  const placedAtMs = toPlacedAtMs(order) ?? order.updatedAtMs;
  const changedAtMs = order.updatedAtMs ?? placedAtMs;
  if (placedAtMs === undefined || changedAtMs === undefined) return undefined;
  return { changedAtMs, lastAtMs: Math.max(placedAtMs, changedAtMs) };
}

/** When the order was placed, by its own account, in milliseconds since the epoch; undefined when it does not say. */
export function toPlacedAtMs({ mapped }: Pick<PlatformOrder, "mapped">): number | undefined {
  const { orderTimestamp } = toKnown(mapped);
  const placedAtMs = orderTimestamp === undefined ? Number.NaN : Date.parse(orderTimestamp);
  return Number.isNaN(placedAtMs) ? undefined : placedAtMs;
}

/** States of orders that may wait for the platform, or get there while they are being worked on. */
const CONCERNED = ["waiting", "review", "screening", "decided", "enforcing"] as const;

/** An order came within reach, e.g. its fulfilment was routed: wake it if it waits for that. */
export async function wakeOrder(
  { store, now, delivery, platform, signal }: DeliveryTask,
  reference: string,
): Promise<string> {
  const { tenant, topic } = delivery;
  // This event comes for every order of a shop; only a shop with orders that it may concern is worth a question.
  const concerned = await Promise.all(
    CONCERNED.map((state) => store.listOrders(tenant, { state, limit: 1 })),
  );
  if (concerned.every(({ orders }) => orders.length === 0)) return "nothing-waits";
  const orderId = await platform.locate(tenant, reference, { signal });
  if (orderId === null) return "order-not-found";
  const entry = toTimelineEntry(now(), { kind: "ready", topic }, topic, "platform");
  const woken = await store.wakeOrder({ tenant, orderId }, now(), entry);
  return woken ? "order-woken" : "order-does-not-wait";
}

/**
 * The platform may say something new beyond the order: it is read there, since a delivery may be old. One of
 * an order that has not come yet is no news: what the platform says is read with the order.
 */
export async function rereadOrder({ store, now, delivery }: DeliveryTask, orderId: string): Promise<string> {
  const key = { tenant: delivery.tenant, orderId };
  if ((await store.getOrder(key)) === null) return "order-unknown";
  if ((await store.traceBody(delivery)).repeated) return "known-already";
  return (await store.rereadOrder(key, now())) ? "order-to-be-read" : "order-closed";
}

/** The order was cancelled on the platform: nothing is left to do. */
export async function endOrder(
  { store, now, delivery }: DeliveryTask,
  orderId: string,
  asFraud?: true,
): Promise<string> {
  const { topic } = delivery;
  const event = { kind: "cancelled-on-platform", topic, asFraud } as const;
  const entry = toTimelineEntry(now(), event, topic, "platform");
  await store.endOrder({ tenant: delivery.tenant, orderId }, delivery.platform, now(), entry);
  return "order-ended";
}

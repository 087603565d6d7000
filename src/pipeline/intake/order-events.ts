import { readPlacedAtMs } from "../../platform/mapped-order.ts";
import type { PlatformOrder } from "../../platform/platform.ts";
import { DEFAULT_KEEPING_TIMES } from "../../store/retention/keeping-times.ts";
import type { TenantRecord } from "../../store/store.ts";
import type { DeliveryTask } from "../tasks.ts";
import { toTimelineEntry } from "../timeline.ts";

export type ReceiptTask = Pick<DeliveryTask, "store" | "metrics" | "now" | "keep" | "delivery">;

interface Sender {
  readonly tenant: TenantRecord;
  /** Whether the same body arrived before. Repeats store nothing more. */
  readonly repeated: boolean;
}

/** Store a new order, once. */
export async function receiveOrder(
  task: ReceiptTask,
  { tenant: record, repeated }: Sender,
  order: PlatformOrder,
): Promise<string> {
  const { store, now, metrics } = task;
  const { tenant } = record;
  const isKnown = repeated && (await store.orders.get({ tenant, orderId: order.orderId })) !== null;
  if (!isKnown && (await isErased(task, record, order))) return "order-too-old";
  const outcome = isKnown ? null : await storeOrder(task, record, order);
  if (outcome !== null) return outcome;
  // Other plugins check each delivery, which would have cost one credit more.
  await store.ledger.recordSaving(tenant, "duplicate", 1, now());
  metrics.saved("duplicate");
  return "order-known";
}

/** Store an order unless it is too old or already known. Null if it is known. */
export async function storeOrder(
  task: ReceiptTask,
  tenant: TenantRecord,
  order: PlatformOrder,
): Promise<"order-received" | "order-too-old" | null> {
  if (isForgotten(task, tenant, order)) return "order-too-old";
  const { delivery, store, now } = task;
  const { platform, topic } = delivery;
  // An order that waited for the installation counts as received then, since it couldn't be decided earlier.
  const receivedAtMs = Math.max(delivery.receivedAtMs, tenant.installedAtMs);
  const received = { tenant: tenant.tenant, platform, receivedAtMs, asOfMs: order.updatedAtMs, ...order };
  const entry = toTimelineEntry(now(), { kind: "received", topic }, topic, "platform");
  return (await store.orders.receive(received, entry)) ? "order-received" : null;
}

/**
 * Whether the order may have been known and since deleted by age: by its own signed times, it was placed and last changed
 * longer ago than orders are kept, and the tenant had installed the app by then. An old order with news changed recently.
 */
function isForgotten(
  { now, keep = DEFAULT_KEEPING_TIMES }: ReceiptTask,
  { installedAtMs }: TenantRecord,
  order: PlatformOrder,
): boolean {
  const keptSinceMs = now() - keep.ordersDays * 86_400_000;
  const times = toOwnTimes(order);
  return times !== undefined && times.changedAtMs >= installedAtMs && times.lastAtMs < keptSinceMs;
}

/**
 * Whether the order may have been erased with the tenant, which has installed the app again since: somebody may have captured
 * the body and send it again. An order from the current installation needs no query.
 */
async function isErased(
  { store }: ReceiptTask,
  { tenant, installedAtMs }: TenantRecord,
  order: PlatformOrder,
): Promise<boolean> {
  const times = toOwnTimes(order);
  if (times === undefined || times.lastAtMs >= installedAtMs) return false;
  return times.lastAtMs <= ((await store.retention.findErasure(tenant)) ?? Number.NEGATIVE_INFINITY);
}

/** When the order last changed, and when anything last happened to it, by its own signed times; undefined if it has none. */
function toOwnTimes(order: PlatformOrder) {
  const placedAtMs = toPlacedAtMs(order) ?? order.updatedAtMs;
  const changedAtMs = order.updatedAtMs ?? placedAtMs;
  if (placedAtMs === undefined || changedAtMs === undefined) return undefined;
  return { changedAtMs, lastAtMs: Math.max(placedAtMs, changedAtMs) };
}

/** When the order was placed, as it says itself, in milliseconds since the epoch; undefined if it doesn't say. */
export function toPlacedAtMs({ mapped }: Pick<PlatformOrder, "mapped">): number | undefined {
  return readPlacedAtMs(mapped);
}

/** States in which an order may wait for the platform, or may begin to while it is worked on. */
const MAY_WAIT = ["waiting", "review", "screening", "decided", "enforcing"] as const;

/** Something that an order may wait for has happened, e.g. its fulfillment was routed: wake the order. */
export async function wakeOrder(
  { store, now, delivery, platform, signal }: DeliveryTask,
  reference: string,
): Promise<string> {
  const { tenant, topic } = delivery;
  // This event arrives for every order of a shop. Ask the platform only if the shop has an order that may wait.
  const waiting = await Promise.all(MAY_WAIT.map((state) => store.orders.list(tenant, { state, limit: 1 })));
  if (waiting.every(({ orders }) => orders.length === 0)) return "nothing-waits";
  const orderId = await platform.locate(tenant, reference, { signal });
  if (orderId === null) return "order-not-found";
  const entry = toTimelineEntry(now(), { kind: "ready", topic, reference }, topic, "platform");
  const woken = await store.orders.wake({ tenant, orderId }, now(), entry);
  return woken ? "order-woken" : "order-does-not-wait";
}

/**
 * The platform may have something new around the order. It is read from the platform, since a delivery may be old. If the
 * order itself hasn't arrived yet, nothing needs to be done: this is read together with the order.
 */
export async function rereadOrder({ store, now, delivery }: DeliveryTask, orderId: string): Promise<string> {
  const key = { tenant: delivery.tenant, orderId };
  if ((await store.orders.get(key)) === null) return "order-unknown";
  if ((await store.deliveries.traceBody(delivery)).repeated) return "known-already";
  return (await store.orders.reread(key, now())) ? "order-to-be-read" : "order-closed";
}

/** The order was canceled on the platform, so work on it ends. */
export async function endOrder(
  { store, now, delivery }: DeliveryTask,
  orderId: string,
  asFraud?: true,
): Promise<string> {
  const { topic } = delivery;
  const event = { kind: "cancelled-on-platform", topic, asFraud } as const;
  const entry = toTimelineEntry(now(), event, topic, "platform");
  await store.orders.end({ tenant: delivery.tenant, orderId }, delivery.platform, now(), entry);
  // Nothing was sold, so it's no earlier order of the buyer. Once it has ended, it isn't kept again.
  await store.outcomes.dropKeptOrder({ tenant: delivery.tenant, orderId });
  return "order-ended";
}

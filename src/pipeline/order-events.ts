import type { Metrics } from "../metrics.ts";
import type { ClaimedDelivery, Store } from "../store/store.ts";
import type { Platform, PlatformOrder } from "./platform.ts";
import { toPlacedAtMs } from "./order-age.ts";
import { DEFAULT_KEEPING_TIMES, type KeepingTimes } from "./retention.ts";
import { hasLeft } from "./tenant-events.ts";
import { toTimelineEntry } from "./timeline.ts";

/** Parts of what is done for events about orders. */
export interface OrderEventOptions {
  readonly store: Store;
  readonly metrics: Pick<Metrics, "saved">;
  readonly now: () => number;
  /** Default {@link DEFAULT_KEEPING_TIMES}. */
  readonly keep?: KeepingTimes | undefined;
}

/** The platform's clock and ours differ by less. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** Take an order into the pipeline, once. */
export async function receiveOrder(
  options: OrderEventOptions,
  delivery: ClaimedDelivery,
  order: PlatformOrder,
): Promise<string> {
  const { store, now, metrics } = options;
  if (await hasLeft(store, delivery)) return "tenant-uninstalled";
  if (isForgotten(options, delivery, order)) return "order-too-old";
  const { tenant, platform, receivedAtMs } = delivery;
  const asOfMs = toAsOfMs(delivery);
  const fresh = await store.receiveOrder(
    { tenant, platform, receivedAtMs, asOfMs, ...order },
    toTimelineEntry(now(), "received", delivery.topic, "platform"),
  );
  if (fresh) return "order-received";
  // What asking for each delivery would have cost, which is what the ordinary plugin does.
  await store.recordSaving(tenant, "duplicate", 1, now());
  metrics.saved("duplicate");
  return "order-known";
}

/**
 * As of when a delivery tells of an order, milliseconds since the epoch. What a delivery says of its time is not always
 * signed, so one that claims to come from the future does not outdo all that will come until then.
 */
export function toAsOfMs({
  triggeredAtMs,
  receivedAtMs,
}: Pick<ClaimedDelivery, "triggeredAtMs" | "receivedAtMs">): number {
  return triggeredAtMs === undefined ? receivedAtMs : Math.min(triggeredAtMs, receivedAtMs + CLOCK_SKEW_MS);
}

/**
 * Whether the order may have been known and erased by age since: it was placed longer ago than orders are kept, and the
 * delivery, which then is a repeat, speaks of that time. An old order that is told of as news is taken as such.
 */
function isForgotten(
  { now, keep = DEFAULT_KEEPING_TIMES }: Pick<OrderEventOptions, "now" | "keep">,
  { triggeredAtMs }: Pick<ClaimedDelivery, "triggeredAtMs">,
  order: PlatformOrder,
): boolean {
  const keptSinceMs = now() - keep.ordersDays * 86_400_000;
  const placedAtMs = toPlacedAtMs(order) ?? triggeredAtMs;
  return [placedAtMs, triggeredAtMs].every((atMs) => atMs !== undefined && atMs < keptSinceMs);
}

/** States of orders that may wait for the platform, or get there while they are being worked on. */
const CONCERNED = ["waiting", "review", "screening", "decided", "enforcing"] as const;

/** An order came within reach, e.g. its fulfilment was routed: wake it if it waits for that. */
export async function wakeOrder(
  { store, now }: OrderEventOptions,
  delivery: ClaimedDelivery,
  reference: string,
  platform: Platform,
  signal: AbortSignal,
): Promise<string> {
  const { tenant } = delivery;
  // This event comes for every order of a shop; only a shop with orders that it may concern is worth a question.
  const concerned = await Promise.all(
    CONCERNED.map((state) => store.listOrders(tenant, { state, limit: 1 })),
  );
  if (concerned.every(({ orders }) => orders.length === 0)) return "nothing-waits";
  const orderId = await platform.locate(tenant, reference, { signal });
  if (orderId === null) return "order-not-found";
  const entry = toTimelineEntry(now(), "ready", delivery.topic, "platform");
  const woken = await store.wakeOrder({ tenant, orderId }, now(), entry);
  return woken ? "order-woken" : "order-does-not-wait";
}

/** The order was cancelled on the platform: nothing is left to do. */
export async function endOrder(
  { store, now }: OrderEventOptions,
  delivery: ClaimedDelivery,
  orderId: string,
): Promise<string> {
  const entry = toTimelineEntry(now(), "cancelled-on-platform", delivery.topic, "platform");
  await store.endOrder({ tenant: delivery.tenant, orderId }, delivery.platform, now(), entry);
  return "order-ended";
}

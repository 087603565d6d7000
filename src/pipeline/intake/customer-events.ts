import type { PlatformEvent } from "../../platform/platform.ts";
import { toTimelineEntry } from "../timeline.ts";
import type { Carried, DeliveryTask } from "../tasks.ts";

/** A customer asked what is kept of them: prepare it for the tenant to fetch. */
export async function reportCustomer(
  { store, now, logger, delivery }: DeliveryTask,
  event: Extract<PlatformEvent, { readonly kind: "report-customer" }>,
): Promise<string> {
  const { tenant } = delivery;
  if ((await store.traceBody(delivery)).repeated) return "known-already";
  const { requestId, orderIds, customerId, email } = event;
  const orders = await store.findCustomerOrders({ tenant, orderIds, customerId, email });
  const content = JSON.stringify({ requestId, preparedAt: new Date(now()).toISOString(), orders });
  await store.saveReport(tenant, requestId, content, now());
  logger.warn(
    { alert: "customer_data_request", tenant, requestId, orders: orders.length },
    "a customer asked for their data",
  );
  return "report-prepared";
}

/** Requests to be forgotten have weeks; an order that is stuck for longer than this does not hold them up. */
const ERASURE_PATIENCE_MS = 24 * 3_600_000;

/** While an order that the customer may have placed is being decided, or another customer is erased, in milliseconds. */
const NOT_YET_MS = 5_000;
/** Longer than an erasure takes. */
const ERASURE_LEASE_MS = 600_000;

type ErasureTask = Pick<DeliveryTask, "store" | "screening" | "now" | "delivery">;
type Erasure = Extract<PlatformEvent, { readonly kind: "erase-customer" }>;

/**
 * A customer asked to be forgotten. What came before the request is decided first, so that erasing its content does not
 * lose an order. The same request again reaches the orders that it names, and nothing that the customer ordered since.
 */
export async function eraseCustomer(task: ErasureTask, event: Erasure): Promise<Carried> {
  const { store, now } = task;
  const { tenant, deliveryId, receivedAtMs } = task.delivery;
  const patient = now() < receivedAtMs + ERASURE_PATIENCE_MS;
  if (patient && (await store.countUndecided(tenant, receivedAtMs)) > 0)
    return { retryAtMs: now() + NOT_YET_MS };
  // One customer of a tenant after the other: two who share an address would each keep what blocks it because of the other.
  // The delivery has the lease and not the process, so that what goes on after a crash has it already.
  const turn = `erasure:${tenant}`;
  const untilMs = now() + ERASURE_LEASE_MS;
  if (!(await store.acquireLease(turn, deliveryId, now(), untilMs, { endsWithProcess: true })))
    return { retryAtMs: now() + NOT_YET_MS };
  try {
    return await erase(task, event);
  } finally {
    await store.releaseLease(turn, deliveryId);
  }
}

async function erase({ store, screening, now, delivery }: ErasureTask, event: Erasure): Promise<string> {
  const { tenant, topic } = delivery;
  const { repeated } = await store.traceBody(delivery);
  const { orderIds } = event;
  const customerId = repeated ? undefined : event.customerId;
  const email = repeated ? undefined : event.email;
  const entry = toTimelineEntry(now(), { kind: "erased", topic }, topic, "platform");
  const erased = await store.eraseOrders({ tenant, orderIds, customerId, email }, entry);
  screening.forget(tenant);
  return `erased-${erased.length}-orders`;
}

import { raiseAlert } from "../../base/alerts.ts";
import { foldEmail } from "../../order/email-address.ts";
import { toIso } from "../../base/iso-time.ts";
import type { PlatformEvent } from "../../platform/platform.ts";
import { toTimelineEntry } from "../timeline.ts";
import type { BuyerCheck } from "../../store/buyer-checks/buyer-check.ts";
import type { Carried, DeliveryTask } from "../tasks.ts";

/** A customer asked for their data: prepare a report for the tenant to download. */
export async function reportCustomer(
  { store, now, logger, delivery }: DeliveryTask,
  event: Extract<PlatformEvent, { readonly kind: "report-customer" }>,
): Promise<string> {
  const { tenant, deliveryId } = delivery;
  if ((await store.deliveries.traceBody(delivery)).repeated) return "known-already";
  const { orderIds, customerId, email } = event;
  const requestId = event.requestId ?? deliveryId;
  const orders = await store.retention.findCustomerOrders({ tenant, orderIds, customerId, email });
  const kept = await store.outcomes.findKeptOf({ tenant, orderIds, customerId, email });
  const keptForDisputes = kept.map(({ orderId, placedAtMs, isDisputed, content: facts }) => {
    return { orderId, placedAt: new Date(placedAtMs).toISOString(), isDisputed, ...facts };
  });
  const theirs = [...new Set([...orderIds, ...orders.map(({ orderId }) => orderId)])];
  const sent = await store.buyerEvidence.findOf(tenant, theirs, email);
  const sentByCustomer = sent.map(({ orderId, checkId, atMs, note, file }) => {
    // A file can be larger than the rest of the report, so the report says where it is.
    const download = `/api/orders/${encodeURIComponent(orderId)}/buyer-files/${checkId}`;
    return { orderId, sentAt: new Date(atMs).toISOString(), note, file: file && { ...file, download } };
  });
  const preparedAt = new Date(now()).toISOString();
  const asked = await store.buyerChecks.listOf({ tenant, orderIds: theirs, email });
  const addresses = await store.buyerChecks.findAddressesOf({ tenant, orderIds: theirs, customerId, email });
  const content = JSON.stringify({
    requestId,
    preparedAt,
    orders,
    keptForDisputes,
    sentByCustomer,
    questionsToBuyer: asked.map((check) => toQuestionJson(check, email)),
    keptAddresses: addresses.map(({ placedAtMs, ...kept }) => ({ placedAt: toIso(placedAtMs), ...kept })),
  });
  await store.reports.save(tenant, requestId, content, now());
  raiseAlert(
    logger,
    "customer_data_request",
    { tenant, requestId, orders: orders.length },
    "a customer asked for their data",
  );
  return "report-prepared";
}

/**
 * Also one about another order that went to the customer's address. An earlier order's address is given to nobody else: whoever placed
 * this order may be a thief.
 */
function toQuestionJson(
  { orderId, recipient, askedAtMs, sentAtMs, answer }: BuyerCheck,
  email: string | undefined,
) {
  const isTheirs =
    recipient?.ofOrder === undefined || foldEmail(recipient.address) === foldEmail(email ?? "");
  return {
    orderId,
    address: isTheirs ? (recipient?.address ?? null) : null,
    askedAt: toIso(askedAtMs),
    sentAt: toIso(sentAtMs),
    answer: answer?.answer ?? null,
    answeredAt: toIso(answer?.atMs ?? null),
  };
}

/** Erasure requests may take weeks. An order that is stuck for longer than this doesn't delay one. */
const ERASURE_PATIENCE_MS = 24 * 3_600_000;

/** How long to wait while an order that the customer may have placed is being decided, or another customer is erased. */
const NOT_YET_MS = 5_000;
/** Longer than an erasure takes. */
const ERASURE_LEASE_MS = 600_000;

type ErasureTask = Pick<DeliveryTask, "store" | "screening" | "now" | "delivery">;
type Erasure = Extract<PlatformEvent, { readonly kind: "erase-customer" }>;

/**
 * A customer asked to be erased. Orders from before the request are decided first, so that no order is lost with its content.
 * If the same request is repeated, it erases only the orders it names, not those the customer placed since.
 */
export async function eraseCustomer(task: ErasureTask, event: Erasure): Promise<Carried> {
  const { store, now } = task;
  const { tenant, deliveryId, receivedAtMs } = task.delivery;
  const patient = now() < receivedAtMs + ERASURE_PATIENCE_MS;
  if (patient && (await store.retention.countUndecided(tenant, receivedAtMs)) > 0)
    return { retryAtMs: now() + NOT_YET_MS };
  // One customer of a tenant at a time: if two share a blocked address, each erasure would keep the block because of the other.
  // The delivery holds the lease, not the process, so that it still has the lease when it is processed again after a crash.
  const turn = `erasure:${tenant}`;
  const untilMs = now() + ERASURE_LEASE_MS;
  if (!(await store.leases.acquire(turn, deliveryId, now(), untilMs, { endsWithProcess: true })))
    return { retryAtMs: now() + NOT_YET_MS };
  try {
    return await erase(task, event);
  } finally {
    await store.leases.release(turn, deliveryId);
  }
}

async function erase({ store, screening, now, delivery }: ErasureTask, event: Erasure): Promise<string> {
  const { tenant, topic, receivedAtMs: askedAtMs } = delivery;
  const { repeated } = await store.deliveries.traceBody(delivery);
  const { orderIds } = event;
  const customerId = repeated ? undefined : event.customerId;
  const email = repeated ? undefined : event.email;
  const entry = toTimelineEntry(now(), { kind: "erased", topic }, topic, "platform");
  const erased = await store.retention.eraseOrders({ tenant, orderIds, customerId, email, askedAtMs }, entry);
  screening.forget(tenant);
  return `erased-${erased.length}-orders`;
}

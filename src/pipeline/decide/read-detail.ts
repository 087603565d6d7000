import type { OrderRecord } from "../../store/store.ts";
import { toLessDetailEntries } from "../timeline.ts";
import { saveOrder } from "../work/order-lease.ts";
import type { OrderTask } from "../work/order-task.ts";
import { enrich } from "./enrichment.ts";
import { PAYMENT_REREAD_MS } from "./refresh-context.ts";
import { enrichRevision, isToRescreen, takeUpRevision } from "./rescreen.ts";

/**
 * Read from the platform what the webhook lacks. It is kept before anything is paid for, so that a repeat asks the very same
 * question.
 */
export async function readDetail(task: OrderTask, received: OrderRecord): Promise<OrderRecord> {
  if (received.decision !== null) return prepareRevision(task, received);
  const order = await takeUp(task, received);
  if (order.mapped === null || order.enriched) return order;
  const { mapped, limitations, awaitsPayment } = await enrich(order, order.mapped, task);
  task.signal.throwIfAborted();
  // What the platform said meanwhile was just read. A payment that comes later changes the facts, not the question.
  const nextMs = awaitsPayment === true ? task.now() + PAYMENT_REREAD_MS : null;
  const reread = { seenMs: order.rereadAtMs, nextMs };
  const changes = { mapped, enriched: true, state: "screening", reread } as const;
  const entries = toLessDetailEntries(task.now(), limitations);
  return saveOrder(task, order, { changes, entries, release: false });
}

/** An order that was changed before anybody decided on it is decided on as it is now. */
async function takeUp(task: OrderTask, order: OrderRecord): Promise<OrderRecord> {
  if (!isToRescreen(order)) return order;
  return saveOrder(task, order, { changes: takeUpRevision(order), release: false });
}

async function prepareRevision(task: OrderTask, order: OrderRecord): Promise<OrderRecord> {
  if (!isToRescreen(order)) return order;
  const transition = await enrichRevision(task, order);
  return transition === null ? order : saveOrder(task, order, transition);
}

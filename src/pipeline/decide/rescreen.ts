import type { OrderChanges, OrderRecord, OrderTransition } from "../../store/store.ts";
import { enrich, type DetailSources } from "./enrichment.ts";
import type { DecidedAgain } from "./decide-again.ts";
import type { SaveOrder } from "../work/order-lease.ts";
import { toLessDetailEntries } from "../timeline.ts";

/** Whether an order is to be decided on with content that its decision, if it has one, did not know. */
export function isToRescreen({ revision, mapped, decision }: OrderRecord): boolean {
  // A person's word stands until a person takes it back.
  return revision?.rescreen === true && mapped !== null && decision?.source !== "person";
}

/** Let what the platform made of an undecided order be what is decided on. */
export function takeUpRevision(order: OrderRecord): OrderChanges {
  const { revision, revisedAtMs } = order;
  if (revision === null) return {};
  const { mapped, amount, currency } = revision;
  // The tries stay counted: however often it is changed, an order waits only so long for the service.
  return { mapped, amount, currency, enriched: false, revise: { revisedAtMs, kept: null } };
}

/**
 * Ask the platform for detail on the new content of a decided order. It is kept before anything is paid for it, so that a
 * repeat asks the very same question.
 */
export async function enrichRevision(
  task: DetailSources & { readonly now: () => number },
  order: OrderRecord,
): Promise<OrderTransition | null> {
  const { revision, revisedAtMs } = order;
  if (revision === null || revision.enriched) return null;
  const { mapped, limitations } = await enrich(order, revision.mapped, task);
  task.signal.throwIfAborted();
  const kept = { ...revision, mapped, enriched: true };
  const entries = toLessDetailEntries(task.now(), limitations);
  return { changes: { revise: { revisedAtMs, kept } }, entries, release: false };
}

/**
 * Let the platform follow the decision on what the order was like while the service cannot be asked about what it is
 * like now: nothing else would hold it meanwhile. It comes back for the service, or for the platform if that is earlier.
 */
export function followMeanwhile(
  save: SaveOrder,
  { retryAtMs, problem }: Extract<DecidedAgain, { readonly outcome: "postponed" }>,
): SaveOrder {
  return async (order, transition) => {
    const { changes } = transition;
    if (!transition.release) return save(order, transition);
    const dueAtMs = Math.min(changes.dueAtMs ?? retryAtMs, retryAtMs);
    return save(order, {
      ...transition,
      changes: { ...changes, dueAtMs, problem: changes.problem ?? problem },
    });
  };
}

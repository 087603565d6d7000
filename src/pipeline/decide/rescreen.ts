import type { Decision } from "../../order/decision.ts";
import type { RevisionChange } from "../../store/orders/order-record.ts";
import type { OrderChanges, OrderRecord, OrderStore, OrderTransition } from "../../store/store.ts";
import { enrich } from "./enrichment.ts";
import type { OrderDecision } from "./order-decision.ts";
import type { Platform } from "../../platform/platform.ts";
import type { SaveOrder } from "../work/order-lease.ts";
import { supersede, type Superseding } from "./supersede.ts";
import { toTimelineEntry } from "../timeline.ts";

/** Parts of {@link rescreen}. */
export interface RescreenOptions {
  readonly store: Pick<OrderStore, "listSteps">;
  readonly decideOrder: OrderDecision;
  readonly now: () => number;
}

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
  { now }: Pick<RescreenOptions, "now">,
  order: OrderRecord,
  platform: Platform,
  signal: AbortSignal,
): Promise<OrderTransition | null> {
  const { revision, revisedAtMs } = order;
  if (revision === null || revision.enriched) return null;
  const { mapped, limitations } = await enrich(order, revision.mapped, platform, signal);
  signal.throwIfAborted();
  const kept = { ...revision, mapped, enriched: true };
  const entries =
    limitations.length === 0 ? [] : [toTimelineEntry(now(), "less-detail", limitations.join(", "))];
  return { changes: { revise: { revisedAtMs, kept } }, entries, release: false };
}

/** What became of deciding anew: another decision, or the order waits as it is. */
export type Rescreened =
  | ({ readonly outcome: "decided" } & Superseding)
  | {
      readonly outcome: "postponed";
      readonly retryAtMs: number;
      readonly problem: string;
      readonly revise: RevisionChange;
    };

/** Decide on the new content of a decided order. What the service answered for the old content stays kept. */
export async function rescreen(
  { store, decideOrder, now }: RescreenOptions,
  order: OrderRecord,
  signal: AbortSignal,
): Promise<Rescreened> {
  const { revision, decision: former, revisedAtMs } = order;
  if (revision === null || former === null) throw new TypeError("nothing is there to decide anew");
  const { mapped, amount, currency, attempts } = revision;
  const decided = await decideOrder({ ...order, mapped, amount, currency, attempts }, mapped, signal);
  if (decided.outcome === "postponed") {
    return { ...decided, revise: { revisedAtMs, kept: { ...revision, attempts: attempts + 1 } } };
  }
  const taken = { mapped, amount, currency, enriched: true, revise: { revisedAtMs, kept: null } };
  const next = await supersede(store, order, former, decided.decision, {
    changes: { ...decided.changes, ...taken },
    entries: [...decided.entries, toTimelineEntry(now(), "decided-again", "the order was changed")],
  });
  return { outcome: "decided", ...keepAnsweredHold(order, former, next, now()) };
}

/**
 * Let the platform follow the decision on what the order was like while the service cannot be asked about what it is
 * like now: nothing else would hold it meanwhile. It comes back for the service, or for the platform if that is earlier.
 */
export function followMeanwhile(
  save: SaveOrder,
  { retryAtMs, problem }: Extract<Rescreened, { readonly outcome: "postponed" }>,
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

/** A guess does not let go of what an answer of the service said to hold. */
export function keepAnsweredHold(
  order: OrderRecord,
  former: Decision,
  next: Superseding,
  nowMs: number,
): Superseding {
  const { decision } = next;
  const isGuess = decision.degraded || decision.source === "local";
  const lets = decision.action === "allow" || decision.action === "tag";
  if (decision.supersedes?.heldByAnswer !== true || !decision.enforce || !isGuess || !lets) return next;
  const held: Decision = {
    ...decision,
    action: "hold",
    tags: [...new Set([...former.tags, ...decision.tags])],
    reasons: ["hold-kept", ...decision.reasons],
  };
  const { holdDeadlineMs } = order;
  const entry = toTimelineEntry(nowMs, "hold-kept", "until the service has answered");
  return {
    decision: held,
    changes: { ...next.changes, decision: held, holdDeadlineMs },
    entries: [...next.entries, entry],
  };
}

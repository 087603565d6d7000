import { toMachineDecision, type Decision } from "../../order/decision.ts";
import type { MappedOrder } from "../../platform/platform.ts";
import type { DecisionBasis } from "../../screening/decide-order.ts";
import type { OrderChanges, OrderRecord, PendingDecision, TimelineEntry } from "../../store/store.ts";
import type { OrderTask } from "../tasks.ts";
import { toTimelineEntry } from "../timeline.ts";
import type { ChangedOrder } from "./detail.ts";
import { makeDecision } from "./make-decision.ts";
import { supersede, type Superseding } from "./supersede.ts";

/** Why a decided order is decided again, and on what. */
export interface Cause {
  /** The order as it is to be decided. */
  readonly order: OrderRecord;
  readonly mapped: MappedOrder;
  /** Written with the new decision. */
  readonly changes: OrderChanges;
  readonly entry: TimelineEntry;
  /** Whether a decision without the service's answer counts: otherwise the former one stands. */
  readonly takesGuess: boolean;
  /** Decided on this, and nobody is asked. Default: the service is. */
  readonly kept?: DecisionBasis | undefined;
}

/** The service can be asked by now about an order that was decided without it. */
export function lateAnswer(order: OrderRecord, mapped: MappedOrder, nowMs: number): Cause {
  const entry = toTimelineEntry(nowMs, { kind: "caught-up" }, "the service has answered");
  return { order, mapped, changes: {}, entry, takesGuess: false };
}

/** The platform changed the order in a way that matters. What the service answered for the old content stays kept. */
export function materialChange(order: ChangedOrder, nowMs: number): Cause {
  const { mapped, amount, currency, attempts } = order.revision;
  return {
    order: { ...order, mapped, amount, currency, attempts },
    mapped,
    changes: toContent(order, mapped, { amount, currency }),
    entry: toTimelineEntry(nowMs, { kind: "decided-again" }, "the order was changed"),
    // The former decision was about another order.
    takesGuess: true,
  };
}

/** A person asked for it. `order` has the content to ask about; what was asked about is its content from then on. */
export function recheckByPerson(
  order: OrderRecord,
  mapped: MappedOrder,
  verdict: PendingDecision,
  nowMs: number,
): Cause {
  const { revision, amount, currency } = order;
  const content = revision === null ? {} : toContent(order, mapped, { amount, currency });
  return {
    order: { ...order, verdict },
    mapped,
    changes: { ...content, verdict: null },
    entry: toTimelineEntry(nowMs, { kind: "rechecked" }, `asked for by ${verdict.actor}`),
    takesGuess: false,
  };
}

function toContent(
  { revisedAtMs }: OrderRecord,
  mapped: MappedOrder,
  value: Pick<OrderRecord, "amount" | "currency">,
): OrderChanges {
  return { mapped, ...value, enriched: true, revise: { revisedAtMs, kept: null } };
}

/** What deciding again led to. Unless it was decided, the former decision stands. */
export type DecidedAgain =
  | ({ readonly outcome: "decided" } & Superseding)
  /** The service can't be asked right now; worth waiting for. */
  | { readonly outcome: "postponed"; readonly retryAtMs: number; readonly problem: string }
  /** The service was asked and did not answer. */
  | { readonly outcome: "unanswered"; readonly problem: string; readonly askAgainAtMs?: number | undefined };

/** Decide a decided order again. The one way in which a decision of Holdfast takes another's place. */
export async function decideAgain(task: OrderTask, order: OrderRecord, cause: Cause): Promise<DecidedAgain> {
  const { decision: former } = order;
  if (former === null) throw new TypeError("an order without a decision can't be decided again");
  const decided = await makeDecision(task, cause.order, cause.mapped, task.signal, cause.kept);
  if (decided.outcome === "postponed") return decided;
  const { decision, askAgainAtMs } = decided;
  if (decision.degraded && !cause.takesGuess) {
    return { outcome: "unanswered", problem: decision.unchecked ?? "", askAgainAtMs };
  }
  const next = supersede(order, await task.store.listSteps(order), {
    decision,
    changes: { ...decided.changes, ...cause.changes },
    entries: [...decided.entries, cause.entry],
  });
  return { outcome: "decided", ...stayHeld(order, former, next, task.now()) };
}

/** A guess does not release what an answer of the service held, and no answer what a bank asks about. */
function stayHeld(order: OrderRecord, former: Decision, next: Superseding, nowMs: number): Superseding {
  const { decision } = next;
  const isGuess = decision.degraded || decision.source === "local";
  const releases = decision.action === "allow" || decision.action === "tag";
  const isKept = decision.supersedes?.heldByAnswer === true && isGuess && releases;
  // A person decides about it, whatever else is decided: not to hold it would ship or refund it meanwhile.
  const isDisputed = former.disputed === true;
  if ((!isKept && !isDisputed) || !decision.enforce) return next;
  const held: Decision = {
    ...decision,
    ...(isDisputed ? { disputed: true, machine: toMachineDecision(decision) } : {}),
    action: "hold",
    tags: [...new Set([...former.tags, ...decision.tags])],
    reasons: ["hold-kept", ...decision.reasons],
  };
  const { holdDeadlineMs } = order;
  const entry = toTimelineEntry(
    nowMs,
    { kind: "hold-kept" },
    isDisputed ? "a bank asks about the payment" : "until the service has answered",
  );
  return {
    decision: held,
    changes: { ...next.changes, decision: held, holdDeadlineMs },
    entries: [...next.entries, entry],
  };
}

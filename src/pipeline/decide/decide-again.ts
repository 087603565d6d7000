import { isStop, toMachineDecision, type Decision } from "../../order/decision.ts";
import type { MappedOrder } from "../../platform/platform.ts";
import type { DecisionBasis } from "../../screening/judge-order.ts";
import type { OrderChanges, OrderRecord, TimelineEntry } from "../../store/store.ts";
import type { WaitingOrder } from "../order-life/retry-delay.ts";
import { decisionOf, type Situation } from "../order-life/situation.ts";
import { supersede, type Superseding } from "../order-life/supersede.ts";
import type { OrderTask } from "../tasks.ts";
import { toTimelineEntry } from "../timeline.ts";
import { makeDecision } from "./make-decision.ts";

/** Why a decided order is decided again, and with which content. */
export interface Cause {
  readonly order: OrderRecord & WaitingOrder;
  readonly mapped: MappedOrder;
  /** Saved with the new decision. */
  readonly changes: OrderChanges;
  readonly entry: TimelineEntry;
  /** Whether a decision without the service's answer replaces the former one. */
  readonly takesGuess: boolean;
  /** Decide on this, without asking the service. Default: ask it. */
  readonly kept?: DecisionBasis | undefined;
}

/** Unless it is `decided`, the former decision stands. */
export type DecidedAgain =
  | ({ readonly outcome: "decided" } & Superseding)
  /** The service can't be asked now, and it's worth waiting for. */
  | { readonly outcome: "postponed"; readonly retryAtMs: number; readonly problem: string }
  /** The service was asked and didn't answer. */
  | { readonly outcome: "unanswered"; readonly problem: string; readonly askAgainAtMs?: number | undefined };

/** Decide a decided order again. Holdfast replaces its own decisions only here. */
export async function decideAgain(
  task: OrderTask,
  { order, steps }: Situation,
  cause: Cause,
): Promise<DecidedAgain> {
  const former = decisionOf(order);
  const decided = await makeDecision(task, cause.order, cause.mapped, task.signal, cause.kept);
  if (decided.outcome === "postponed") return decided;
  const { decision, askAgainAtMs } = decided;
  if (decision.degraded && !cause.takesGuess) {
    return { outcome: "unanswered", problem: decision.unchecked ?? "", askAgainAtMs };
  }
  const next = supersede(order, steps, {
    decision,
    changes: { ...decided.changes, ...cause.changes },
    entries: [...decided.entries, cause.entry],
  });
  return { outcome: "decided", ...stayHeld(order, former, next, task.now()) };
}

/** A guess doesn't release an order that an answer of the service held, and no answer releases one that a bank asks about. */
function stayHeld(order: OrderRecord, former: Decision, next: Superseding, nowMs: number): Superseding {
  const { decision } = next;
  const isGuess = decision.degraded || decision.source === "local";
  const isKept = decision.supersedes?.heldByAnswer === true && isGuess && !isStop(decision.action);
  // A person has to decide. Without a hold, the order would ship or be refunded before that.
  const isDisputed = former.disputed === true;
  if ((!isKept && !isDisputed) || !decision.enforce) return next;
  const held: Decision = {
    ...decision,
    ...(isDisputed ? { disputed: true, machine: toMachineDecision(decision) } : {}),
    action: "hold",
    tags: [...new Set([...former.tags, ...decision.tags])],
    reasons: ["hold-kept", ...decision.reasons],
    causes: { ...decision.causes, holdKept: true },
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

import { raiseAlert } from "../../base/alerts.ts";
import { toLoggedReasons } from "../../base/log-redaction.ts";
import type { OrderRecord, TimelineEntry } from "../../store/store.ts";
import { enforce } from "../enforce/enforcement.ts";
import { toCancelProgress } from "../order-life/step-plan.ts";
import { toProblemEntry, toTimelineEntry } from "../timeline.ts";
import { keepHold, lookAtHold } from "../watch/hold-keeper.ts";
import { failOrder, release } from "../save-order.ts";
import type { OrderTask } from "../tasks.ts";
import { needsCatchUp, toAfterTrialMs, toCatchUpMs } from "../order-life/next-look.ts";
import { needsRecheck, type ChangedOrder } from "../order-life/changed-order.ts";
import { decideAgain, lateAnswer, materialChange, type DecidedAgain } from "./decide-again.ts";
import { makeDecision } from "./make-decision.ts";
import { supersede, type Superseding } from "../order-life/supersede.ts";

/**
 * Decide: ask the service once, decide again if the order changed, or check on an order at rest. Resolves to the order whose
 * decision is to be applied, or to null if the order was released: it waits, is at rest, or needs a person.
 */
export async function decide(task: OrderTask, received: OrderRecord): Promise<OrderRecord | null> {
  let order = received;
  if (needsRecheck(order)) {
    const cancel = toCancelProgress(order, await task.store.listSteps(order));
    // A cancel that has begun on the platform can't be stopped: wait for its end before deciding anything else.
    if (cancel === "begun") return order;
    if (cancel === null) return decideChanged(task, order);
    order = await leaveUnchecked(task, order);
  }
  return isAtRest(order) ? revisit(task, order) : decideFirst(task, order);
}

/** The decided order, or null if it was released: it waits, or needs an operator. */
async function decideFirst(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  if (order.decision !== null) return order;
  if (order.mapped === null) {
    const unreadable = order.problem === "DATA_UNREADABLE";
    await failOrder(task, order, unreadable ? order.problem : "ERASED_BEFORE_DECISION");
    return null;
  }
  const undecided = { ...order, undecidedSinceMs: order.receivedAtMs };
  const decided = await makeDecision(task, undecided, order.mapped, task.signal);
  if (decided.outcome === "decided") {
    const steps = await task.store.listSteps(order);
    return keepDecision(task, order, supersede(order, steps, decided));
  }
  const { retryAtMs: dueAtMs, problem } = decided;
  const changes = { state: "waiting", dueAtMs, attempts: order.attempts + 1, problem } as const;
  return release(task, order, { changes, entries: toWaitingEntries(task, problem, order.problem) });
}

/** The timeline entry for a problem that an order waits for, once. */
function toWaitingEntries({ now }: OrderTask, problem: string, before: string | null): TimelineEntry[] {
  return problem === before ? [] : [toProblemEntry(now(), "waiting", [{ code: problem }])];
}

/**
 * The order with a decision on its new content, or null if it was released. While the service can't be asked, the former
 * decision is still applied.
 */
async function decideChanged(task: OrderTask, order: ChangedOrder): Promise<OrderRecord | null> {
  const { revision, revisedAtMs } = order;
  const again = await decideAgain(task, order, materialChange(order, task.now()));
  if (again.outcome === "decided") return keepDecision(task, order, again);
  if (again.outcome !== "postponed")
    throw new TypeError("a changed order is decided even if the service doesn't answer");
  const { retryAtMs: dueAtMs, problem } = again;
  const attempts = revision.attempts + 1;
  const revise = { revisedAtMs, kept: { ...revision, attempts } };
  const isBeingApplied = ["decided", "enforcing", "waiting"].includes(order.state);
  if (!isBeingApplied) {
    // The state stays: what was done for the former decision is still watched.
    const entries = toWaitingEntries(task, problem, order.problem);
    return release(task, order, { changes: { dueAtMs, problem, revise }, entries });
  }
  // Only once: from here on, the platform's problem is shown.
  const entries = attempts === 1 ? toWaitingEntries(task, problem, null) : [];
  const kept = await task.save(order, { changes: { revise }, entries, release: false });
  return enforce({ ...task, save: followMeanwhile(task.save, again) }, kept);
}

/**
 * Log what somebody has to fix, save the decision and count it. If the order was changed on the platform since, nothing is
 * saved, and the order is worked on again with its new content.
 */
export async function keepDecision(
  { save, metrics, logger }: OrderTask,
  order: OrderRecord,
  { changes, entries, decision }: Superseding,
): Promise<OrderRecord> {
  const { platform, tenant, orderId, revisedAtMs, revision } = order;
  const { kept } = changes.revise ?? { kept: revision };
  const revise = { revisedAtMs, kept, isLatest: true } as const;
  if (changes.skipReason === "PERSONAL_DATA_NOT_GRANTED") {
    raiseAlert(
      logger,
      "personal_data_not_granted",
      { tenant, orderId },
      "the platform withholds personal data that the check needs: request access to it",
    );
  }
  const saved = await save(order, { changes: { ...changes, revise }, entries, release: false });
  metrics.decided({ platform, ...decision });
  if (decision.degraded)
    logger.warn({ reasons: toLoggedReasons(decision.reasons) }, "an order was decided without the service");
  return saved;
}

/** Whether all steps of an order's decision have ended. It was claimed for another look. */
function isAtRest({ state, decision }: OrderRecord): boolean {
  return decision !== null && (state === "review" || state === "settled");
}

/** Check on an order at rest. Resolves to it if it has a new decision, and to null if it was released. */
async function revisit(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  const { now } = task;
  // A person who released the hold on the platform has decided. A late answer doesn't overrule that.
  const held = order.state === "review" ? await lookAtHold(task, order) : undefined;
  if (held === null) return null;
  if (order.mapped !== null && needsCatchUp(order, now())) {
    const again = await decideAgain(task, order, lateAnswer(order, order.mapped, now()));
    if (again.outcome === "decided") return keepDecision(task, order, again);
    const askAgainAtMs = again.outcome === "unanswered" ? again.askAgainAtMs : undefined;
    const dueAtMs = toAfterTrialMs(order, askAgainAtMs, now());
    if (dueAtMs !== undefined) return release(task, order, { changes: { dueAtMs } });
    if (held === undefined) {
      const attempts = order.attempts + 1;
      return release(task, order, { changes: { attempts, dueAtMs: toCatchUpMs(order, attempts, now()) } });
    }
  }
  return held === undefined ? release(task, order, { changes: { dueAtMs: null } }) : keepHold(task, held);
}

/** The order was canceled while its change arrived. Nothing is left to decide, so the change isn't checked. */
async function leaveUnchecked(task: OrderTask, order: ChangedOrder): Promise<OrderRecord> {
  const { revision, revisedAtMs } = order;
  const kept = { ...revision, rescreen: false };
  const detail = "not checked again: the order was canceled meanwhile";
  const event = { kind: "changed", paths: [], check: "cancelled" } as const;
  const entries = [toTimelineEntry(task.now(), event, detail)];
  return task.save(order, { changes: { revise: { revisedAtMs, kept } }, entries, release: false });
}

/**
 * Apply the decision on the earlier content while the service can't be asked about the new content. Otherwise nothing would hold
 * the order meanwhile. It's due again when the service can be asked, or earlier if a step is.
 */
function followMeanwhile(
  save: OrderTask["save"],
  { retryAtMs, problem }: Extract<DecidedAgain, { readonly outcome: "postponed" }>,
): OrderTask["save"] {
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

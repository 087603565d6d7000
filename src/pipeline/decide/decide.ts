import { toLoggedReasons } from "../../base/log-fields.ts";
import type { OrderRecord, TimelineEntry } from "../../store/store.ts";
import { enforce } from "../enforce/enforcement.ts";
import { toCancelProgress } from "../enforce/step-plan.ts";
import { toProblemEntry, toTimelineEntry } from "../timeline.ts";
import { keepHold, lookAtHold } from "../watch/hold-keeper.ts";
import { failOrder, release } from "../work/save-order.ts";
import type { OrderTask } from "../tasks.ts";
import { isToCatchUp, toAfterTrialMs, toCatchUpMs } from "../watch/next-look.ts";
import { decideAgain, lateAnswer, materialChange, type DecidedAgain } from "./decide-again.ts";
import { isToRescreen, type ChangedOrder } from "./detail.ts";
import { makeDecision } from "./make-decision.ts";
import { supersede, type Superseding } from "./supersede.ts";

/**
 * Decide: ask the service once, or decide again where the order changed, or look after an order at rest. Resolves to the
 * order whose decision is to be carried out, or null once it was released: to wait, to rest, or to a person.
 */
export async function decide(task: OrderTask, received: OrderRecord): Promise<OrderRecord | null> {
  let order = received;
  if (isToRescreen(order)) {
    const cancel = toCancelProgress(order, await task.store.listSteps(order));
    // What has begun on the platform can't be called back: how it ends is seen before anything else is decided.
    if (cancel === "begun") return order;
    if (cancel === null) return decideChanged(task, order);
    order = await leaveUnchecked(task, order);
  }
  return isAtRest(order) ? revisit(task, order) : decideFirst(task, order);
}

/** The decided order, or null when it was released: to wait, or to an operator. */
async function decideFirst(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  if (order.decision !== null) return order;
  if (order.mapped === null) {
    const unreadable = order.problem === "DATA_UNREADABLE";
    await failOrder(task, order, unreadable ? order.problem : "ERASED_BEFORE_DECISION");
    return null;
  }
  const decided = await makeDecision(task, order, order.mapped, task.signal);
  if (decided.outcome === "decided") {
    const steps = await task.store.listSteps(order);
    return keepDecision(task, order, supersede(order, steps, decided));
  }
  const { retryAtMs: dueAtMs, problem } = decided;
  const changes = { state: "waiting", dueAtMs, attempts: order.attempts + 1, problem } as const;
  return release(task, order, { changes, entries: toWaitingEntries(task, problem, order.problem) });
}

/** What the timeline says of a problem that an order waits for, once. */
function toWaitingEntries({ now }: OrderTask, problem: string, before: string | null): TimelineEntry[] {
  return problem === before ? [] : [toProblemEntry(now(), "waiting", [{ code: problem }])];
}

/** The order with a decision on its new content, or null when it was released to wait. */
async function decideChanged(task: OrderTask, order: ChangedOrder): Promise<OrderRecord | null> {
  const { revision, revisedAtMs } = order;
  const again = await decideAgain(task, order, materialChange(order, task.now()));
  if (again.outcome === "decided") return keepDecision(task, order, again);
  if (again.outcome !== "postponed") throw new TypeError("a changed order takes a guess");
  const { retryAtMs: dueAtMs, problem } = again;
  const attempts = revision.attempts + 1;
  const revise = { revisedAtMs, kept: { ...revision, attempts } };
  if (!isCarriedOut(order)) {
    // The state stays: what was done for the former decision is still looked after.
    const entries = toWaitingEntries(task, problem, order.problem);
    return release(task, order, { changes: { dueAtMs, problem, revise }, entries });
  }
  // Once: from here on the problem that shows is the platform's.
  const entries = attempts === 1 ? toWaitingEntries(task, problem, null) : [];
  const kept = await task.save(order, { changes: { revise }, entries, release: false });
  return enforce({ ...task, save: followMeanwhile(task.save, again) }, kept);
}

/** Whether the order's decision is still being carried out on the platform. */
function isCarriedOut({ state }: OrderRecord): boolean {
  return state === "decided" || state === "enforcing" || state === "waiting";
}

/**
 * Keep a decision on what the order is like, count it, and tell the operator what somebody has to fix. If the platform has
 * changed the order since, nothing is kept, and the order is worked on again as it is by then.
 */
export async function keepDecision(
  { save, metrics, logger }: OrderTask,
  order: OrderRecord,
  { changes, entries, decision }: Superseding,
): Promise<OrderRecord> {
  const { platform, tenant, orderId, revisedAtMs, revision } = order;
  const { kept } = changes.revise ?? { kept: revision };
  const revise = { revisedAtMs, kept, isLatest: true } as const;
  const saved = await save(order, { changes: { ...changes, revise }, entries, release: false });
  metrics.decided({ platform, ...decision });
  if (changes.skipReason === "PERSONAL_DATA_NOT_GRANTED") {
    logger.error(
      { alert: "personal_data_not_granted", tenant, orderId },
      "the platform withholds personal data that the check needs: request access to it",
    );
  }
  if (decision.degraded)
    logger.warn({ reasons: toLoggedReasons(decision.reasons) }, "an order was decided without the service");
  return saved;
}

/** Whether an order was followed through, and is claimed to be looked at again. */
function isAtRest({ state, decision }: OrderRecord): boolean {
  return decision !== null && (state === "review" || state === "settled");
}

/** Look again at an order that came to rest; resolves to it when it has a new decision, null when it was released. */
async function revisit(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  const { now } = task;
  // Whoever released the hold on the platform has decided: no late answer overrules them.
  const held = order.state === "review" ? await lookAtHold(task, order) : undefined;
  if (held === null) return null;
  if (order.mapped !== null && isToCatchUp(order, now())) {
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

/** Nothing is left to decide about an order that was cancelled while its change came: nobody is paid to look at it. */
async function leaveUnchecked(task: OrderTask, order: ChangedOrder): Promise<OrderRecord> {
  const { revision, revisedAtMs } = order;
  const kept = { ...revision, rescreen: false };
  const detail = "not checked again: the order was canceled meanwhile";
  const event = { kind: "changed", paths: [], check: "cancelled" } as const;
  const entries = [toTimelineEntry(task.now(), event, detail)];
  return task.save(order, { changes: { revise: { revisedAtMs, kept } }, entries, release: false });
}

/**
 * Let the platform follow the decision on what the order was like while the service cannot be asked about what it is
 * like now: nothing else would hold it meanwhile. It comes back for the service, or for the platform if that is earlier.
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

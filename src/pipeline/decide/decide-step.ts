import { toLoggedReasons } from "../../base/log-fields.ts";
import type { OrderRecord } from "../../store/store.ts";
import { toProblemEntry, toTimelineEntry } from "../timeline.ts";
import { failOrder, type OrderTask } from "../work/order-task.ts";
import {
  isToCatchUp,
  toAfterTrialMs,
  toCatchUpMs,
  decideAgain,
  lateAnswer,
  materialChange,
  type DecidedAgain,
  followMeanwhile,
  isToRescreen,
} from "./decide-again.ts";
import { makeDecision, type OrderDecided } from "./order-decision.ts";
import { enforce } from "../enforce/enforcement.ts";
import { keepHold } from "../watch/hold-keeper.ts";
import { toCancelProgress } from "../enforce/step-plan.ts";
import { followCheckingHold, type Superseding } from "./supersede.ts";

/**
 * Decide: ask the service once, or decide again where the order changed, or look after an order at rest. Resolves to the
 * order whose decision is to be carried out, or null once it was released: to wait, to rest, or to a person.
 */
export async function decide(task: OrderTask, received: OrderRecord): Promise<OrderRecord | null> {
  const cancel = isToRescreen(received)
    ? toCancelProgress(received, await task.store.listSteps(received))
    : null;
  // What has begun on the platform can't be called back: how it ends is seen before anything else is decided.
  if (cancel === "begun") return received;
  const order = cancel === "done" ? await leaveUnchecked(task, received) : received;
  if (isToRescreen(order)) return decideChanged(task, order);
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
    return keepDecision(
      task,
      order,
      followCheckingHold(await task.store.listSteps(order), decided.decision, decided),
    );
  }
  const { retryAtMs: dueAtMs, problem } = decided;
  const attempts = order.attempts + 1;
  const entries =
    order.problem === problem ? [] : [toProblemEntry(task.now(), "waiting", [{ code: problem }])];
  const changes = { state: "waiting", dueAtMs, attempts, problem } as const;
  await task.save(order, { changes, entries, release: true });
  return null;
}

/** The order with a decision on its new content, or null when it was released to wait. */
async function decideChanged(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  const { revision, revisedAtMs } = order;
  if (revision === null) return order;
  const again = await decideAgain(task, order, materialChange(order, revision, task.now()));
  if (again.outcome === "decided") return keepDecision(task, order, again);
  if (again.outcome !== "postponed") throw new TypeError("a changed order takes a guess");
  const { retryAtMs: dueAtMs, problem } = again;
  const revise = { revisedAtMs, kept: { ...revision, attempts: revision.attempts + 1 } };
  if (isFollowed(order)) {
    // Once: from here on the problem that shows is the platform's.
    const isFirst = revise.kept.attempts === 1;
    const entries = isFirst ? [toProblemEntry(task.now(), "waiting", [{ code: problem }])] : [];
    const kept = await task.save(order, { changes: { revise }, entries, release: false });
    return enforce({ ...task, save: followMeanwhile(task.save, again) }, kept);
  }
  // The state stays: what was done for the former decision is still looked after.
  const entries =
    order.problem === problem ? [] : [toProblemEntry(task.now(), "waiting", [{ code: problem }])];
  await task.save(order, { changes: { dueAtMs, problem, revise }, entries, release: true });
  return null;
}

/** Whether the platform does not follow the order's decision yet. */
function isFollowed({ state }: OrderRecord): boolean {
  return state === "decided" || state === "enforcing" || state === "waiting";
}

/** Keep a decision. */
export async function keepDecision(
  task: OrderTask,
  order: OrderRecord,
  { changes, entries, decision }: Superseding,
): Promise<OrderRecord> {
  const saved = await task.save(order, { changes, entries, release: false });
  report(task, order, { outcome: "decided", changes, entries, decision });
  return saved;
}

/** Whether an order was followed through, and is claimed to be looked at again. */
function isAtRest({ state, decision }: OrderRecord): boolean {
  return decision !== null && (state === "review" || state === "settled");
}

/** Look again at an order that came to rest; resolves to it when it has a new decision, null when it was released. */
async function revisit(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  const { now } = task;
  if (isToCatchUp(order, now())) {
    const again = await catchUp(task, order);
    if (again?.outcome === "decided") return keepDecision(task, order, again);
    const askAgainAtMs = again?.outcome === "unanswered" ? again.askAgainAtMs : undefined;
    const dueAtMs = toAfterTrialMs(order, askAgainAtMs, now());
    if (dueAtMs !== undefined) {
      await task.save(order, { changes: { dueAtMs }, release: true });
      return null;
    }
    if (order.state === "settled") {
      const attempts = order.attempts + 1;
      await task.save(order, {
        changes: { attempts, dueAtMs: toCatchUpMs(order, attempts, now()) },
        release: true,
      });
      return null;
    }
  }
  if (order.state !== "review") {
    await task.save(order, { changes: { dueAtMs: null }, release: true });
    return null;
  }
  return keepHold(task, order);
}

async function catchUp(task: OrderTask, order: OrderRecord): Promise<DecidedAgain | null> {
  if (order.mapped === null) return null;
  return decideAgain(task, order, lateAnswer(order, order.mapped, task.now()));
}

/** Nothing is left to decide about an order that was cancelled while its change came: nobody is paid to look at it. */
async function leaveUnchecked(task: OrderTask, order: OrderRecord): Promise<OrderRecord> {
  const { revision, revisedAtMs } = order;
  if (revision === null) return order;
  const kept = { ...revision, rescreen: false };
  const detail = "not checked again: the order was cancelled meanwhile";
  const event = { kind: "changed", paths: [], check: "cancelled" } as const;
  const entries = [toTimelineEntry(task.now(), event, detail)];
  return task.save(order, { changes: { revise: { revisedAtMs, kept } }, entries, release: false });
}

/** Count a decision once it is kept, and tell the operator what somebody has to fix. */
function report(
  { metrics, logger }: Pick<OrderTask, "metrics" | "logger">,
  { platform, tenant, orderId }: OrderRecord,
  { decision, changes }: Extract<OrderDecided, { readonly outcome: "decided" }>,
): void {
  metrics.decided({ platform, ...decision });
  if (changes.skipReason === "PERSONAL_DATA_NOT_GRANTED") {
    const alert = "personal_data_not_granted";
    logger.error(
      { alert, tenant, orderId },
      "the platform withholds the personal data that verification needs: ask it for access",
    );
  }
  if (decision.degraded)
    logger.warn({ reasons: toLoggedReasons(decision.reasons) }, "an order was decided without the service");
}

import { toLoggedReasons } from "../../base/log-fields.ts";
import { toMachineDecision, type Decision } from "../../order/decision.ts";
import type { MappedOrder } from "../../platform/platform.ts";
import type { DecisionBasis } from "../../screening/decide-order.ts";
import type { OrderChanges, OrderRecord, PendingDecision, TimelineEntry } from "../../store/store.ts";
import { enforce } from "../enforce/enforcement.ts";
import { toCancelProgress } from "../enforce/step-plan.ts";
import { toProblemEntry, toTimelineEntry } from "../timeline.ts";
import { keepHold, lookAtHold } from "../watch/hold-keeper.ts";
import { failOrder, release } from "../work/save-order.ts";
import type { OrderTask } from "../tasks.ts";
import { isToCatchUp, toAfterTrialMs, toCatchUpMs } from "../watch/next-look.ts";
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
      "the platform withholds the personal data that verification needs: ask it for access",
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
  const detail = "not checked again: the order was cancelled meanwhile";
  const event = { kind: "changed", paths: [], check: "cancelled" } as const;
  const entries = [toTimelineEntry(task.now(), event, detail)];
  return task.save(order, { changes: { revise: { revisedAtMs, kept } }, entries, release: false });
}

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
function lateAnswer(order: OrderRecord, mapped: MappedOrder, nowMs: number): Cause {
  const entry = toTimelineEntry(nowMs, { kind: "caught-up" }, "the service has answered");
  return { order, mapped, changes: {}, entry, takesGuess: false };
}

/** The platform changed the order in a way that matters. What the service answered for the old content stays kept. */
function materialChange(order: ChangedOrder, nowMs: number): Cause {
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

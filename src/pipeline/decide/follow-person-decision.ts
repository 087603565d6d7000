import type { OrderRecord, PendingDecision, TimelineEntry } from "../../store/store.ts";
import type { PersonJudgement } from "../../store/orders/person-decisions.ts";
import { enrich } from "./read-detail.ts";
import { findInquiry } from "../../store/outcomes/disputes.ts";
import { release, saveUnlessWithdrawn } from "../save-order.ts";
import type { OrderTask } from "../tasks.ts";
import { keepDecision } from "./decide.ts";
import { decideAgain, recheckByPerson } from "./decide-again.ts";
import { toProblemEntry, toTimelineEntry } from "../timeline.ts";
import { isUndoable, judgePersonDecision, type PersonDecisionContext } from "../order-life/review.ts";

/**
 * While a person can undo their decision, nothing is done with the order. So nothing automatic releases an order that they
 * declined, or cancels one that they approved.
 */
export async function waitWhileUndoable(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  const { verdict } = order;
  if (verdict === null || !isUndoable(verdict, task.now())) return order;
  return release(task, order, { changes: { dueAtMs: verdict.effectiveAtMs ?? task.now() } });
}

/**
 * Apply a person's decision about the order. Resolves to the order after it, for the next phase, or to null if it was released.
 */
export async function followPersonDecision(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  const { verdict } = order;
  if (verdict === null) return order;
  return verdict.act === "recheck" ? recheck(task, order, verdict) : carryOutDecision(task, order, verdict);
}

/** Apply a decision that was made while the order was being worked on, to the order as it is now. */
async function carryOutDecision(
  task: OrderTask,
  order: OrderRecord,
  verdict: PendingDecision,
): Promise<OrderRecord | null> {
  const { now, metrics } = task;
  if (await isApprovedBeforeInquiry(task, order, verdict))
    return refuse(task, order, toRefused(now(), verdict, ASKED_SINCE));
  // When the person decided, it was checked which earlier decision they may overrule.
  const seen = verdict.judgedDecidedAtMs === order.decidedAtMs ? { seenDecidedAtMs: order.decidedAtMs } : {};
  const { judgement, timeline } = await judgeNow(task, order, verdict, seen);
  if (judgement.outcome === "decided") {
    const { changes, entries = [] } = judgement.transition;
    const allEntries = [...entries, ...toChangedMeanwhile(order, verdict, timeline, now())];
    const transition = { changes, entries: allEntries, release: false, takesUp: verdict };
    const taken = await saveUnlessWithdrawn(task, order, transition);
    if (taken === null) return withdraw(task, order);
    if (taken.decision !== null) metrics.decided({ platform: order.platform, ...taken.decision });
    return taken;
  }
  return refuse(task, order, toRefused(now(), verdict, toWhy(judgement)));
}

const ASKED_SINCE = "a bank asks about the payment: look at the order again before you decide";

/** Whether a bank asked about the payment after the order was approved, so that the person didn't know. */
async function isApprovedBeforeInquiry(
  { store }: OrderTask,
  order: OrderRecord,
  { act, atMs }: PendingDecision,
): Promise<boolean> {
  if (act !== "approve") return false;
  const inquiry = await findInquiry(store, order);
  return inquiry !== null && inquiry.seenAtMs >= atMs;
}

function toWhy(judgement: Exclude<PersonJudgement, { readonly outcome: "decided" }>): string {
  if (judgement.outcome === "impossible") return judgement.detail;
  return judgement.outcome === "changed" ? ASKED_SINCE : "it was already done";
}

/** The decision was undone just before it was applied: continue without it. */
async function withdraw(task: OrderTask, order: OrderRecord): Promise<OrderRecord | null> {
  if (order.state !== "failed") return { ...order, verdict: null };
  return release(task, order, { changes: { dueAtMs: null } });
}

/** A timeline entry if the order changed after the person decided: they hadn't seen the change. */
function toChangedMeanwhile(
  { revision }: OrderRecord,
  verdict: PendingDecision,
  timeline: readonly TimelineEntry[],
  nowMs: number,
): readonly TimelineEntry[] {
  const isNews = timeline.some(({ kind, atMs }) => kind === "changed" && atMs > verdict.atMs);
  if (revision?.rescreen !== true || !isNews) return [];
  const event = { kind: "changed-after-person", paths: [], check: "person-decided" } as const;
  return [toTimelineEntry(nowMs, event, "not checked again: a person has decided")];
}

async function judgeNow(
  { store, now }: OrderTask,
  order: OrderRecord,
  verdict: PendingDecision,
  seen: Pick<PersonDecisionContext, "seenDecidedAtMs">,
) {
  const [steps, timeline] = await Promise.all([store.listSteps(order), store.listTimeline(order)]);
  const situation = { order: { ...order, verdict: null }, steps, timeline };
  const judgement = judgePersonDecision(situation, verdict, { policyVersion: 0, nowMs: now(), ...seen });
  return { judgement, timeline };
}

function toRefused(atMs: number, { act }: PendingDecision, why: string) {
  return toTimelineEntry(atMs, { kind: "verdict-refused" }, `${act}: ${why}`);
}

/** Refuse a person's decision: the order stays as it is. If it needs an operator, it still does. */
async function refuse(
  task: OrderTask,
  order: OrderRecord,
  entry: ReturnType<typeof toTimelineEntry>,
): Promise<OrderRecord | null> {
  const isFailed = order.state === "failed";
  const changes = { verdict: null, ...(isFailed ? { dueAtMs: null } : {}) };
  const takesUp = order.verdict === null ? {} : { takesUp: order.verdict };
  const transition = { changes, entries: [entry], release: isFailed, ...takesUp };
  const saved = await saveUnlessWithdrawn(task, order, transition);
  if (saved === null) return withdraw(task, order);
  return isFailed ? null : saved;
}

/** Ask the service again, once for each recheck that a person asked for. */
async function recheck(
  task: OrderTask,
  received: OrderRecord,
  verdict: PendingDecision,
): Promise<OrderRecord | null> {
  const { now } = task;
  const { decision: former, mapped } = received;
  // When the person asked, it was checked which decision the recheck may overrule.
  const { judgement } = await judgeNow(task, received, verdict, { seenDecidedAtMs: received.decidedAtMs });
  // The order may have ended meanwhile.
  if (judgement.outcome === "impossible")
    return refuse(task, received, toRefused(now(), verdict, judgement.detail));
  // The content was just erased, so it can't be sent.
  if (mapped === null) return refuse(task, received, toFailed(now(), "ERASED_BEFORE_DECISION"));
  // There is no decision yet: check it like a new order.
  const undecided = { state: "screening", problem: null, attempts: 0, verdict: null } as const;
  if (former === null) return task.save(received, { changes: undecided, release: false });
  const order = await takeUpContent(task, received);
  if (order.mapped === null) return refuse(task, order, toFailed(now(), "ERASED_BEFORE_DECISION"));
  const cause = recheckByPerson(order, order.mapped, verdict, now());
  const again = await decideAgain(task, order, cause);
  if (again.outcome !== "decided") {
    // The decision stands, and its steps continue. The next recheck sends exactly the same request.
    const { revision } = order;
    return refuse(task, { ...received, revision }, toFailed(now(), again.problem));
  }
  return keepDecision(task, order, again);
}

function toFailed(atMs: number, code: string) {
  return toProblemEntry(atMs, "recheck-failed", [{ code }]);
}

/** The order with its newest content and details, saved, so that a repeat sends the same request. */
async function takeUpContent(task: OrderTask, order: OrderRecord): Promise<OrderRecord> {
  const { revision, revisedAtMs } = order;
  if (revision === null) return order;
  const { mapped, amount, currency, enriched } = revision;
  if (enriched) return { ...order, mapped, amount, currency };
  const detailed = await enrich(task, order, mapped);
  const kept = { ...revision, mapped: detailed.mapped, enriched: true };
  const saved = await task.save(order, {
    changes: { revise: { revisedAtMs, kept } },
    release: false,
  });
  return saved.revision === null ? saved : { ...saved, mapped: detailed.mapped, amount, currency };
}

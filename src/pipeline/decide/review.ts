import type { PendingReview, TimelineEntry } from "../../store/store.ts";
import type { ReviewJudgement } from "../../store/orders/reviews.ts";
import { findInquiry } from "../order-life/inquiry.ts";
import { judgeReview, type ReviewContext } from "../order-life/review.ts";
import type { Situation } from "../order-life/situation.ts";
import type { Handler, OrderTask } from "../tasks.ts";
import { toProblemEntry, toTimelineEntry } from "../timeline.ts";
import { decideAgain, type Cause } from "./decide-again.ts";
import { keepDecision } from "./keep-decision.ts";
import { enrich } from "./read-detail.ts";

/** Apply a review that was made while the order was being worked on, to the order as it is now. */
export const applyReview: Handler<"apply-review"> = async (task, situation, { review }) => {
  const { now, metrics } = task;
  const { order } = situation;
  if (isApprovedBeforeInquiry(situation, review))
    return refuse(task, situation, toRefused(now(), review, ASKED_SINCE));
  // When the person decided, it was checked which earlier decision they may overrule.
  const seen = review.judgedDecidedAtMs === order.decidedAtMs ? { seenDecidedAtMs: order.decidedAtMs } : {};
  const { judgement, timeline } = await judgeNow(task, situation, review, seen);
  if (judgement.outcome !== "decided")
    return refuse(task, situation, toRefused(now(), review, toWhy(judgement)));
  const { changes, entries = [] } = judgement.transition;
  const allEntries = [...entries, ...toChangedMeanwhile(situation, review, timeline, now())];
  const transition = { changes, entries: allEntries, release: false, takesUp: review };
  const taken = await task.saveReview(situation, transition);
  if (taken === null) return withdraw(task, situation);
  if (taken.order.decision !== null) metrics.decided({ platform: order.platform, ...taken.order.decision });
  return taken;
};

const ASKED_SINCE = "a bank asks about the payment: look at the order again before you decide";

/** Whether a bank asked about the payment after the order was approved, so that the person didn't know. */
function isApprovedBeforeInquiry({ disputes }: Situation, { act, atMs }: PendingReview): boolean {
  const inquiry = findInquiry(disputes);
  return (act === "approve" || act === "handle") && inquiry !== undefined && inquiry.seenAtMs >= atMs;
}

function toWhy(judgement: Exclude<ReviewJudgement, { readonly outcome: "decided" }>): string {
  if (judgement.outcome === "impossible") return judgement.why.detail;
  return judgement.outcome === "changed" ? ASKED_SINCE : "it was already done";
}

/** The review was undone just before it was applied: continue without it. */
async function withdraw(task: OrderTask, situation: Situation): Promise<Situation | null> {
  const { order } = situation;
  if (order.state === "failed") return task.end(situation, { changes: { dueAtMs: null } });
  return { ...situation, order: { ...order, review: null } };
}

/** A timeline entry if the order changed after the person decided: they hadn't seen the change. */
function toChangedMeanwhile(
  { order: { revision } }: Situation,
  review: PendingReview,
  timeline: readonly TimelineEntry[],
  nowMs: number,
): readonly TimelineEntry[] {
  const isNews = timeline.some(({ kind, atMs }) => kind === "changed" && atMs > review.atMs);
  if (revision?.rescreen !== true || !isNews) return [];
  const event = { kind: "changed-after-person", paths: [], check: "person-decided" } as const;
  return [toTimelineEntry(nowMs, event, "not checked again: a person has decided")];
}

async function judgeNow(
  { store, now }: OrderTask,
  { order, steps }: Situation,
  review: PendingReview,
  seen: Pick<ReviewContext, "seenDecidedAtMs">,
) {
  const timeline = await store.orders.listTimeline(order);
  const undecided = { order: { ...order, review: null }, steps, timeline };
  // When the person marked it as handled, it had shipped.
  const judged = review.act === "handle" ? { ...review, hasShipped: true } : review;
  const judgement = judgeReview(undecided, judged, { policyVersion: 0, nowMs: now(), ...seen });
  return { judgement, timeline };
}

function toRefused(atMs: number, { act }: PendingReview, why: string): TimelineEntry {
  return toTimelineEntry(atMs, { kind: "review-refused" }, `${act}: ${why}`);
}

function toFailed(atMs: number, code: string): TimelineEntry {
  return toProblemEntry(atMs, "recheck-failed", [{ code }]);
}

/** Refuse a review: the order stays as it is. If it needs an operator, it still does. */
async function refuse(task: OrderTask, situation: Situation, entry: TimelineEntry) {
  const { state, review } = situation.order;
  const isFailed = state === "failed";
  const changes = { review: null, ...(isFailed ? { dueAtMs: null } : {}) };
  const takesUp = review === null ? {} : { takesUp: review };
  const saved = await task.saveReview(situation, {
    changes,
    entries: [entry],
    release: isFailed,
    ...takesUp,
  });
  if (saved === null) return withdraw(task, situation);
  return isFailed ? null : saved;
}

/** Ask the service again, once for each recheck that a person asked for. */
export const checkForPerson: Handler<"check-for-person"> = async (task, received, { review }) => {
  const { now } = task;
  const { decision: former, decidedAtMs, mapped } = received.order;
  // When the person asked, it was checked which decision the recheck may overrule.
  const { judgement } = await judgeNow(task, received, review, { seenDecidedAtMs: decidedAtMs });
  // The order may have ended meanwhile.
  if (judgement.outcome === "impossible")
    return refuse(task, received, toRefused(now(), review, judgement.why.detail));
  // The content was just erased, so it can't be sent.
  if (mapped === null) return refuse(task, received, toFailed(now(), "ERASED_BEFORE_DECISION"));
  // There is no decision yet: check it like a new order.
  const undecided = { state: "screening", problem: null, attempts: 0, review: null } as const;
  if (former === null) return task.save(received, { changes: undecided });
  const situation = await takeUpContent(task, received);
  const cause = toCause(situation, review, now());
  if (cause === null) return refuse(task, situation, toFailed(now(), "ERASED_BEFORE_DECISION"));
  const again = await decideAgain(task, situation, cause);
  if (again.outcome === "decided") return keepDecision(task, situation, again);
  // The decision stands, and its steps continue. The next recheck sends exactly the same request.
  const order = { ...received.order, revision: situation.order.revision };
  return refuse(task, { ...situation, order }, toFailed(now(), again.problem));
};

/** Null if the content was erased. */
function toCause({ order }: Situation, review: PendingReview, nowMs: number): Cause | null {
  const { revision, mapped, amount, currency, revisedAtMs } = order;
  if (mapped === null) return null;
  const revise = { revisedAtMs, kept: null };
  const content = revision === null ? {} : { mapped, amount, currency, enriched: true, revise };
  return {
    order: { ...order, review },
    mapped,
    changes: { ...content, review: null },
    entry: toTimelineEntry(nowMs, { kind: "rechecked" }, `asked for by ${review.actor}`),
    takesGuess: false,
  };
}

/** The order with its newest content and details, saved, so that a repeat sends the same request. */
async function takeUpContent(task: OrderTask, situation: Situation): Promise<Situation> {
  const { order } = situation;
  const { revision, revisedAtMs } = order;
  if (revision === null) return situation;
  const { mapped, amount, currency, enriched } = revision;
  if (enriched) return { ...situation, order: { ...order, mapped, amount, currency } };
  const detailed = await enrich(task, order, mapped);
  const kept = { ...revision, mapped: detailed.mapped, enriched: true };
  const saved = await task.save(situation, { changes: { revise: { revisedAtMs, kept } } });
  if (saved.order.revision === null) return saved;
  return { ...saved, order: { ...saved.order, mapped: detailed.mapped, amount, currency } };
}

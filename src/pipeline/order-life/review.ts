import { describeRefusal } from "../../base/refusals.ts";
import { toMachineDecision, toPersonAct, type Decision, type MachineDecision } from "../../order/decision.ts";
import type { OrderRecord, PendingReview, Review, StepRecord } from "../../store/store.ts";
import type { OrderSituation } from "../../store/orders/locked-order.ts";
import { MAX_UNDO_MS, type ReviewJudgement, type ReviewObstacle } from "../../store/orders/reviews.ts";
import { toOrderEnd } from "./order-end.ts";
import { isDone, toCancelProgress } from "./step-plan.ts";
import { replaceDecision } from "./supersede.ts";
import { hasEndedAs } from "../timeline.ts";

export interface ReviewContext {
  /** The current policy's version, for an order without a decision. */
  readonly policyVersion: number;
  /**
   * `decidedAtMs` of the order as the person saw it; null if it wasn't decided. A person who saw a decision may overrule it.
   * Absent: it isn't known what they saw.
   */
  readonly seenDecidedAtMs?: number | null | undefined;
  readonly nowMs: number;
}

const DONE: Readonly<Record<Review["act"], string>> = {
  approve: "approved",
  decline: "declined",
  handle: "marked as handled",
  recheck: "sent to be rechecked",
};

/** Whether a person's decision can still be undone, and so must not be applied yet. Pure. */
export function isUndoable({ effectiveAtMs }: PendingReview, nowMs: number): boolean {
  // If the time is further away than possible, the clock was set back since.
  return effectiveAtMs !== undefined && effectiveAtMs > nowMs && effectiveAtMs <= nowMs + 2 * MAX_UNDO_MS;
}

/** Whether a person's decision on an order is possible, and the transition for it. Pure. */
export function judgeReview(
  situation: OrderSituation,
  review: Review,
  context: ReviewContext,
): ReviewJudgement {
  const { order } = situation;
  if (order.review !== null) return judgeBehind(order.review, review);
  if (isAlreadySo(situation, review)) return { outcome: "already" };
  const obstacle = findObstacle(situation, review);
  if (obstacle !== null) return { outcome: "impossible", obstacle, why: describeRefusal(obstacle) };
  if (isContested(order, review, context)) return judgeContested(order);
  const { seenDecidedAtMs } = context;
  const mustBeSeen = isDisputed(situation) && (review.act === "approve" || review.act === "handle");
  if ((seenDecidedAtMs !== undefined || mustBeSeen) && seenDecidedAtMs !== order.decidedAtMs)
    return { outcome: "changed" };
  return review.act === "recheck"
    ? { outcome: "asked" }
    : { outcome: "decided", transition: toTransition(situation, review, context) };
}

/** Another person decided first, and their decision hasn't taken effect yet. */
function judgeBehind({ act, actor, atMs, effectiveAtMs }: PendingReview, review: Review): ReviewJudgement {
  if (act === review.act) return { outcome: "already" };
  const obstacle = effectiveAtMs === undefined ? "being-carried-out" : "undo-first";
  const why = describeRefusal(obstacle, { done: DONE[act] });
  return { outcome: "impossible", obstacle, why, first: { act, actor, atMs } };
}

/** Whether the order is already in the state that the person wants, or on its way there. */
function isAlreadySo({ order, steps }: OrderSituation, { act }: Review): boolean {
  const { decision, state } = order;
  if (act === "recheck" || decision === null || state === "failed") return false;
  const isByPerson = decision.source === "person";
  if (act !== "decline") return isByPerson && toPersonAct(decision) === act;
  if (decision.action !== "cancel") return false;
  return (isByPerson && state !== "review") || isDone(steps, "cancel") || isCancelling(order, steps);
}

/** An obstacle that isn't another person's decision. */
type OwnObstacle = Exclude<ReviewObstacle, "being-carried-out" | "undo-first" | "contested">;

/** Why the decision isn't possible; null if it is possible. */
function findObstacle(situation: OrderSituation, review: Review): OwnObstacle | null {
  const { order, steps } = situation;
  const { decision, state } = order;
  // An undecided order at rest was left when its shop uninstalled the app for a day or longer. Only a person can continue with it.
  const isUnderWay = state !== "failed" && state !== "settled";
  if (decision === null && isUnderWay) return "undecided";
  // Or deleted there.
  const isEnded = situation.timeline.some((entry) => hasEndedAs("cancelled", entry));
  if (isEnded || order.skipReason === "CANCELLED") return "canceled-on-platform";
  if (isDone(steps, "cancel")) return "already-canceled";
  if (isCancelling(order, steps)) return "being-canceled";
  const isShipped = review.hasShipped ?? toOrderEnd(situation) === "shipped";
  if (review.act === "handle" && !isShipped) return "not-shipped";
  return review.act === "recheck" ? findLost(order) : null;
}

function findLost({ mapped, problem }: OrderRecord): OwnObstacle | null {
  if (mapped !== null) return null;
  return problem === "DATA_UNREADABLE" ? "content-unreadable" : "content-erased";
}

/**
 * Whether an earlier decision by a person stands in the way. A person who saw another's decision may overrule it. They may
 * change their own after it was applied, but not while it is being applied.
 */
function isContested(
  { decision, decidedAtMs, state }: OrderRecord,
  { act, actor }: Review,
  { seenDecidedAtMs }: ReviewContext,
): boolean {
  // A recheck that names an older version gets "changed" instead.
  if (act === "recheck" && seenDecidedAtMs !== undefined) return false;
  if (decision?.source !== "person" || state === "failed" || seenDecidedAtMs === decidedAtMs) return false;
  const isAtRest = state === "settled" || state === "review";
  return decision.actor !== actor || !isAtRest;
}

function judgeContested({ decision, decidedAtMs }: OrderRecord): ReviewJudgement {
  const act = decision === null ? "approve" : toPersonAct(decision);
  const first = { act, actor: decision?.actor ?? "somebody", atMs: decidedAtMs ?? 0 } as const;
  const why = describeRefusal("contested", { done: DONE[act] });
  return { outcome: "impossible", obstacle: "contested", why, first };
}

/** To let an order go, a person must have seen that a bank asks about it, even before the inquiry has put it on hold. */
function isDisputed(situation: OrderSituation): boolean {
  return situation.order.decision?.disputed === true || isDisputedSince(situation);
}

/** Whether a dispute came after the last decision. */
function isDisputedSince({ timeline }: OrderSituation): boolean {
  const findLast = (kind: string) => timeline.findLastIndex((entry) => entry.kind === kind);
  return findLast("dispute") > findLast("decided");
}

/** Whether the platform is canceling the order. That can't be stopped, and must not begin twice. */
function isCancelling(order: OrderRecord, steps: readonly StepRecord[]): boolean {
  const isAtRest = order.state === "settled" || order.state === "failed";
  return !isAtRest && toCancelProgress(order, steps) === "begun";
}

function toTransition(situation: OrderSituation, review: Review, context: ReviewContext) {
  const { order, steps } = situation;
  const { revision, revisedAtMs } = order;
  const decision = { ...toDecision(order, review, context), ...toLimit(situation, review) };
  // Kept for a recheck. No answer about it overrules the person.
  const kept = revision?.rescreen === true ? { ...revision, rescreen: false } : null;
  return replaceDecision(order, steps, decision, context.nowMs, {
    review: null,
    ...(kept === null ? {} : { revise: { revisedAtMs, kept } }),
  });
}

function toDecision(
  { decision: former }: OrderRecord,
  { act, actor, reason }: Review,
  { policyVersion }: ReviewContext,
): Decision {
  const machine = findMachine(former);
  // A person's decision is always applied, even in shadow mode.
  const common = { source: "person", actor, degraded: false, enforce: true } as const;
  const answered = former ?? { riskLevel: null, riskScore: null, policyVersion };
  const { unchecked, guess } = former ?? {};
  return {
    ...toDecided(act, machine?.tags ?? []),
    ...(reason === undefined ? {} : { declineReason: reason }),
    ...common,
    riskLevel: answered.riskLevel,
    riskScore: answered.riskScore,
    policyVersion: answered.policyVersion,
    ...(unchecked === undefined ? {} : { unchecked }),
    ...(guess === undefined ? {} : { guess }),
    ...(machine === undefined ? {} : { machine }),
  };
}

/**
 * Canceling refunds the customer. An order that is recorded as shipped isn't canceled, even if it could be again: the
 * person was told so.
 */
function toLimit(situation: OrderSituation, { act, hasShipped }: Review): Pick<Decision, "cancelsNothing"> {
  if (act !== "decline" || toOrderEnd(situation) !== "shipped") return {};
  return { cancelsNothing: hasShipped === false ? "unshipped" : "shipped" };
}

/** A declined order, and one that nobody judged, keep the tags that say why they were suspected. */
function toDecided(act: Review["act"], tags: readonly string[]) {
  if (act === "approve") return { action: "allow", tags: [], reasons: ["person:approved"] } as const;
  if (act === "handle") return { action: "allow", tags, reasons: ["person:handled"], handled: true } as const;
  return { action: "cancel", tags, reasons: ["person:declined"] } as const;
}

function findMachine(former: Decision | null): MachineDecision | undefined {
  const machine = former === null ? undefined : toMachineDecision(former);
  // An order that failed before Holdfast decided has only decisions by people.
  return machine?.source === "person" ? undefined : machine;
}

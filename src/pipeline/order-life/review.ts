import { toMachineDecision, type Decision, type MachineDecision } from "../../order/decision.ts";
import type { OrderRecord, PendingReview, Review, StepRecord } from "../../store/store.ts";
import type { OrderSituation } from "../../store/orders/locked-order.ts";
import { MAX_UNDO_MS, type ReviewJudgement } from "../../store/orders/reviews.ts";
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
  approve: "the order was already approved",
  decline: "the order was already declined",
  recheck: "a recheck was already asked for",
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
  if (obstacle !== null) return { outcome: "impossible", detail: obstacle };
  if (isContested(order, review, context)) return judgeContested(order);
  const { seenDecidedAtMs } = context;
  // To approve an order, a person must have seen that a bank asks about it, even before the inquiry has put it on hold.
  const isDisputed = order.decision?.disputed === true || isDisputedSince(situation);
  const mustBeSeen = review.act === "approve" && isDisputed;
  if ((seenDecidedAtMs !== undefined || mustBeSeen) && seenDecidedAtMs !== order.decidedAtMs)
    return { outcome: "changed" };
  return review.act === "recheck"
    ? { outcome: "asked" }
    : { outcome: "decided", transition: toTransition(situation, review, context) };
}

/** Another person decided first, and their decision hasn't taken effect yet. */
function judgeBehind({ act, actor, atMs, effectiveAtMs }: PendingReview, review: Review): ReviewJudgement {
  if (act === review.act) return { outcome: "already" };
  const rest =
    effectiveAtMs === undefined
      ? "and that is being carried out: try again in a moment"
      : "and that can still be undone: undo it first";
  return { outcome: "impossible", detail: `${DONE[act]}, ${rest}`, first: { act, actor, atMs } };
}

/** Whether the order is already in the state that the person wants, or on its way there. */
function isAlreadySo({ order, steps }: OrderSituation, { act }: Review): boolean {
  const { decision, state } = order;
  if (act === "recheck" || decision === null || state === "failed") return false;
  const isByPerson = decision.source === "person";
  if (act === "approve") return isByPerson && decision.action === "allow";
  if (decision.action !== "cancel") return false;
  return (isByPerson && state !== "review") || isDone(steps, "cancel") || isCancelling(order, steps);
}

/** Why the decision isn't possible, in a sentence for the person; null if it is possible. */
function findObstacle(situation: OrderSituation, review: Review): string | null {
  const { order, steps } = situation;
  const { decision, state } = order;
  // An undecided order at rest was left when its shop uninstalled the app for a day or longer. Only a person can continue with it.
  const isUnderWay = state !== "failed" && state !== "settled";
  if (decision === null && isUnderWay) return "the order isn't decided yet: try again in a moment";
  // Or deleted there.
  const isEnded = situation.timeline.some((entry) => hasEndedAs("cancelled", entry));
  if (isEnded || order.skipReason === "CANCELLED") return "the order was canceled on the platform";
  if (isDone(steps, "cancel")) return "the order is already canceled";
  if (isCancelling(order, steps)) return "the order is being canceled on the platform";
  return review.act === "recheck" ? findLost(order) : null;
}

function findLost({ mapped, problem }: OrderRecord): string | null {
  if (mapped !== null) return null;
  return problem === "DATA_UNREADABLE"
    ? "the order's content can't be read"
    : "the order's content was erased";
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
  const act = decision?.action === "cancel" ? "decline" : "approve";
  const first = { act, actor: decision?.actor ?? "somebody", atMs: decidedAtMs ?? 0 } as const;
  const detail = `${DONE[act]}: look at it again before you decide otherwise`;
  return { outcome: "impossible", detail, first };
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

function toTransition({ order, steps }: OrderSituation, review: Review, context: ReviewContext) {
  const { revision, revisedAtMs } = order;
  const decision = toDecision(order, review, context);
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
    ...(act === "approve"
      ? { action: "allow", tags: [], reasons: ["person:approved"] }
      : // A declined order keeps the tags that say why it was suspected.
        { action: "cancel", tags: machine?.tags ?? [], reasons: ["person:declined"] }),
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

function findMachine(former: Decision | null): MachineDecision | undefined {
  const machine = former === null ? undefined : toMachineDecision(former);
  // An order that failed before Holdfast decided has only decisions by people.
  return machine?.source === "person" ? undefined : machine;
}

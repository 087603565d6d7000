import type { OrderRecord } from "../../../store/store.ts";
import { findConfirmed, findRetry, findUnsent, needsPerson, toAsk } from "../buyer-check.ts";
import { toEffect } from "../../../store/buyer-checks/buyer-check.ts";
import { needsRecheck } from "../changed-order.ts";
import { isHoldEnd, judgeLook, type LookFinding } from "../hold-look.ts";
import { isPaymentDisputed } from "../inquiry.ts";
import type { Move, Turn } from "../moves.ts";
import { needsCatchUp, toAfterTrialMs, toCatchUpMs, toNextLookMs } from "../next-look.ts";
import type { Situation } from "../situation.ts";
import { isInShadow } from "../step-pass.ts";

/** Looks at an order whose decision is applied: at its hold, and whether the service answers late. */
export const AT_REST: readonly Turn[] = [
  {
    move: "look-at-hold",
    when: "The order is held, and the policy isn't in shadow mode",
    does: "Looks at it on the platform",
    find: (situation) =>
      isHeld(situation) && !isUntouchable(situation) && situation.found.observed === undefined
        ? { kind: "look-at-hold" }
        : null,
  },
  {
    move: "end-hold",
    when: "A person released the hold, or the order ended on the platform",
    does: "Leaves the order as it is, at rest. An order that the platform lost needs a person",
    find: (situation) => {
      const finding = toFinding(situation);
      return finding !== null && isHoldEnd(finding) ? { kind: "end-hold", finding } : null;
    },
  },
  {
    move: "learn-who-released",
    when: "The hold was released, and the platform doesn't say who did it",
    does: "Looks once more a minute later",
    find: (situation) => (toFinding(situation)?.kind === "unclear" ? { kind: "learn-who-released" } : null),
  },
  {
    move: "stay-hidden",
    when: "The platform no longer shows the held order",
    does: "Warns once, and keeps looking. A person has to decide",
    find: (situation) => (toFinding(situation)?.kind === "hidden" ? { kind: "stay-hidden" } : null),
  },
  {
    move: "ask-late",
    when: "The order is at rest and was decided without the service within the last 24 hours",
    does: "Asks the service again. Its answer replaces the decision",
    find: ({ order, found, nowMs }) =>
      isAtRest(order) && order.mapped !== null && found.unanswered === undefined && needsCatchUp(order, nowMs)
        ? { kind: "ask-late", mapped: order.mapped }
        : null,
  },
  {
    move: "wait",
    when: "Another order's trial call decides whether the service can be asked again",
    does: "Asks right after that call",
    find: ({ order, found: { unanswered }, nowMs }) => {
      if (unanswered === undefined || !isAtRest(order)) return null;
      const untilMs = toAfterTrialMs(order, unanswered.askAgainAtMs, nowMs);
      return untilMs === undefined ? null : { kind: "wait", untilMs };
    },
  },
  {
    move: "wait",
    when: "The order is held, and the policy is in shadow mode",
    does: "Touches nothing. Looks again later, when that may be over",
    find: (situation) =>
      isHeld(situation) && isUntouchable(situation) ? toLaterLook(situation.order, situation.nowMs) : null,
  },
  {
    move: "follow-app-release",
    when: "A workflow or another app released the hold",
    does: "Warns. Places it again, once, if the policy says so. Otherwise a person still has to decide",
    find: (situation) => {
      const finding = toFinding(situation);
      return finding?.kind === "released" ? { kind: "follow-app-release", release: finding.release } : null;
    },
  },
  {
    move: "take-buyer-answer",
    when: "The buyer confirmed the held order as it is now, and no bank disputes the payment",
    does: "Releases the hold by a decision of its own, or marks the order as one level milder, as the policy says",
    find: (situation) => {
      const check = isStillHeld(situation) ? findConfirmed(situation) : undefined;
      if (check?.answer == null) return null;
      return {
        kind: "take-buyer-answer",
        method: check.answer.method,
        effect: toEffect(check, check.answer.method),
      };
    },
  },
  {
    move: "check-for-news",
    when: "The hold's deadline has passed",
    does: "Looks whether a person decided at the last moment or the order was changed, which comes first",
    find: (situation) =>
      toFinding(situation)?.kind === "overdue" && situation.found.noNews === undefined
        ? { kind: "check-for-news" }
        : null,
  },
  {
    move: "cancel-at-deadline",
    when: "The deadline has passed, and the policy cancels then, on an answer of the service that supports it",
    does: "Makes that the order's decision",
    find: (situation) => {
      const { observed } = situation.found;
      const canBeSeen = typeof observed === "object" && observed?.hidden !== true;
      return canBeSeen && toDeadlineOutcome(situation) === "cancel" ? { kind: "cancel-at-deadline" } : null;
    },
  },
  {
    move: "release-at-deadline",
    when: "The deadline has passed, the policy releases then, and no bank disputes the payment",
    does: "Releases the hold",
    find: (situation) =>
      toDeadlineOutcome(situation) === "release" && !isPaymentDisputed(situation.disputes)
        ? { kind: "release-at-deadline" }
        : null,
  },
  {
    move: "ask-buyer",
    when: "The policy asks the buyer of the held order, who wasn't asked about it as it is now",
    does: "Stores the question, with the ways in which the buyer can answer. At most three times for one order",
    find: (situation) => {
      const effect = toFinding(situation)?.kind === "held" ? toAsk(situation) : undefined;
      return effect === undefined ? null : { kind: "ask-buyer", effect };
    },
  },
  {
    move: "retry-buyer-methods",
    when: "A way to answer the question wasn't possible for the moment",
    does: "Tries it again, less and less often, at most four times and until the deadline of the hold",
    find: (situation) => {
      const isHeldNow = toFinding(situation)?.kind === "held";
      const check = isHeldNow ? findRetry(situation, situation.nowMs) : undefined;
      return check === undefined ? null : { kind: "retry-buyer-methods", check };
    },
  },
  {
    move: "send-buyer-link",
    when: "The question's link isn't sent yet",
    does: "Sends it, or tries again later",
    find: (situation) => {
      const check = isStillHeld(situation) ? findUnsent(situation, situation.nowMs) : undefined;
      return check === undefined ? null : { kind: "send-buyer-link", check };
    },
  },
  {
    move: "keep-hold",
    when: "The order is held",
    does: "Holds what isn't covered, repairs tags, warns before and after the deadline, and looks again later",
    find: findKeptHold,
  },
  {
    move: "wait",
    when: "The order is at rest, and the service gave no late answer",
    does: "Asks again later, less and less often",
    find: ({ order, found: { unanswered }, nowMs }) => {
      if (unanswered === undefined || !isAtRest(order)) return null;
      const tries = order.attempts + 1;
      return { kind: "wait", untilMs: toCatchUpMs(order, tries, nowMs), tries };
    },
  },
  {
    move: "wait",
    when: "The order is at rest, and nothing is left to do",
    does: "Leaves it at rest",
    find: ({ order }) => (isAtRest(order) ? { kind: "wait", untilMs: null } : null),
  },
];

/** Whether all steps of an order's decision have ended. It was claimed for another look. */
function isAtRest(order: OrderRecord): boolean {
  const { decision, state } = order;
  return decision !== null && (state === "review" || state === "settled") && !needsRecheck(order);
}

function isHeld({ order }: Situation): boolean {
  return isAtRest(order) && order.state === "review";
}

function isUntouchable({ order: { decision }, policy }: Situation): boolean {
  return decision !== null && isInShadow(policy, decision);
}

/** What the look at a held order found; null if it isn't held, or wasn't looked at yet. */
function toFinding(situation: Situation): LookFinding | null {
  const { observed, isReleased } = situation.found;
  if (!isHeld(situation) || observed === undefined) return null;
  return isReleased === true ? { kind: "released-by-us" } : judgeLook(situation, observed);
}

/** Whether a look found our hold in its place. */
function isStillHeld(situation: Situation): boolean {
  const kind = toFinding(situation)?.kind;
  return kind === "held" || kind === "overdue";
}

function toLaterLook({ attempts }: OrderRecord, nowMs: number): Move {
  const tries = attempts + 1;
  return { kind: "wait", untilMs: toNextLookMs(null, tries, nowMs), tries };
}

function toDeadlineOutcome(situation: Situation): "keep" | "release" | "cancel" | null {
  const finding = toFinding(situation);
  return finding?.kind === "overdue" ? finding.outcome : null;
}

function findKeptHold(situation: Situation): Move | null {
  const { observed } = situation.found;
  const finding = toFinding(situation);
  if (typeof observed !== "object" || observed === null || finding === null) return null;
  if (finding.kind === "held") return { kind: "keep-hold", observed, stay: finding };
  if (finding.kind !== "overdue") return null;
  const { holdable, outcome } = finding;
  // Goods that lose their hold after its deadline must not ship either.
  const overdue = needsPerson(situation) ? "buyer" : KEPT_OVERDUE[outcome];
  return { kind: "keep-hold", observed, stay: { holdable, overdue } };
}

/** Why a hold stays although this is the outcome of its deadline. */
const KEPT_OVERDUE = { keep: "policy", cancel: "hidden", release: "disputed" } as const;

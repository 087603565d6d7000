import { isStop } from "../../../order/decision.ts";
import { isLive } from "../../../order/order-effects.ts";
import type { OrderRecord } from "../../../store/store.ts";
import { isBeingApplied, needsRecheck } from "../changed-order.ts";
import type { Move, Rest, Turn } from "../moves.ts";
import { needsCatchUp, toCatchUpMs } from "../next-look.ts";
import { isUndoable } from "../review.ts";
import type { Found, Situation } from "../situation.ts";
import { findStep, isHeldForRecheck, toCancelProgress } from "../step-plan.ts";

/** What comes before everything else. */
export const FIRST: readonly Turn[] = [
  {
    move: "wait",
    when: "A person reviewed the order and can still undo that",
    does: "Does nothing until then",
    find: ({ order: { review }, nowMs }) =>
      review !== null && isUndoable(review, nowMs)
        ? { kind: "wait", untilMs: review.effectiveAtMs ?? nowMs }
        : null,
  },
  {
    move: "apply-review",
    when: "A person approved or declined the order",
    does: "Makes that its decision, or refuses it if the order has ended or a bank asked about the payment since",
    find: ({ order: { review } }) =>
      review === null || review.act === "recheck" ? null : { kind: "apply-review", review },
  },
  {
    move: "check-for-person",
    when: "A person wants the order checked again",
    does: "Asks the service once, for a new answer. Without one, the former decision stands",
    find: ({ order: { review } }) => (review === null ? null : { kind: "check-for-person", review }),
  },
  {
    move: "fail",
    when: "The order's platform isn't configured",
    does: "Stops before anything is paid. The order needs a person",
    find: ({ hasPlatform }) => (hasPlatform ? null : { kind: "fail", problem: "CONFIG_INVALID" }),
  },
];

/** What leads to a decision on the order's newest content. */
export const DECIDING: readonly Turn[] = [
  {
    move: "hold-to-check",
    when: "The order is about to be checked, and the policy holds orders during their check",
    does: "Places the hold. A first check waits up to a minute for a hold that isn't possible yet",
    find: findHoldToCheck,
  },
  {
    move: "take-up-change",
    when: "The order was changed before its first decision",
    does: "Continues with the new content",
    find: ({ order }) =>
      order.decision === null && needsRecheck(order) ? { kind: "take-up-change", order } : null,
  },
  {
    move: "read-detail",
    when: "The order isn't decided, and its customer history and card facts weren't read",
    does: "Reads them from the platform, and its products from the catalog",
    find: ({ order: { decision, mapped, enriched } }) =>
      decision === null && mapped !== null && !enriched ? { kind: "read-detail", mapped } : null,
  },
  {
    move: "read-changed-detail",
    when: "The same, for the new content of a decided order",
    does: "The same",
    find: ({ order }) =>
      needsRecheck(order) && !order.revision.enriched ? { kind: "read-changed-detail", order } : null,
  },
  {
    move: "refresh-context",
    when: "The platform reported news around the order, or its payment wasn't there yet",
    does: "Reads the context again, and applies the policy's rules to the stored answer, at no cost",
    find: ({ order: { rereadAtMs: seenMs }, found, nowMs }) =>
      seenMs !== null && seenMs <= nowMs && !isPastNews(found) ? { kind: "refresh-context", seenMs } : null,
  },
  {
    move: "keep-news",
    when: "The news didn't change the decision",
    does: "Saves them. An order at rest stays there, and the service isn't asked about it sooner than planned",
    find: ({ order, found: { news }, nowMs }) =>
      news === undefined ? null : { kind: "keep-news", news, rest: toRestAfterNews(order, nowMs) },
  },
  {
    move: "drop-change",
    when: "The order was changed, but it's canceled",
    does: "Drops the change: nothing is left to decide",
    find: ({ order, steps }) =>
      needsRecheck(order) && toCancelProgress(order, steps) === "done"
        ? { kind: "drop-change", order }
        : null,
  },
  {
    move: "decide-changed",
    when: "The order was changed, and the platform isn't canceling it",
    does: "Asks the service about the new content and replaces the decision",
    find: ({ order, steps, found }) =>
      needsRecheck(order) && found.postponed === undefined && toCancelProgress(order, steps) === null
        ? { kind: "decide-changed", order }
        : null,
  },
  {
    move: "postpone-change",
    when: "The service can't be asked about the change now",
    does: "Asks again later. The former decision stands, and is still applied meanwhile",
    find: ({ order, found: { postponed } }) =>
      postponed === undefined || postponed.isSaved === true || !needsRecheck(order)
        ? null
        : { kind: "postpone-change", order, postponed, isAtRest: !isBeingApplied(order) },
  },
  {
    move: "fail",
    when: "The order isn't decided, and its content was erased or can't be read",
    does: "Stops. The order needs a person",
    find: ({ order: { decision, mapped, problem } }) => {
      if (decision !== null || mapped !== null) return null;
      return { kind: "fail", problem: problem === UNREADABLE ? problem : "ERASED_BEFORE_DECISION" };
    },
  },
  {
    move: "decide",
    when: "The order isn't decided",
    does: "Asks the service once, and decides on its answer. If the service fails, waits up to 4 minutes for it",
    find: ({ order: { decision, mapped } }) =>
      decision === null && mapped !== null ? { kind: "decide", mapped } : null,
  },
];

const UNREADABLE = "DATA_UNREADABLE";

function findHoldToCheck({ order, steps, policy, found }: Situation): Move | null {
  if (found.triedToHold === true || !isLive(order)) return null;
  if (policy.whileChecking !== "hold" || policy.mode === "shadow" || !isToBeChecked(order)) return null;
  const isOfCheck = order.decision === null || isHeldForRecheck(steps);
  const placed = isOfCheck ? findStep(steps, "hold") : undefined;
  return placed === undefined || placed.state === "waiting" ? { kind: "hold-to-check", placed } : null;
}

/** Whether news that are due now wait for the next claim. What was just decided, or seen of a hold, comes first. */
function isPastNews({ news, isDecided, postponed, observed, unanswered }: Found): boolean {
  return [news, isDecided, postponed, observed, unanswered].some((found) => found !== undefined);
}

/** Not if no decision is due, or the order is already held, was released by a person, or is being canceled. */
function isToBeChecked(order: OrderRecord): boolean {
  const { decision, mapped } = order;
  return decision === null ? mapped !== null : needsRecheck(order) && !isStop(decision.action);
}

/** When an order at rest is due again; null if there is more to do. Held orders are looked at anyway. */
function toRestAfterNews(order: OrderRecord, nowMs: number): Rest | null {
  const { state, review, revision, attempts } = order;
  if (review !== null || revision?.rescreen === true) return null;
  if (state === "failed") return { untilMs: null };
  if (state !== "settled" && state !== "review") return null;
  if (needsCatchUp(order, nowMs)) return { untilMs: toCatchUpMs(order, attempts, nowMs) };
  return state === "settled" ? { untilMs: null } : null;
}

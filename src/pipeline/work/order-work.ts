import { askBuyer } from "../buyer/ask-buyer.ts";
import { retryMethods } from "../buyer/retry-methods.ts";
import { sendBuyerLink } from "../buyer/send-buyer-link.ts";
import { takeBuyerAnswer } from "../buyer/take-buyer-answer.ts";
import { decideChanged, dropChange, postponeChange, takeUpChange } from "../decide/after-change.ts";
import { holdToCheck } from "../decide/checking-hold.ts";
import { decideFirst } from "../decide/make-decision.ts";
import { askWhoReleased, holdInstead, judgeCancelAgain } from "../decide/hold-instead.ts";
import { holdForInquiry } from "../decide/inquiry.ts";
import { askLate } from "../decide/late-answer.ts";
import { keepNews, refreshContext } from "../decide/new-context.ts";
import { readChangedDetail, readDetail } from "../decide/read-detail.ts";
import { applyReview, checkForPerson } from "../decide/review.ts";
import { lookAtWaitingHold } from "../enforce/loose-hold.ts";
import { applyStep } from "../enforce/apply-step.ts";
import { comeToRest, waitForSteps } from "../enforce/after-steps.ts";
import type { Move } from "../order-life/moves.ts";
import { nextMove } from "../order-life/next-move.ts";
import type { OrderRecord } from "../../store/store.ts";
import type { Handler, OrderTask } from "../tasks.ts";
import { followAppRelease, learnWhoReleased } from "../watch/app-release.ts";
import { cancelAtDeadline, checkForNews, releaseAtDeadline } from "../watch/deadline.ts";
import { keepHold } from "../watch/keep-hold.ts";
import { lookAtHold, stayHidden } from "../watch/look-at-hold.ts";
import { endHold } from "../watch/end-hold.ts";
import { endWorkAfterError, failOrder, readSituation } from "./save-order.ts";

const wait: Handler<"wait"> = (task, situation, { untilMs: dueAtMs, tries }) =>
  task.end(situation, { changes: { dueAtMs, ...(tries === undefined ? {} : { attempts: tries }) } });

/** What carries out each move. None of them calls another, or decides what comes next. */
const HANDLERS: { readonly [Kind in Move["kind"]]: Handler<Kind> } = {
  wait,
  fail: (task, { order }, { problem }) => failOrder(task, order, problem),
  "apply-review": applyReview,
  "check-for-person": checkForPerson,
  "hold-to-check": holdToCheck,
  "take-up-change": takeUpChange,
  "read-detail": readDetail,
  "read-changed-detail": readChangedDetail,
  "refresh-context": refreshContext,
  "keep-news": keepNews,
  "drop-change": dropChange,
  "decide-changed": decideChanged,
  "postpone-change": postponeChange,
  decide: decideFirst,
  "look-at-hold": lookAtHold,
  "end-hold": endHold,
  "learn-who-released": learnWhoReleased,
  "stay-hidden": stayHidden,
  "ask-late": askLate,
  "follow-app-release": followAppRelease,
  "take-buyer-answer": takeBuyerAnswer,
  "ask-buyer": askBuyer,
  "retry-buyer-methods": retryMethods,
  "send-buyer-link": sendBuyerLink,
  "check-for-news": checkForNews,
  "cancel-at-deadline": cancelAtDeadline,
  "release-at-deadline": releaseAtDeadline,
  "keep-hold": keepHold,
  "hold-for-inquiry": holdForInquiry,
  "ask-who-released": askWhoReleased,
  "hold-instead": holdInstead,
  "judge-cancel-again": judgeCancelAgain,
  "look-at-waiting-hold": lookAtWaitingHold,
  "apply-step": applyStep,
  "wait-for-steps": waitForSteps,
  "come-to-rest": comeToRest,
};

/** More than any order needs in one claim. */
const MOST_MOVES = 100;

/**
 * Make a claimed order's moves until it is given back. The result of each is saved before the next, so a process that dies repeats at
 * most one.
 */
export async function workOnOrder(task: OrderTask, order: OrderRecord, hasPlatform: boolean): Promise<void> {
  let latest = order;
  try {
    let situation = await readSituation(task, order, hasPlatform);
    for (let moves = 0; moves < MOST_MOVES; moves += 1) {
      task.assertHeld();
      situation = { ...situation, nowMs: task.now() };
      const move = nextMove(situation);
      const next = await HANDLERS[move.kind](task, situation, move as never);
      if (next === null) return;
      situation = next;
      latest = next.order;
    }
    throw new TypeError("an order's moves don't end");
  } catch (error) {
    await endWorkAfterError(task, latest, error);
  }
}

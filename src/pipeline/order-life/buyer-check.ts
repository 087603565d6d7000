import { isLive } from "../../order/order-effects.ts";
import { MOST_ASKED, type RightAnswer } from "../../order/buyer-check.ts";
import {
  isAboutNow,
  isAskable,
  isDenied,
  isLinkOpen,
  isOffered,
  isUnsettled,
  type BuyerCheck,
} from "../../store/buyer-checks/buyer-check.ts";
import type { Situation } from "./situation.ts";
import { isPaymentDisputed } from "./inquiry.ts";

type Asked = Pick<Situation, "order" | "buyerChecks" | "disputes">;

/** The check about the order as it is now; undefined if the buyer wasn't asked about it. */
export function findCheck({ order, buyerChecks }: Asked): BuyerCheck | undefined {
  return buyerChecks.find((check) => isAboutNow(check, order));
}

/** What a right answer would do, if the buyer is to be asked now; undefined if not. */
export function toAsk(situation: Asked): RightAnswer | undefined {
  const { order, buyerChecks } = situation;
  const effect = order.decision?.verify;
  if (effect === undefined || !mayAsk(situation)) return undefined;
  if (
    buyerChecks.filter(({ methods }) => isOffered(methods)).length >= MOST_ASKED ||
    findCheck(situation) !== undefined
  )
    return undefined;
  // Who said that it isn't their order doesn't have to say it twice.
  return buyerChecks.some(isDenied) ? undefined : effect;
}

/** Never about an order of the sandbox or for the record: its buyer doesn't exist, or knows nothing of it. */
function mayAsk({ order, disputes }: Asked): boolean {
  return (
    isLive(order) && order.decision?.verify !== undefined && isAskable(order) && !isPaymentDisputed(disputes)
  );
}

/** The check whose link is to be sent now. */
export function findUnsent(situation: Asked, nowMs: number): BuyerCheck | undefined {
  const atMs = toNextSendMs(situation, nowMs);
  return atMs === null || atMs > nowMs ? undefined : findCheck(situation);
}

/** The check some of whose methods are to be tried again now. */
export function findRetry(situation: Asked, nowMs: number): BuyerCheck | undefined {
  const atMs = toNextRetryMs(situation, nowMs);
  return atMs === null || atMs > nowMs ? undefined : findCheck(situation);
}

/** When methods are to be tried again that weren't possible for now; null if none are. */
export function toNextRetryMs(situation: Asked, nowMs: number): number | null {
  const check = findCheck(situation);
  return check !== undefined && mayAsk(situation) && isUnsettled(check, nowMs) ? check.retryAtMs : null;
}

/** The check with a right answer that has no effect yet. Not while a bank disputes the payment. */
export function findConfirmed(situation: Asked): BuyerCheck | undefined {
  const check = findCheck(situation);
  if (check?.answer?.answer !== "right" || !isAskable(situation.order)) return undefined;
  return isPaymentDisputed(situation.disputes) ? undefined : check;
}

/** When a link is to be sent next; null if none is. Only one that works, while the buyer may be asked. */
export function toNextSendMs(situation: Asked, nowMs: number): number | null {
  const check = findCheck(situation);
  if (check === undefined || !mayAsk(situation)) return null;
  return isLinkOpen(check, situation.order, nowMs) ? check.sendAtMs : null;
}

/**
 * Whether a buyer said that the order isn't theirs, used up all tries, or sent what a person has to look at. Then its hold's deadline
 * decides nothing.
 */
export function needsPerson({ buyerChecks }: Pick<Asked, "buyerChecks">): boolean {
  return buyerChecks.some((check) => isDenied(check) || check.answer?.answer === "for-person");
}

import { pause } from "../base/waiting.ts";
import { toCircuitName } from "../service/circuit-rules.ts";
import type { AttemptEnd, AttemptGrant } from "../store/store.ts";
import { isCountedByCheck, toBurst } from "./burst.ts";
import { toAnswersSinceMs, toFailuresSinceMs } from "./kept-answers.ts";
import { toDailyCap, toPeriods, type CallParts, type ScreeningTask } from "./screening-task.ts";

/** A call without an answer is repeated after this, so that one bad second doesn't fail both calls. */
const RETRY_AFTER_MS = 3_000;
/** The reserved call waits at least this long, so that a bad minute is over. */
const RESERVE_AFTER_MS = 60_000;
/** Time to write a call's end, in addition to its time limit, in milliseconds. */
export const END_MARGIN_MS = 5_000;
/** Pauses between tries to write a call's end; they double each time, about four minutes in total. */
const FIRST_END_RETRY_MS = 250;
const LONGEST_END_RETRY_MS = 128_000;

/** Record in the ledger that a call is about to be made, if it may be made. */
export function beginAttempt(
  options: CallParts,
  task: ScreeningTask,
  seenHealthyAtMs: number,
): Promise<AttemptGrant> {
  const nowMs = options.now();
  const { store, keepDays } = options;
  const { input, fingerprint } = task;
  const { tenant, request, access, budget } = input;
  const burst = toBurst(input, store.keyring, nowMs);
  const leaseMs = options.timeoutMs + END_MARGIN_MS;
  return store.beginAttempt({
    tenant,
    fingerprint,
    answersSinceMs: toAnswersSinceMs(input, nowMs, keepDays),
    failuresSinceMs: toFailuresSinceMs(input, nowMs, keepDays),
    orderId: request.orderId,
    owner: options.owner,
    nowMs,
    leaseMs,
    maxPaidAttempts: options.maxPaidAttempts,
    retryAfterMs: options.retryAfterMs ?? RETRY_AFTER_MS,
    reserveAfterMs: RESERVE_AFTER_MS,
    seenHealthyAtMs,
    budget: { daily: toDailyCap(budget, access), monthly: budget.monthly, ...toPeriods(nowMs) },
    amount: request.orderAmount,
    currency: request.currency,
    // Already counted, once for the check and not for each attempt.
    burst: isCountedByCheck(input) ? { ...burst, limit: null } : burst,
    circuit: toCircuitName(access.keyId),
    trialUntilMs: nowMs + leaseMs,
  });
}

/** Record how a call ended, and when. If that fails, the answer is still used, and the attempt counts as unknown, which is safe. */
export async function endAttempt(
  options: CallParts,
  attemptId: string,
  how: AttemptEnd,
  endedAtMs: number,
): Promise<void> {
  const { store, logger } = options;
  try {
    await store.finishAttempt(attemptId, how, endedAtMs);
  } catch (error) {
    logger.error(
      { err: error, alert: "ledger_unwritten" },
      "the result of a verification call couldn't be saved; it may have been billed",
    );
    void endLater(options, attemptId, how, endedAtMs);
  }
}

/** Keep trying to record the end, so that after an outage of the store nobody waits for an ended call or pays for it again. */
async function endLater(
  { store, closing }: CallParts,
  attemptId: string,
  how: AttemptEnd,
  endedAtMs: number,
): Promise<void> {
  for (let waitMs = FIRST_END_RETRY_MS; waitMs <= LONGEST_END_RETRY_MS; waitMs *= 2) {
    try {
      await pause(waitMs, closing);
      await store.finishAttempt(attemptId, how, endedAtMs);
      return;
    } catch {
      // The failure is already logged. After the last try, the call counts as unknown, which is safe.
      if (closing.aborted) return;
    }
  }
}

import type { Logger } from "../base/logger.ts";
import { pause } from "../base/waiting.ts";
import { toCircuitName } from "../service/circuit.ts";
import type { Keyring } from "../store/sealing/keyring.ts";
import type { AttemptEnd, AttemptGrant, ScreeningStore } from "../store/store.ts";
import { isCountedByCheck, toBurst } from "./burst.ts";
import { toAnswersSinceMs, toFailuresSinceMs } from "./kept-answers.ts";
import { toDailyCap, toPeriods, type ScreeningTask } from "./screening-task.ts";

/** What the ledger is told of an attempt, and where it is kept. */
export interface AttemptOptions {
  readonly store: ScreeningStore & { readonly keyring: Keyring };
  readonly logger: Logger;
  readonly now: () => number;
  /** Unique per process; names the holder of open attempts. */
  readonly owner: string;
  /** Paid or unknown calls allowed per order state. Of three or more, the last is kept until the service was seen to work. */
  readonly maxPaidAttempts: number;
  /** Milliseconds between a call that brought no answer and the next; twice as long each time. Default 3000. */
  readonly retryAfterMs?: number | undefined;
  /** Days for which an order with an id keeps its answer. Default: as `createKeptAnswers`. */
  readonly keepDays?: number | undefined;
  /** One attempt's time limit in milliseconds: an attempt that is open for longer was lost. */
  readonly timeoutMs: number;
  /** Aborted with the error to end with once no attempt may begin any more. */
  readonly closing: AbortSignal;
}

/** A call that brought no answer is repeated after this, so that one bad second does not fail both. */
const RETRY_AFTER_MS = 3_000;
/** A bad minute is over before the call that is kept for afterwards may be made. */
const RESERVE_AFTER_MS = 60_000;
/** On top of a call's time limit, for writing its end, in milliseconds. */
export const END_MARGIN_MS = 5_000;
/** Between tries to write the end of a call, twice as long each time: about four minutes altogether. */
const FIRST_END_RETRY_MS = 250;
const LONGEST_END_RETRY_MS = 128_000;

/** Write down that a call is about to be made, if it may be. */
export function beginAttempt(
  options: AttemptOptions,
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
    // Counted already, once for the check however many attempts it takes.
    burst: isCountedByCheck(input) ? { ...burst, limit: null } : burst,
    circuit: toCircuitName(access.keyId),
    trialUntilMs: nowMs + leaseMs,
  });
}

/** Write down how it ended, and when. The answer in hand is worth more than its record: unrecorded, the attempt counts as unknown, which is safe. */
export async function endAttempt(
  options: AttemptOptions,
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

/** Once an outage of the store is over nobody should wait for a call that has ended, nor pay for its answer again. */
async function endLater(
  { store, closing }: AttemptOptions,
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
      // It was told already. Given up, the call counts as unknown, which is safe.
      if (closing.aborted) return;
    }
  }
}

import { raiseAlert } from "../base/alerts.ts";
import { HoldfastError, toUnsentError, type ErrorCode } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { pauseUnref } from "../base/waiting.ts";
import type { Caller } from "../service/circuit-breaker.ts";
import {
  SHARED_CODES,
  toCircuitName,
  VERIFICATION_ALERTS,
  type CallPermission,
} from "../service/circuit-rules.ts";
import type { AttemptEnd, AttemptGrant, KeptAnswer } from "../store/store.ts";
import { alertOfBurst, isCountedByCheck, toBraked, toBurst } from "./burst.ts";
import { toAnswersSinceMs, toFailuresSinceMs } from "./kept-answers.ts";
import {
  toDailyCap,
  toPeriods,
  toVerificationError,
  type CallParts,
  type Progress,
  type ScreeningInput,
  type ScreeningTask,
} from "./screening-task.ts";

export type PaidCallOutcome =
  | {
      readonly kind: "answered";
      readonly answer: KeptAnswer;
      /** How many more calls the key's rate limit allows. */
      readonly remaining: number;
    }
  /** Another caller got the answer meanwhile. */
  | { readonly kind: "kept"; readonly answer: KeptAnswer }
  /** Another caller is asking. */
  | { readonly kind: "busy" }
  /** The last call was too recent: try again at the error's `retryAtMs`. */
  | { readonly kind: "too-early"; readonly error: HoldfastError }
  /** The last call is reserved until the service has worked after `failedAtMs`. */
  | { readonly kind: "reserved"; readonly failedAtMs: number; readonly error: HoldfastError }
  /** No call was made, or it failed. */
  | { readonly kind: "refused" | "failed"; readonly error: HoldfastError };

/** A call without an answer is repeated after this, so that one bad second doesn't fail both calls. */
const RETRY_AFTER_MS = 3_000;
/** The reserved call waits at least this long, so that a bad minute is over. */
const RESERVE_AFTER_MS = 60_000;
/** Time to write a call's end, in addition to its time limit, in milliseconds. */
export const END_MARGIN_MS = 5_000;
/** Pause between tries to write a call's end. Short, so that it's written before another process repeats the call. */
const END_RETRY_MS = 500;
/** Their pauses take an hour. */
const MOST_END_TRIES = 7_200;

const CREDIT_OUTCOMES = { yes: "failed", no: "free", unknown: "unknown" } as const;
const NOT_CALLED = toUnsentError("VERIFICATION_ABORTED", "no call was made");

/**
 * Make one attempt: write the ledger entry, call the service, write the end.
 *
 * @param seenHealthyAtMs - When the service was last seen to work with the key, milliseconds since the epoch; 0: never.
 * @param leave - Frees the call's place for the next one.
 * @throws {HoldfastError} the reason of `closing` when no attempt may begin, and what the store throws.
 */
export async function makePaidCall(
  options: CallParts,
  task: ScreeningTask,
  progress: Progress,
  seenHealthyAtMs: number,
  leave: () => void,
): Promise<PaidCallOutcome> {
  const { breaker, closing } = options;
  closing.throwIfAborted();
  const caller = toCaller(task);
  const permission = await checkGate(options, caller);
  if (!permission.allowed) return { kind: "refused", error: toClosed(permission.code, permission.retryAtMs) };
  const grant = await beginAttempt(options, task, seenHealthyAtMs).catch((error: unknown) => {
    breaker.report(caller, NOT_CALLED);
    throw error;
  });
  if (grant.outcome !== "granted") {
    // There will be no call, so another order state can have the trial that the breaker allowed.
    breaker.report(caller, NOT_CALLED);
    if (grant.outcome === "blocked") breaker.learn(caller.keyId, grant);
    if (grant.outcome === "braked" && grant.isNew) alertOfBurst(options.logger, task.input, grant);
    return toUncalled(grant);
  }
  if (closing.aborted) {
    breaker.report(caller, NOT_CALLED);
    await endUncalled(options, grant.attemptId, "SHUTTING_DOWN");
    throw closing.reason;
  }
  if (performance.now() - grant.sinceUptimeMs > END_MARGIN_MS) {
    // This process was paused or cut off. The call could outlast its ledger entry, and another caller may already be asking.
    breaker.report(caller, NOT_CALLED);
    await endUncalled(options, grant.attemptId, NOT_CALLED.code);
    return { kind: "busy" };
  }
  progress.credits += 1;
  return call(options, task, grant, progress, leave);
}

function endUncalled(options: CallParts, attemptId: string, error: ErrorCode): Promise<void> {
  return endAttempt(options, attemptId, { state: "failed", metered: "no", error }, options.now());
}

/** Whether a call may be made, as far as this process knows and, if it holds calls back, the other processes. */
async function checkGate({ breaker, sharing }: CallParts, caller: Caller): Promise<CallPermission> {
  const answer = breaker.check(caller);
  if (answer.allowed || sharing === undefined) return answer;
  // Another process may have noticed the end of this block. A pause ends by itself.
  if (!SHARED_CODES.has(answer.code) || answer.code === "VERIFICATION_RATE_LIMITED") return answer;
  if (!(await sharing.isLifted(caller.keyId))) return answer;
  breaker.lift(caller.keyId);
  return breaker.check(caller);
}

async function call(
  options: CallParts,
  task: ScreeningTask,
  { attemptId, isTrial }: Extract<AttemptGrant, { readonly outcome: "granted" }>,
  progress: Progress,
  leave: () => void,
): Promise<PaidCallOutcome> {
  const { breaker, observer, sharing } = options;
  const { input } = task;
  const caller = toCaller(task);
  try {
    const { result, rateLimit } = await input.access.verifier.verify(input.request);
    // Use the same time in the ledger and in memory, because a recheck asks for anything newer than the last answer.
    const answeredAtMs = options.now();
    breaker.report(caller, undefined, rateLimit);
    if (isTrial) sharing?.share(toCircuitName(caller.keyId), null);
    // Free the place now: the next call can begin while the end of this one is written.
    leave();
    observer?.credit("answered");
    await endAttempt(options, attemptId, { state: "answered", result }, answeredAtMs);
    // A service that doesn't say has no limit.
    const { remaining = Infinity } = rateLimit ?? {};
    return { kind: "answered", answer: { result, answeredAtMs }, remaining };
  } catch (cause) {
    const error = toVerificationError(cause);
    const metered = error.metered ?? "unknown";
    breaker.report(caller, error);
    leave();
    observer?.credit(CREDIT_OUTCOMES[metered]);
    progress.failure = error;
    logFailure(options.logger, input, error);
    if (metered === "no") progress.credits -= 1;
    await endAttempt(options, attemptId, { state: "failed", metered, error: error.code }, options.now());
    return { kind: "failed", error };
  }
}

function toCaller({ input: { access, tenant }, key }: ScreeningTask): Caller {
  return { keyId: access.keyId, tenant, orderState: key };
}

function logFailure(logger: Logger, { tenant, request }: ScreeningInput, error: HoldfastError): void {
  const { code, fields } = error;
  const failed = { code, tenant, orderId: request.orderId, err: error };
  if (code !== "VERIFICATION_REFUSED") {
    logger.warn(failed, "a call to the verification service failed");
    return;
  }
  // The request passed our own check of the service's rules, so either the check or the service is wrong.
  raiseAlert(
    logger,
    VERIFICATION_ALERTS.requestRefused,
    { ...failed, fields: fields.map(({ path }) => path) },
    "the verification service refused the request for an order",
  );
}

function toUncalled(grant: Exclude<AttemptGrant, { readonly outcome: "granted" }>): PaidCallOutcome {
  switch (grant.outcome) {
    case "answered":
      return { kind: "kept", answer: grant.answer };
    case "busy":
      return { kind: "busy" };
    case "exhausted":
      return { kind: "refused", error: toSpent(grant.error) };
    case "reserved":
      return { kind: "reserved", failedAtMs: grant.failedAtMs, error: toSpent(grant.error) };
    case "too-early":
      return {
        kind: "too-early",
        error: toClosed(grant.error ?? "VERIFICATION_INTERRUPTED", grant.retryAtMs),
      };
    case "over-budget": {
      const message = `the ${grant.cap} credit budget is used up`;
      // The larger orders that had priority may not need their credits after all.
      const retryable = grant.outbid;
      return { kind: "refused", error: new HoldfastError("BUDGET_SPENT", message, { retryable }) };
    }
    case "braked":
      return { kind: "refused", error: toBraked() };
    case "blocked":
      return { kind: "refused", error: toClosed(grant.code, grant.retryAtMs) };
  }
}

function toClosed(code: ErrorCode, retryAtMs: number): HoldfastError {
  return toUnsentError(code, "calls to the verification service are paused", retryAtMs);
}

/** Why no call is left. The error of the last call explains more, but a call that was cut off has none. */
function toSpent(code: ErrorCode = "ATTEMPTS_SPENT"): HoldfastError {
  const message = "no more calls are allowed for this order state";
  return new HoldfastError(code, message, { retryable: false, metered: "no" });
}

/** Record in the ledger that a call is about to be made, if it may be made. */
function beginAttempt(options: CallParts, task: ScreeningTask, seenHealthyAtMs: number) {
  const nowMs = options.now();
  const { store, keepDays } = options;
  const { input, fingerprint } = task;
  const { tenant, request, access, budget } = input;
  const burst = toBurst(input, store.keyring, nowMs);
  const leaseMs = options.timeoutMs + END_MARGIN_MS;
  return store.ledger.begin({
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
    signal: options.closing,
  });
}

/** Record how a call ended, and when. If that fails, the answer is still used, and the attempt counts as unknown, which is safe. */
async function endAttempt(options: CallParts, attemptId: string, how: AttemptEnd, endedAtMs: number) {
  const { store, logger } = options;
  try {
    await store.ledger.finish(attemptId, how, endedAtMs);
  } catch (error) {
    raiseAlert(
      logger,
      "ledger_unwritten",
      { err: error },
      "the result of a verification call couldn't be saved; it may have been billed",
    );
    void options.unsavedEnds.add(endLater(options, attemptId, how, endedAtMs));
  }
}

/** Keep trying to record the end, so that after an outage of the store nobody waits for an ended call or pays for it again. */
async function endLater(
  { store, closing }: CallParts,
  attemptId: string,
  how: AttemptEnd,
  endedAtMs: number,
): Promise<void> {
  for (let tries = 0; tries < MOST_END_TRIES; tries += 1) {
    await pauseUnref(END_RETRY_MS, closing);
    try {
      await store.ledger.finish(attemptId, how, endedAtMs);
      return;
    } catch {
      // The failure is already logged. If the process ends first, the call counts as unknown, which is safe. On closing, one
      // last try was made.
      if (closing.aborted) return;
    }
  }
}

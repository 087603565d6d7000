import { HoldfastError, type ErrorCode } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { AttemptEnd, AttemptGrant, KeptAnswer, ScreeningStore } from "../store/store.ts";
import type { Asker, Gate } from "../verification/gate.ts";
import type { VerificationResult } from "../verification/result.ts";
import { VERIFICATION_ALERTS } from "../verification/verification-alerts.ts";
import { toKeptSinceMs } from "./kept-answers.ts";
import { toPeriods } from "./periods.ts";
import type { Inquiry, Question, Spending } from "./question.ts";
import { toVerificationError } from "./unavailable.ts";

/** What calls came to, for metrics. */
export interface AttemptObserver {
  /** A call ended; `free` when nothing was billed. */
  credit(outcome: "answered" | "failed" | "unknown" | "free"): void;
}

/** Parts of {@link makeAttempt}. */
export interface AttemptOptions {
  readonly store: ScreeningStore;
  readonly gate: Gate;
  readonly logger: Logger;
  readonly now: () => number;
  /** Unique per process; names the holder of open attempts. */
  readonly owner: string;
  /** Paid or unknown calls allowed per order state. */
  readonly maxPaidAttempts: number;
  /** One attempt's time limit in milliseconds: an attempt that is open for longer was lost. */
  readonly timeoutMs: number;
  readonly observer?: AttemptObserver | undefined;
  /** Aborted with the error to end with once no attempt may begin any more. */
  readonly closing: AbortSignal;
}

/** How an attempt came out. */
export type Attempted =
  | { readonly kind: "answered"; readonly result: VerificationResult }
  /** Somebody else was answered meanwhile. */
  | { readonly kind: "kept"; readonly answer: KeptAnswer }
  /** Somebody else is asking. */
  | { readonly kind: "busy" }
  /** No call was made, or it failed. */
  | { readonly kind: "refused" | "failed"; readonly error: HoldfastError };

/** On top of a call's time limit, for writing its end, in milliseconds. */
export const END_MARGIN_MS = 5_000;
const CREDIT_OUTCOMES = { yes: "failed", no: "free", unknown: "unknown" } as const;
const NOT_CALLED: HoldfastError = new HoldfastError("VERIFICATION_ABORTED", "no call was made", {
  retryable: true,
});

/**
 * One attempt: ledger before the call, the call, ledger after it. `leave` gives its place to the next one.
 *
 * @throws {HoldfastError} the reason of `closing` when no attempt may begin, and what the store throws.
 */
export async function makeAttempt(
  options: AttemptOptions,
  inquiry: Inquiry,
  spending: Spending,
  leave: () => void,
): Promise<Attempted> {
  const { gate, closing } = options;
  closing.throwIfAborted();
  const asker = toAsker(inquiry);
  const open = gate.check(asker);
  if (!open.open) return { kind: "refused", error: toClosed(open.code, open.retryAtMs) };
  const grant = await begin(options, inquiry).catch((error: unknown) => {
    gate.report(asker, NOT_CALLED);
    throw error;
  });
  if (grant.outcome !== "granted") {
    // No call follows, so a trial that the gate let through with this question is free for the next one.
    gate.report(asker, NOT_CALLED);
    return toUncalled(grant);
  }
  if (closing.aborted) {
    gate.report(asker, NOT_CALLED);
    await end(options, grant.attemptId, { state: "failed", metered: "no", error: "SHUTTING_DOWN" });
    throw closing.reason;
  }
  spending.credits += 1;
  return call(options, inquiry, { attemptId: grant.attemptId, spending, leave });
}

async function call(
  options: AttemptOptions,
  inquiry: Inquiry,
  { attemptId, spending, leave }: { attemptId: string; spending: Spending; leave: () => void },
): Promise<Attempted> {
  const { gate, observer } = options;
  const { question } = inquiry;
  const asker = toAsker(inquiry);
  try {
    const { result, rateLimit } = await question.access.verifier.verify(question.request);
    gate.report(asker, undefined, rateLimit);
    // Only the call needs the place: the next one is made while this one's end is written.
    leave();
    observer?.credit("answered");
    await end(options, attemptId, { state: "answered", result });
    return { kind: "answered", result };
  } catch (cause) {
    const error = toVerificationError(cause);
    const metered = error.metered ?? "unknown";
    gate.report(asker, error);
    leave();
    observer?.credit(CREDIT_OUTCOMES[metered]);
    if (error.code === "VERIFICATION_REFUSED") alertOfRefusal(options.logger, question, error);
    if (metered === "no") spending.credits -= 1;
    await end(options, attemptId, { state: "failed", metered, error: error.code });
    return { kind: "failed", error };
  }
}

function toAsker({ question: { access, tenant }, key }: Inquiry): Asker {
  return { keyId: access.keyId, tenant, question: key };
}

/** What we send passed our own check of the service's rules, so one of the two is wrong. */
function alertOfRefusal(logger: Logger, { tenant, request }: Question, error: HoldfastError): void {
  const { code, fields } = error;
  logger.error(
    {
      alert: VERIFICATION_ALERTS.requestRefused,
      code,
      tenant,
      orderId: request.orderId,
      fields: fields.map(({ path }) => path),
      err: error,
    },
    "the verification service refused the request of an order",
  );
}

function begin(options: AttemptOptions, { question, fingerprint }: Inquiry): Promise<AttemptGrant> {
  const nowMs = options.now();
  return options.store.beginAttempt({
    tenant: question.tenant,
    fingerprint,
    answersSinceMs: toKeptSinceMs(question.request, nowMs),
    orderId: question.request.orderId,
    owner: options.owner,
    nowMs,
    leaseMs: options.timeoutMs + END_MARGIN_MS,
    maxPaidAttempts: options.maxPaidAttempts,
    budget: { ...question.budget, ...toPeriods(nowMs) },
  });
}

/** The answer in hand is worth more than its record: unrecorded, the attempt counts as unknown, which is safe. */
async function end(
  { store, now, logger }: AttemptOptions,
  attemptId: string,
  how: AttemptEnd,
): Promise<void> {
  try {
    await store.finishAttempt(attemptId, how, now());
  } catch (error) {
    logger.error(
      { err: error, alert: "ledger_unwritten" },
      "the end of a verification call was not recorded",
    );
  }
}

function toUncalled(grant: Exclude<AttemptGrant, { readonly outcome: "granted" }>): Attempted {
  switch (grant.outcome) {
    case "answered":
      return { kind: "kept", answer: grant.answer };
    case "busy":
      return { kind: "busy" };
    case "exhausted": {
      const message = "the paid attempts for this order state are used up";
      return { kind: "refused", error: new HoldfastError("ATTEMPTS_SPENT", message, { retryable: false }) };
    }
    case "over-budget": {
      const message = `the ${grant.cap} credit budget is spent`;
      return { kind: "refused", error: new HoldfastError("BUDGET_SPENT", message, { retryable: false }) };
    }
  }
}

function toClosed(code: ErrorCode, retryAtMs: number): HoldfastError {
  return new HoldfastError(code, "the verification service is not being asked at the moment", {
    retryable: true,
    metered: "no",
    retryAtMs,
  });
}

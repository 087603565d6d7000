import { HoldfastError, type ErrorCode } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { TenantId } from "../pipeline/platform.ts";
import type { AttemptEnd, AttemptGrant, KeptAnswer, ScreeningStore } from "../store/store.ts";
import type { Gate } from "../verification/gate.ts";
import type { VerificationResult } from "../verification/result.ts";
import { toKeptSinceMs } from "./kept-answers.ts";
import { toPeriods } from "./periods.ts";
import type { Inquiry, Question, Spending } from "./question.ts";
import { toVerificationError } from "./unavailable.ts";

/** What calls came to, for metrics. */
export interface AttemptObserver {
  /** A call ended; `free` when nothing was billed. */
  credit(outcome: "answered" | "failed" | "unknown" | "free"): void;
  /** Whether the tenant's calls are held back, after each call. */
  circuit?(tenant: TenantId, open: boolean): void;
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

/** On top of a call's time limit, for writing its end. */
const LEASE_MARGIN_MS = 5_000;
const CREDIT_OUTCOMES = { yes: "failed", no: "free", unknown: "unknown" } as const;
const NOT_CALLED: HoldfastError = new HoldfastError("VERIFICATION_ABORTED", "no call was made", {
  retryable: true,
});

/** One attempt: ledger before the call, the call, ledger after it. `leave` gives its place to the next one. */
export async function makeAttempt(
  options: AttemptOptions,
  inquiry: Inquiry,
  spending: Spending,
  leave: () => void,
): Promise<Attempted> {
  const { gate } = options;
  const { question } = inquiry;
  const { verifier, keyId } = question.access;
  const open = gate.check(keyId);
  if (!open.open) return { kind: "refused", error: toClosed(open.code, open.retryAtMs) };
  const grant = await begin(options, inquiry).catch((error: unknown) => {
    gate.report(keyId, NOT_CALLED);
    throw error;
  });
  if (grant.outcome !== "granted") {
    // No call follows, so a trial that the gate let through with this question is free for the next one.
    gate.report(keyId, NOT_CALLED);
    return toUncalled(grant);
  }
  spending.credits += 1;
  try {
    const { result, rateLimit } = await verifier.verify(question.request);
    gate.report(keyId, undefined, rateLimit);
    // Only the call needs the place: the next one is made while this one's end is written.
    leave();
    observe(options, question, "answered");
    await end(options, grant.attemptId, { state: "answered", result });
    return { kind: "answered", result };
  } catch (cause) {
    const error = toVerificationError(cause);
    const metered = error.metered ?? "unknown";
    gate.report(keyId, error);
    leave();
    observe(options, question, CREDIT_OUTCOMES[metered]);
    if (metered === "no") spending.credits -= 1;
    await end(options, grant.attemptId, { state: "failed", metered, error: error.code });
    return { kind: "failed", error };
  }
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
    leaseMs: options.timeoutMs + LEASE_MARGIN_MS,
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

function observe(
  { observer, gate }: AttemptOptions,
  { tenant, access }: Question,
  outcome: Parameters<AttemptObserver["credit"]>[0],
): void {
  observer?.credit(outcome);
  observer?.circuit?.(tenant, !gate.peek(access.keyId).open);
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

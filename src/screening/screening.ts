import { LRUCache } from "lru-cache";
import { HoldfastError, isHoldfastError, type ErrorCode } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { fingerprintOrder } from "../order/fingerprint.ts";
import type { VerificationRequest } from "../order/request.ts";
import type { TenantId } from "../pipeline/platform.ts";
import type { Keyring } from "../store/keyring.ts";
import type { AttemptEnd, AttemptGrant, KeptAnswer, ScreeningStore } from "../store/store.ts";
import type { Gate } from "../verification/gate.ts";
import type { VerificationResult } from "../verification/result.ts";
import type { Verifier } from "../verification/verifier.ts";
import { createSlots, pause, withinDeadline } from "./flight.ts";
import { toPeriods } from "./periods.ts";
import { createSavings, type SavingReason } from "./savings.ts";

/** The service a tenant's orders are asked of. */
export interface ServiceAccess {
  readonly verifier: Verifier;
  /** Names the API key without telling it: pauses and circuits are per key. */
  readonly keyId: string;
}

/** What happened to credits, for metrics. */
export interface ScreeningObserver {
  /** A call ended; `free` when nothing was billed. */
  credit(outcome: "answered" | "failed" | "unknown" | "free"): void;
  /** A call did not have to be made. */
  saved(reason: SavingReason): void;
  /** Whether the tenant's calls are held back, after each call. */
  circuit?(tenant: TenantId, open: boolean): void;
}

/** Parts of {@link createScreening}. */
export interface ScreeningOptions {
  readonly store: ScreeningStore & { readonly keyring: Keyring };
  readonly gate: Gate;
  readonly logger: Logger;
  readonly now: () => number;
  /** Unique per process; names the holder of open attempts. */
  readonly owner: string;
  /** Paid or unknown calls allowed per order state. */
  readonly maxPaidAttempts: number;
  /** Calls under way at once. */
  readonly maxInFlight: number;
  /** One attempt's time limit in milliseconds: an attempt that is open for longer was lost. */
  readonly timeoutMs: number;
  readonly observer?: ScreeningObserver | undefined;
}

/** One question. */
export interface Question {
  readonly tenant: TenantId;
  /** Already checked with `parseVerificationRequest`. */
  readonly request: VerificationRequest;
  readonly access: ServiceAccess;
  /** Credit caps of the tenant; null for none. */
  readonly budget: { readonly daily: number | null; readonly monthly: number | null };
  readonly deadlineMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An answer of the service, new or kept. */
export interface Answered {
  readonly outcome: "answered";
  readonly result: VerificationResult;
  readonly source: "service" | "cache";
  readonly creditsSpent: number;
  readonly fingerprint: string;
}

/** No answer, and why. */
export interface Unavailable {
  readonly outcome: "unavailable";
  readonly error: HoldfastError;
  readonly creditsSpent: number;
  readonly fingerprint: string;
  /** Set when the deadline passed: resolves when the call under way has ended. */
  readonly late: Promise<Screened> | undefined;
}

/** What came of a question. */
export type Screened = Answered | Unavailable;

/** Asks the service once per order state, across callers, processes and crashes. */
export interface Screening {
  /** Never rejects for the service's or the store's sake, only when the caller's signal fires. */
  screen(question: Question): Promise<Screened>;
  /** The digest under which an order's answer is kept. */
  fingerprint(tenant: TenantId, request: VerificationRequest): string;
  /** Drop what is kept in memory of a tenant's answers, after some of them were erased from the store. */
  forget(tenant: TenantId): void;
  /** Wait for the calls under way and write what is still to be written. */
  close(): Promise<void>;
}

/** Answers kept in memory. The store has them all; this saves the read. */
const L1_ENTRIES = 50_000;
const L1_BYTES = 64 * 1024 * 1024;
/** An order with an id keeps its answer for as long as orders are kept; without one the same basket next week is a new order. */
const KEPT_WITH_ID_MS = 90 * 86_400_000;
const KEPT_WITHOUT_ID_MS = 86_400_000;
/** Tries of one question before its callers are told, about a second apart. */
const TRIES = 3;
const RETRY_AFTER_MS = 1_000;
/** Another process is asking: look again this often. */
const BUSY_POLL_MS = 100;
/** On top of a call's time limit, for writing its end. */
const LEASE_MARGIN_MS = 5_000;

type Attempted =
  | { readonly kind: "answered"; readonly result: VerificationResult }
  | { readonly kind: "kept"; readonly answer: KeptAnswer }
  | { readonly kind: "busy" }
  | { readonly kind: "refused" | "failed"; readonly error: HoldfastError };

/** What came of an attempt, and what is still to be written about it. */
interface Called {
  readonly attempted: Attempted;
  readonly ended?: { readonly attemptId: string; readonly end: AttemptEnd };
}

/** Callers with the same content share a flight; it outlives each of them. */
interface Flight {
  landed: Promise<Screened>;
  /** Credits spent or at stake so far. */
  spent: number;
}

/** Create a {@link Screening}. */
export function createScreening(options: ScreeningOptions): Screening {
  const { store, gate, logger, now, observer } = options;
  const slots = createSlots(options.maxInFlight);
  const savings = createSavings(store, logger, now);
  const flights = new Map<string, Flight>();
  const kept = new LRUCache<string, KeptAnswer>({
    max: L1_ENTRIES,
    maxSize: L1_BYTES,
    sizeCalculation: ({ result }) => 200 + result.reasoning.length * 2 + result.riskFactors.length * 400,
  });

  const fingerprintOf = (tenant: TenantId, request: VerificationRequest): string =>
    fingerprintOrder(request, (text) => store.keyring.digest(tenant, "fingerprint", text));

  const keptSinceMs = (request: VerificationRequest): number =>
    now() - (request.orderId === undefined ? KEPT_WITHOUT_ID_MS : KEPT_WITH_ID_MS);

  function save(tenant: TenantId, reason: SavingReason): void {
    observer?.saved(reason);
    savings.add(tenant, reason);
  }

  function observe({ tenant, access }: Question, outcome: "answered" | "failed" | "unknown" | "free"): void {
    observer?.credit(outcome);
    observer?.circuit?.(tenant, !gate.peek(access.keyId).open);
  }

  async function findKept(key: string, question: Question, fingerprint: string): Promise<KeptAnswer | null> {
    const sinceMs = keptSinceMs(question.request);
    const known = kept.get(key);
    if (known !== undefined && known.answeredAtMs >= sinceMs) return known;
    const stored = await store.findAnswer(question.tenant, fingerprint, sinceMs);
    if (stored !== null) kept.set(key, stored);
    return stored;
  }

  /** The answer in hand is worth more than its record: unrecorded, the attempt counts as unknown, which is safe. */
  async function endAttempt(attemptId: string, end: AttemptEnd): Promise<void> {
    try {
      await store.finishAttempt(attemptId, end, now());
    } catch (error) {
      logger.error(
        { err: error, alert: "ledger_unwritten" },
        "the end of a verification call was not recorded",
      );
    }
  }

  function begin(question: Question, fingerprint: string): Promise<AttemptGrant> {
    return store.beginAttempt({
      tenant: question.tenant,
      fingerprint,
      answersSinceMs: keptSinceMs(question.request),
      orderId: question.request.orderId,
      owner: options.owner,
      nowMs: now(),
      leaseMs: options.timeoutMs + LEASE_MARGIN_MS,
      maxPaidAttempts: options.maxPaidAttempts,
      budget: { ...question.budget, ...toPeriods(now()) },
    });
  }

  /** One attempt: ledger before the call, the call, ledger after it. Its place is free as soon as the call has ended. */
  async function attempt(question: Question, fingerprint: string, flight: Flight): Promise<Attempted> {
    const { attempted, ended } = await slots.run(() => call(question, fingerprint, flight));
    if (ended !== undefined) await endAttempt(ended.attemptId, ended.end);
    return attempted;
  }

  async function call(question: Question, fingerprint: string, flight: Flight): Promise<Called> {
    const { verifier, keyId } = question.access;
    const open = gate.check(keyId);
    if (!open.open) return { attempted: { kind: "refused", error: toClosed(open.code, open.retryAtMs) } };
    const grant = await begin(question, fingerprint).catch((error: unknown) => {
      gate.report(keyId, NOT_CALLED);
      throw error;
    });
    if (grant.outcome !== "granted") {
      // No call follows, so a trial that the gate let through with this question is free for the next one.
      gate.report(keyId, NOT_CALLED);
      return { attempted: toUncalled(grant) };
    }
    const { attemptId } = grant;
    flight.spent += 1;
    try {
      const { result, rateLimit } = await verifier.verify(question.request);
      gate.report(keyId, undefined, rateLimit);
      observe(question, "answered");
      const end = { state: "answered", result } as const;
      return { attempted: { kind: "answered", result }, ended: { attemptId, end } };
    } catch (cause) {
      const error = toVerificationError(cause);
      const metered = error.metered ?? "unknown";
      gate.report(keyId, error);
      observe(question, CREDIT_OUTCOMES[metered]);
      if (metered === "no") flight.spent -= 1;
      const end = { state: "failed", metered, error: error.code } as const;
      return { attempted: { kind: "failed", error }, ended: { attemptId, end } };
    }
  }

  async function ask(
    question: Question,
    fingerprint: string,
    key: string,
    flight: Flight,
  ): Promise<Screened> {
    const unavailable = (error: HoldfastError): Unavailable => {
      return { outcome: "unavailable", error, creditsSpent: flight.spent, fingerprint, late: undefined };
    };
    for (let tries = 1; ;) {
      const attempted = await attempt(question, fingerprint, flight);
      switch (attempted.kind) {
        case "busy":
          await pause(BUSY_POLL_MS);
          break;
        case "refused":
          return unavailable(attempted.error);
        case "failed":
          if (tries >= TRIES || !mayAskAgain(attempted.error)) return unavailable(attempted.error);
          tries += 1;
          await pause(RETRY_AFTER_MS);
          break;
        case "kept":
        case "answered": {
          const answer =
            attempted.kind === "kept" ? attempted.answer : { result: attempted.result, answeredAtMs: now() };
          kept.set(key, answer);
          const source = attempted.kind === "kept" ? "cache" : "service";
          return {
            outcome: "answered",
            result: answer.result,
            source,
            creditsSpent: flight.spent,
            fingerprint,
          };
        }
      }
    }
  }

  function takeOff(question: Question, fingerprint: string, key: string): Flight {
    const flight: Flight = { spent: 0, landed: undefined as never };
    flight.landed = ask(question, fingerprint, key, flight)
      .catch((error: unknown) => toFailedFlight(error, flight.spent, fingerprint))
      .finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  }

  async function board(question: Question, fingerprint: string, key: string): Promise<Screened> {
    let joined = flights.get(key);
    if (joined === undefined) {
      const known = await findKept(key, question, fingerprint);
      if (known !== null) {
        save(question.tenant, "cached");
        return { outcome: "answered", result: known.result, source: "cache", creditsSpent: 0, fingerprint };
      }
      // Looked up again: another caller may have taken off while the store was read.
      joined = flights.get(key);
    }
    const flight = joined ?? takeOff(question, fingerprint, key);
    if (joined !== undefined) save(question.tenant, "duplicate");
    const landed = await withinDeadline(flight.landed, question.deadlineMs, question.signal);
    const creditsSpent = joined === undefined ? flight.spent : 0;
    if (landed === undefined) return { ...toLate(fingerprint), creditsSpent, late: flight.landed };
    if (joined === undefined) return landed;
    return landed.outcome === "answered"
      ? { ...landed, source: "cache", creditsSpent }
      : { ...landed, creditsSpent };
  }

  return {
    fingerprint: fingerprintOf,
    async screen(question) {
      question.signal?.throwIfAborted();
      const fingerprint = fingerprintOf(question.tenant, question.request);
      try {
        return await board(question, fingerprint, `${question.tenant}\0${fingerprint}`);
      } catch (error) {
        if (question.signal?.aborted === true) throw error;
        return toFailedFlight(error, 0, fingerprint);
      }
    },
    forget(tenant) {
      for (const key of kept.keys()) if (key.startsWith(`${tenant}\0`)) kept.delete(key);
    },
    async close() {
      await Promise.allSettled([...flights.values()].map((flight) => flight.landed));
      await savings.close();
    },
  };
}

const CREDIT_OUTCOMES = { yes: "failed", no: "free", unknown: "unknown" } as const;

/** Worth another try within the same question; a pause or an open circuit is for the caller to wait out. */
function mayAskAgain(error: HoldfastError): boolean {
  return error.retryable && !isHoldfastError(error, "VERIFICATION_RATE_LIMITED", "VERIFICATION_NO_CREDITS");
}

const NOT_CALLED: HoldfastError = new HoldfastError("VERIFICATION_ABORTED", "no call was made", {
  retryable: true,
});

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

function toVerificationError(cause: unknown): HoldfastError {
  if (isHoldfastError(cause)) return cause;
  return new HoldfastError("VERIFICATION_FAILED", "the verifier failed", {
    retryable: true,
    metered: "unknown",
    cause,
  });
}

function toFailedFlight(error: unknown, creditsSpent: number, fingerprint: string): Unavailable {
  return {
    outcome: "unavailable",
    error: toVerificationError(error),
    creditsSpent,
    fingerprint,
    late: undefined,
  };
}

function toLate(fingerprint: string): Omit<Unavailable, "late" | "creditsSpent"> {
  const error = new HoldfastError("VERIFICATION_TIMEOUT", "no answer within the deadline", {
    retryable: true,
    metered: "unknown",
  });
  return { outcome: "unavailable", error, fingerprint };
}

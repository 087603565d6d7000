import { HoldfastError, isHoldfastError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import type { Background } from "../base/waiting.ts";
import type { VerificationRequest } from "../order/request.ts";
import type { TenantId } from "../platform/platform.ts";
import type { VerificationResult } from "../order/result.ts";
import type { CircuitBreaker } from "../service/circuit-breaker.ts";
import type { Verifier } from "../service/client.ts";
import type { Keyring } from "../store/sealing/keyring.ts";
import type { BudgetPeriods, ScreenerStore } from "../store/store.ts";
import type { CircuitSharing } from "./circuit-sharing.ts";

/** Why a call wasn't needed. */
export type SavingReason = "cached" | "duplicate" | "skipped" | "brake";

/** What happened to credits, for metrics. */
export interface ScreeningObserver {
  /** A call ended; `free` when nothing was billed. */
  credit(outcome: "answered" | "failed" | "unknown" | "free"): void;
  saved(reason: SavingReason): void;
}

export interface ScreeningParts {
  readonly store: Pick<ScreenerStore, "ledger" | "keyring">;
  readonly breaker: CircuitBreaker;
  /** What other processes know about the service. Default: there are no others. */
  readonly sharing?: CircuitSharing | undefined;
  /** A free call with a key that rejects while the service doesn't work. Default: only answers show that it works. */
  readonly probe?: ((keyId: string) => Promise<unknown>) | undefined;
  readonly observer?: ScreeningObserver | undefined;
  readonly logger: Logger;
  readonly now: () => number;
  /** Unique per process; names the holder of open attempts. */
  readonly owner: string;
  readonly maxInFlight: number;
  /** Calls per order state that were billed or may have been. Of three or more, the last is reserved until the service works again. */
  readonly maxPaidAttempts: number;
  /** Milliseconds between a call without an answer and the next one; doubles each time. Default 3000. */
  readonly retryAfterMs?: number | undefined;
  /** Days for which the answer to an order with an id is kept. Default: as `createKeptAnswers`. */
  readonly keepDays?: number | undefined;
  /** One attempt's time limit in milliseconds. An attempt that is open for longer was lost. */
  readonly timeoutMs: number;
  /** Gets each order state's calls when they begin, as a promise that ends with them and never rejects. */
  readonly onCall?: ((underWay: Promise<unknown>) => void) | undefined;
}

/** {@link ScreeningParts} while calls may begin. */
export interface CallParts extends ScreeningParts {
  /** Aborted, with the error for open checks, when no more attempts may begin. */
  readonly closing: AbortSignal;
  /** Ends of calls that couldn't be saved yet. */
  readonly unsavedEnds: Background;
}

export interface ServiceAccess {
  readonly verifier: Verifier;
  /** Identifies the API key without revealing it. A pause or refusal applies to every tenant that uses the key. */
  readonly keyId: string;
  /** Credits a UTC day that one tenant may spend with this key, whatever its own budget allows. Default: no cap. */
  readonly tenantDailyCap?: number | undefined;
}

/** If address, key or organization changes, so does the id: a corrected key starts without the former one's state. */
export function toKeyId(
  keyring: Pick<Keyring, "digest">,
  tenant: TenantId,
  { url, apiKey, organization = null }: KeyTarget,
): string {
  const digest = keyring.digest(tenant, "service-key", JSON.stringify([url, apiKey, organization]));
  return `${digest.slice(0, 12)}:${tenant}`;
}

interface KeyTarget {
  readonly url: string | URL;
  readonly apiKey: string;
  readonly organization?: unknown;
}

/** Credit caps of a tenant; null for none. */
export interface CreditBudget {
  readonly daily: number | null;
  readonly monthly: number | null;
  /**
   * Orders of one mailbox, network or delivery address that may cost credits in an hour.
   *
   * @default 30
   */
  readonly perSourceHourly?: number | null | undefined;
}

/** Credits a UTC day that a tenant may spend; null for any number. */
export function toDailyCap(
  budget: Pick<CreditBudget, "daily">,
  access: Pick<ServiceAccess, "tenantDailyCap"> | null,
): number | null {
  const cap = Math.min(budget.daily ?? Infinity, access?.tenantDailyCap ?? Infinity);
  return cap === Infinity ? null : cap;
}

export interface ScreeningInput {
  readonly tenant: TenantId;
  /** Already checked with `parseVerificationRequest`. */
  readonly request: VerificationRequest;
  /**
   * When the order counts as placed for the burst brake, milliseconds since the epoch.
   *
   * @default its `orderTimestamp`, else now
   */
  readonly placedAtMs?: number | undefined;
  /** The recipient that the shipping address names, where the platform says. Not sent; part of the fingerprint. */
  readonly recipientName?: string | undefined;
  /** Pass it if you have it. Default: computed from `request` and `recipientName`. */
  readonly fingerprint?: string | undefined;
  readonly access: ServiceAccess;
  readonly budget: CreditBudget;
  /**
   * Answers and calls up to this moment, milliseconds since the epoch, don't count: the order is checked again, once.
   *
   * @default all that are still kept count
   */
  readonly answersSinceMs?: number | undefined;
  /** How long the caller waits for an answer, in milliseconds. Default: without limit. */
  readonly deadlineMs?: number | undefined;
  /**
   * The caller asks again later by itself: don't wait longer than a second, and don't retry a failed call.
   *
   * @default false
   */
  readonly callerRetries?: boolean | undefined;
  /** Fires when the caller cancels. A running call still finishes, and its answer is stored. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the caller cancels while its call runs, with a promise that ends with the call and never rejects. */
  readonly onAbandoned?: ((underWay: Promise<unknown>) => void) | undefined;
  /** Called before the service is asked, if there is no stored answer and no running call. */
  readonly onUnanswered?: (() => void) | undefined;
}

export interface ScreeningTask {
  readonly input: ScreeningInput;
  /** The digest under which the order state's answer is kept. */
  readonly fingerprint: string;
  /** Identifies the order state among those of all tenants. */
  readonly key: string;
}

export interface Progress {
  /** Credits spent, including calls in progress. */
  credits: number;
  readonly startedAtMs: number;
  /** How long to wait for the next call, in milliseconds from the start. */
  waitMs: number;
  /** Time spent waiting between attempts. */
  waitedMs: number;
  /** Calls that were never sent. */
  unpaid: number;
  /** When the service was found to work again, for the reserved call; 0: it wasn't. */
  healthyAtMs: number;
  /** Why the last call got no answer. */
  failure: HoldfastError | undefined;
}

/** An answer of the service, new or kept. */
export interface Answered {
  readonly outcome: "answered";
  readonly result: VerificationResult;
  readonly source: "service" | "cache";
  readonly creditsSpent: number;
  readonly fingerprint: string;
}

export interface Unavailable {
  readonly outcome: "unavailable";
  readonly error: HoldfastError;
  readonly creditsSpent: number;
  readonly fingerprint: string;
  /** Set if the deadline passed: resolves when the check has an answer or is canceled. Never rejects. */
  readonly late: Promise<Screened> | undefined;
}

export type Screened = Answered | Unavailable;

/** Starts of the UTC day and month that hold `nowMs`: what daily and monthly budgets count from. */
export function toPeriods(nowMs: number): BudgetPeriods {
  const now = new Date(nowMs);
  return {
    dayStartMs: Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()),
    monthStartMs: Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1),
  };
}

export function toUnavailable(error: unknown, creditsSpent: number, fingerprint: string): Unavailable {
  return {
    outcome: "unavailable",
    error: toVerificationError(error),
    creditsSpent,
    fingerprint,
    late: undefined,
  };
}

/** Our own error unchanged; any other error of a verifier or a store as `VERIFICATION_FAILED`. */
export function toVerificationError(cause: unknown): HoldfastError {
  if (isHoldfastError(cause)) return cause;
  return new HoldfastError("VERIFICATION_FAILED", "the call to the verification service failed", {
    retryable: true,
    metered: "unknown",
    cause,
  });
}

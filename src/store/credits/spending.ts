import type { ErrorCode, Metered } from "../../base/errors.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { VerificationResult } from "../../order/result.ts";

/** A kept answer of the service. */
export interface KeptAnswer {
  readonly result: VerificationResult;
  readonly answeredAtMs: number;
}

/** What a caller wants to spend a credit on. */
export interface AttemptRequest {
  readonly tenant: TenantId;
  readonly fingerprint: string;
  /** Only answers newer than this count: the caller's rule of how long an answer is kept. */
  readonly answersSinceMs: number;
  readonly orderId: string | undefined;
  readonly owner: string;
  readonly nowMs: number;
  /** How long the attempt may stay open before it is taken for lost and counts as *unknown*. */
  readonly leaseMs: number;
  /**
   * Unanswered calls up to this moment do not count towards the limit, milliseconds since the epoch. At most
   * `answersSinceMs`: an answer may expire earlier than the calls that brought none.
   */
  readonly failuresSinceMs: number;
  /** Paid or unknown attempts allowed per fingerprint. Of three or more, the last one is the reserve. */
  readonly maxPaidAttempts: number;
  /** How long to wait after an attempt that brought no answer, in milliseconds; twice as long after each further one. */
  readonly retryAfterMs: number;
  /** How long to wait after the last attempt before the reserve may be used, in milliseconds. */
  readonly reserveAfterMs: number;
  /** When the caller last saw the service work, milliseconds since the epoch; 0: never. */
  readonly seenHealthyAtMs: number;
  /** Caps in credits, null for none, and the starts of the current day and month. */
  readonly budget: {
    readonly daily: number | null;
    readonly monthly: number | null;
    readonly dayStartMs: number;
    readonly monthStartMs: number;
  };
  /** Value at risk, for spending the last credits of a budget on the orders that risk most. */
  readonly amount: number | undefined;
  readonly currency: string | undefined;
  readonly burst: {
    /** Orders of one source per hour that may cost credits; null for any number. */
    readonly limit: number | null;
    /** When the order was placed: what waited for hours is no flood. */
    readonly atMs: number;
    /** Digests of where the order came from. */
    readonly sources: readonly string[];
  };
  /** Name of the circuit that the call depends on. */
  readonly circuit: string;
  /** Until when, after being granted as a trial of the circuit, it is waited for. */
  readonly trialUntilMs: number;
}

/** Outcome of asking for an attempt. */
export type AttemptGrant =
  /**
   * The ledger entry is written; the caller must call and then finish it. `isTrial`: it finds out whether a block is over.
   * `sinceUptimeMs`: the `performance.now()` from which on its lease is counted.
   */
  | {
      readonly outcome: "granted";
      readonly attemptId: string;
      readonly isTrial: boolean;
      readonly sinceUptimeMs: number;
    }
  | { readonly outcome: "answered"; readonly answer: KeptAnswer }
  /** Somebody else is asking right now. */
  | { readonly outcome: "busy"; readonly leaseUntilMs: number }
  /** No attempt is left. `error`: why the last one brought no answer; undefined when all were cut off. */
  | { readonly outcome: "exhausted"; readonly error?: ErrorCode | undefined }
  /**
   * Only the reserve is left, and it is too early for it: the tenant has had no answer since `failedAtMs`, or that was
   * less than `reserveAfterMs` ago.
   */
  | { readonly outcome: "reserved"; readonly failedAtMs: number; readonly error?: ErrorCode | undefined }
  /** The last attempt was too short a while ago. */
  | { readonly outcome: "too-early"; readonly retryAtMs: number; readonly error?: ErrorCode | undefined }
  /** `outbid`: what is left is for orders that risk more, and wait. */
  | { readonly outcome: "over-budget"; readonly cap: "daily" | "monthly"; readonly outbid: boolean }
  /** Too many orders come from the same place; `isNew` when that has only begun. */
  | { readonly outcome: "braked"; readonly sources: readonly string[]; readonly isNew: boolean }
  /** Another process found out that calls are useless now. */
  | {
      readonly outcome: "held-back";
      readonly code: ErrorCode;
      readonly retryAtMs: number;
      readonly pause: boolean;
    };

/** How an attempt ended. */
export type AttemptEnd =
  | { readonly state: "answered"; readonly result: VerificationResult }
  | { readonly state: "failed"; readonly metered: Metered; readonly error: ErrorCode };

/** Spending of one tenant, from the ledger alone. */
export interface CreditUse {
  readonly spentToday: number;
  readonly spentMonth: number;
  /** Calls that were not made because an answer was kept, this month. */
  readonly savedMonth: number;
  /** The same by reason. */
  readonly savedByReason: Readonly<Record<string, number>>;
}

export interface ScreeningStore {
  /** The kept answer for a fingerprint, if it is newer than `sinceMs`. */
  findAnswer(tenant: TenantId, fingerprint: string, sinceMs: number): Promise<KeptAnswer | null>;
  /**
   * In one transaction: an open attempt whose lease ran out becomes `unknown`; then a kept answer, an open attempt, the
   * attempt limit, the budget, the circuits and the burst brake are looked at in that order; otherwise the ledger entry
   * is written as `sent`. An open attempt counts as spent. The last credits of a budget go to the orders of the
   * largest amount that wait for a decision.
   *
   * Attempts for one fingerprint are spread over time. The reserve is granted only once the service has worked since the
   * last attempt ended: it answered a later call of this tenant, or the caller has seen it work.
   */
  beginAttempt(request: AttemptRequest): Promise<AttemptGrant>;
  /** Count an order at the burst brake alone, as {@link ScreeningStore.beginAttempt} does; null when it is not braked. */
  countAtSources(
    tenant: TenantId,
    burst: AttemptRequest["burst"],
  ): Promise<Extract<AttemptGrant, { readonly outcome: "braked" }> | null>;
  /** Close the ledger entry and, for an answer, keep it, in one transaction. A failure with `metered: "unknown"` is kept as `unknown`. A second end of the same attempt changes nothing. */
  finishAttempt(attemptId: string, end: AttemptEnd, nowMs: number): Promise<void>;
  /** Count calls that did not have to be made. */
  recordSaving(tenant: TenantId, reason: string, count: number, nowMs: number): Promise<void>;
  creditUse(
    tenant: TenantId,
    periods: { readonly dayStartMs: number; readonly monthStartMs: number },
  ): Promise<CreditUse>;
}

/** Why calls are held back, as all processes see it. */
export interface CircuitBlock {
  readonly code: ErrorCode;
  readonly untilMs: number;
  /** Ends by itself; anything else ends with a trial that succeeds. */
  readonly pause: boolean;
}

/** A {@link CircuitBlock} as stored. */
export interface StoredBlock extends CircuitBlock {
  readonly name: string;
  /** Until when somebody's trial is waited for. */
  readonly trialUntilMs: number;
}

export interface CircuitStore {
  /** Let every process know that calls are held back, or with null that they are not. */
  saveCircuit(name: string, block: CircuitBlock | null): Promise<void>;
  /** The blocks of the named circuits; pauses that are over are none. */
  findBlocks(names: readonly string[], nowMs: number): Promise<readonly StoredBlock[]>;
}

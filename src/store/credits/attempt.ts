import type { ErrorCode, Metered } from "../../base/errors.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { VerificationResult } from "../../order/result.ts";

export interface KeptAnswer {
  readonly result: VerificationResult;
  readonly answeredAtMs: number;
}

/** Earlier orders from the same source: those that share a digest with it, or all that came through relays and CDNs. */
export type SourceHistory =
  | { readonly by: "mailbox" | "network" | "address"; readonly digest: string }
  | { readonly by: "relayed" };

/** A call that a caller wants to spend a credit on. */
export interface AttemptRequest {
  readonly tenant: TenantId;
  readonly fingerprint: string;
  /** Only answers newer than this count. The caller decides how long an answer is valid. */
  readonly answersSinceMs: number;
  readonly orderId: string | undefined;
  readonly owner: string;
  readonly nowMs: number;
  /** After this time, an open attempt counts as lost: *unknown*. */
  readonly leaseMs: number;
  /**
   * Unanswered calls up to this moment don't count towards the limit, milliseconds since the epoch. At most
   * `answersSinceMs`, because answers may expire earlier than unanswered calls.
   */
  readonly failuresSinceMs: number;
  /** Paid or unknown attempts allowed per fingerprint. Of three or more, the last one is the reserve. */
  readonly maxPaidAttempts: number;
  /** How long to wait after an unanswered attempt, in milliseconds; twice as long after each further one. */
  readonly retryAfterMs: number;
  /** How long to wait after the last attempt before the reserve may be used, in milliseconds. */
  readonly reserveAfterMs: number;
  /** When the caller last saw the service work, milliseconds since the epoch; 0 for never. */
  readonly seenHealthyAtMs: number;
  /** Caps in credits, null for none. */
  readonly budget: BudgetPeriods & { readonly daily: number | null; readonly monthly: number | null };
  /** Value at risk. The last credits of a budget go to the orders with the most at risk. */
  readonly amount: number | undefined;
  readonly currency: string | undefined;
  readonly burst: {
    /** How many orders of one source may cost credits per hour; null for no limit. */
    readonly limit: number | null;
    /** When the order was placed. Orders that waited for hours aren't a flood. */
    readonly atMs: number;
    /** Digests of the order's sources. */
    readonly sources: readonly string[];
    /**
     * Which earlier orders of the tenant show how many a source usually sends; undefined if none do. Only called for a source
     * that exceeds the limit.
     *
     * @default no source has a history
     */
    readonly historyOf?: ((source: string) => SourceHistory | undefined) | undefined;
  };
  /** Name of the circuit that the call depends on. */
  readonly circuit: string;
  /** If the attempt is a trial of the circuit: until when other callers wait for it. */
  readonly trialUntilMs: number;
  /** Fires when the caller makes no more calls: an attempt that isn't stored yet then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

export type AttemptGrant =
  /**
   * The ledger entry is written; the caller must make the call and then finish the entry. `isTrial`: the call shows
   * whether a block is over. `sinceUptimeMs`: the `performance.now()` at which its lease begins; -Infinity if
   * others may already have taken the entry over.
   */
  | {
      readonly outcome: "granted";
      readonly attemptId: string;
      readonly isTrial: boolean;
      readonly sinceUptimeMs: number;
    }
  | { readonly outcome: "answered"; readonly answer: KeptAnswer }
  /** Another caller is asking right now. */
  | { readonly outcome: "busy"; readonly leaseUntilMs: number }
  /** No attempt is left. `error`: why the last one brought no answer; undefined when all were cut off. */
  | { readonly outcome: "exhausted"; readonly error?: ErrorCode | undefined }
  /**
   * Only the reserve is left, and it is too early to use it: the tenant has had no answer since `failedAtMs`, or that
   * was less than `reserveAfterMs` ago.
   */
  | { readonly outcome: "reserved"; readonly failedAtMs: number; readonly error?: ErrorCode | undefined }
  | { readonly outcome: "too-early"; readonly retryAtMs: number; readonly error?: ErrorCode | undefined }
  /** `outbid`: the remaining credits are for waiting orders with more at risk. */
  | { readonly outcome: "over-budget"; readonly cap: "daily" | "monthly"; readonly outbid: boolean }
  /** Too many orders come from the same source; `isNew` if that has just begun. */
  | { readonly outcome: "braked"; readonly sources: readonly string[]; readonly isNew: boolean }
  /** Another process found that the service doesn't answer now. */
  | {
      readonly outcome: "blocked";
      readonly code: ErrorCode;
      readonly retryAtMs: number;
      readonly pause: boolean;
    };

export type AttemptEnd =
  | { readonly state: "answered"; readonly result: VerificationResult }
  | { readonly state: "failed"; readonly metered: Metered; readonly error: ErrorCode };

/** When the current UTC day and month began, in milliseconds since the epoch. */
export interface BudgetPeriods {
  readonly dayStartMs: number;
  readonly monthStartMs: number;
}

/** Spending of one tenant, from the ledger alone. */
export interface CreditUse {
  readonly spentToday: number;
  readonly spentMonth: number;
  /** Calls that were saved this month, for any reason. */
  readonly savedMonth: number;
  readonly savedByReason: Readonly<Record<string, number>>;
}

/** Why calls are blocked, as all processes see it. */
export interface CircuitBlock {
  readonly code: ErrorCode;
  readonly untilMs: number;
  /** A pause ends by itself; any other block ends when a trial succeeds. */
  readonly pause: boolean;
}

export interface StoredBlock extends CircuitBlock {
  readonly name: string;
  /** Until when other callers wait for a running trial. */
  readonly trialUntilMs: number;
}

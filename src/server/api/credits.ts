import type { CreditUse } from "../../store/store.ts";

/**
 * Whether calls to the verification service go out: `closed` they do, `open` they are held back, `half-open` one is
 * out to see whether they may again, `local` there is no service to call.
 */
export type CircuitState = "closed" | "open" | "half-open" | "local";

/** One tenant's spending: the answer of `GET /api/credits`. */
export interface CreditSummary extends CreditUse {
  /** The lower of the policy's cap and the operator's for its key (`CREDITS_PER_TENANT_DAILY`). Null for no cap. */
  readonly dailyCap: number | null;
  /** Null for no cap. */
  readonly monthlyCap: number | null;
  readonly circuit: CircuitState;
  /** ISO 8601 date on which this month's cap is reached at the pace so far; null when it is not, or without a cap. */
  readonly runsOutOn: string | null;
}

import { z } from "zod";
import type { Policy } from "../../policy/policy.ts";
import { toPeriods, toDailyCap, type ServiceAccess } from "../../screening/screening-task.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { Ledger } from "../../store/store.ts";
import { toCircuitName } from "../../service/circuit-rules.ts";
import type { CircuitBreaker } from "../../service/circuit-breaker.ts";

const count = z.int();

/** One tenant's spending, as the API shows it. */
export const creditsJson = z.object({
  spentToday: count,
  spentMonth: count,
  savedMonth: count,
  savedByReason: z.record(z.string(), count),
  /** The lower of the policy's cap and the operator's for its key (`CREDITS_PER_TENANT_DAILY`). Null for no cap. */
  dailyCap: count.nullable(),
  /** Null for no cap. */
  monthlyCap: count.nullable(),
  /**
   * Whether calls to the verification service are made. `closed`: yes. `open`: they are blocked. `half-open`: a trial call
   * shows whether they succeed again. `local`: no service is configured.
   */
  circuit: z.enum(["closed", "open", "half-open", "local"]),
  /** When this month's cap is reached at the current pace. Null if it isn't, or without a cap. */
  runsOutOn: z.iso.date().nullable(),
});
export type CreditSummary = Readonly<z.infer<typeof creditsJson>>;

type KeyAccess = Pick<ServiceAccess, "keyId" | "tenantDailyCap">;

export interface CreditSummaryOptions {
  readonly store: { readonly ledger: Pick<Ledger, "creditUse" | "findBlocks"> };
  readonly policyOf: (tenant: TenantId) => Promise<{ readonly policy: Policy }>;
  readonly breaker: Pick<CircuitBreaker, "peek">;
  /** The service key of a tenant and its cap; null without a service. */
  readonly accessOf: (tenant: TenantId) => Promise<KeyAccess | null> | KeyAccess | null;
  readonly now: () => number;
}

const DAY_MS = 86_400_000;

/** Sum up what a tenant spent and saved, only from the ledger. */
export function createCreditSummary(
  options: CreditSummaryOptions,
): (tenant: TenantId) => Promise<CreditSummary> {
  const { store, now } = options;

  return async (tenant) => {
    const nowMs = now();
    const periods = toPeriods(nowMs);
    const use = await store.ledger.creditUse(tenant, periods);
    const { policy } = await options.policyOf(tenant);
    const access = await options.accessOf(tenant);
    const dailyCap = toDailyCap(policy.budget, access);
    const { monthly: monthlyCap } = policy.budget;
    const circuit = await toCircuitState(options, tenant, access, nowMs);
    const runsOutOn = toRunOutDate(use.spentMonth, monthlyCap, periods.monthStartMs, nowMs);
    return { ...use, dailyCap, monthlyCap, circuit, runsOutOn };
  };
}

/** From the results of all processes, or only of this one if they share none. */
async function toCircuitState(
  { store, breaker }: CreditSummaryOptions,
  tenant: TenantId,
  access: KeyAccess | null,
  nowMs: number,
): Promise<CreditSummary["circuit"]> {
  if (access === null) return "local";
  const { keyId } = access;
  const blocks = await store.ledger.findBlocks([toCircuitName(keyId)], nowMs);
  if (blocks.some(({ trialUntilMs }) => trialUntilMs > nowMs)) return "half-open";
  return blocks.length === 0 && breaker.peek({ keyId, tenant }).allowed ? "closed" : "open";
}

/** The day on which the monthly cap is reached at the current rate, or null if it isn't reached this month. */
function toRunOutDate(spent: number, cap: number | null, monthStartMs: number, nowMs: number): string | null {
  if (cap === null) return null;
  if (spent >= cap) return new Date(nowMs).toISOString().slice(0, 10);
  if (spent === 0) return null;
  // The first hours of a month don't show its pace.
  const elapsedMs = Math.max(nowMs - monthStartMs, DAY_MS);
  const runsOutMs = monthStartMs + (elapsedMs * cap) / spent;
  const monthStart = new Date(monthStartMs);
  const nextMonthMs = Date.UTC(monthStart.getUTCFullYear(), monthStart.getUTCMonth() + 1, 1);
  return runsOutMs >= nextMonthMs ? null : new Date(runsOutMs).toISOString().slice(0, 10);
}

import { createCreditSummary, type CreditSummary } from "../../server/parts/credit-summary.ts";
import { isHoldfastError } from "../../base/errors.ts";
import { SILENT_LOGGER } from "../../base/logger.ts";
import { createCurrentSettings } from "../../settings/current-settings.ts";
import { createPolicies } from "../../settings/current-policy.ts";
import type { Finding, TenantId } from "../../platform/platform.ts";
import { toPeriods } from "../../screening/screening-task.ts";
import type { StoredBlock, Store } from "../../store/store.ts";
import { ok, problem, runChecks, skipped, toSpan, warning, type Checks } from "./findings.ts";

/**
 * Check whether calls are held back, and what was spent so far.
 *
 * @param tenantDailyCap The operator's cap on its own key, for tenants without their own key. Default: none.
 */
export async function checkCredits(store: Store, nowMs: number, tenantDailyCap?: number) {
  const blocks = await store.figures.listCircuits();
  const tenants = await findTenants(store, nowMs);
  const { summaries, unreadable } = await sumUp(store, tenants, nowMs, tenantDailyCap);
  const findings = await runChecks(CREDIT_CHECKS, { blocks, summaries, nowMs });
  return [...findings, ...checkPolicies(unreadable)];
}

interface Credits {
  readonly blocks: readonly StoredBlock[];
  readonly summaries: ReadonlyMap<TenantId, CreditSummary>;
  readonly nowMs: number;
}

export const CREDIT_CHECKS = {
  circuits(id, { blocks, nowMs }) {
    // A pause ends by itself. Other blocks stay until a trial succeeds.
    const standing = blocks.filter(({ pause, untilMs }) => !pause || untilMs > nowMs);
    if (standing.length === 0) return ok(id, "calls to the service are allowed");
    const codes = [...new Set(standing.map(({ code }) => code))].toSorted();
    const nextMs = Math.min(...standing.map(({ untilMs }) => untilMs));
    const when = nextMs > nowMs ? `in ${toSpan(nextMs - nowMs)}` : "with the next order";
    const found = `calls are paused (${codes.join(", ")}); retry ${when}`;
    return warning(id, found, "look up these codes in docs/reference/errors.md");
  },
  credits(id, { summaries }) {
    if (summaries.size === 0) return skipped(id, "no credits can have been used yet");
    const total = (key: "spentToday" | "spentMonth" | "savedMonth") =>
      [...summaries.values()].reduce((sum, summary) => sum + summary[key], 0);
    const spent = `${total("spentToday")} spent today, ${total("spentMonth")} this month (UTC)`;
    return ok(id, `${spent}, ${total("savedMonth")} saved`);
  },
  "credits.caps"(id, { summaries }) {
    const capped = [...summaries].filter(
      ([, { dailyCap, monthlyCap }]) => dailyCap !== null || monthlyCap !== null,
    );
    if (capped.length === 0) return skipped(id, "no tenant has a cap");
    const spentUp = capped.filter(([, summary]) => isSpentUp(summary));
    if (spentUp.length > 0) {
      const named = spentUp.map(([tenant, summary]) => describeCaps(tenant, summary)).join(", ");
      return warning(id, `a cap is reached by ${named}`, CAPS_ADVICE);
    }
    const ending = capped.filter(([, { runsOutOn }]) => runsOutOn !== null);
    if (ending.length > 0) {
      const named = ending.map(([tenant, { runsOutOn }]) => `${tenant} on ${runsOutOn}`).join(", ");
      return warning(id, `at this pace the monthly cap is reached by ${named}`, CAPS_ADVICE);
    }
    return ok(id, `${capped.length} of ${summaries.size} have a cap, and none will be reached this month`);
  },
} satisfies Checks<Credits>;

/** Installed shops, and tenants that spent credits this month: storefronts have no installation. */
async function findTenants(store: Store, nowMs: number): Promise<readonly TenantId[]> {
  const installed = await store.tenants.list();
  const spenders = await store.figures.listSpenders(toPeriods(nowMs).monthStartMs);
  return [...new Set([...installed.map(({ tenant }) => tenant), ...spenders])].toSorted();
}

/** Represents the environment's key. Another finding says whether calls are made with it. */
const ENVIRONMENT = "environment";

async function sumUp(
  store: Store,
  tenants: readonly TenantId[],
  nowMs: number,
  tenantDailyCap: number | undefined,
) {
  const now = () => nowMs;
  const settings = createCurrentSettings({ store, logger: SILENT_LOGGER, now });
  const sum = createCreditSummary({
    store,
    policyOf: createPolicies(store),
    breaker: { peek: () => ({ allowed: true }) },
    accessOf: async (tenant) => {
      const { service } = await settings.of(tenant);
      return service === null ? { keyId: ENVIRONMENT, tenantDailyCap } : null;
    },
    now,
  });
  const summaries = new Map<TenantId, CreditSummary>();
  const unreadable: TenantId[] = [];
  for (const tenant of tenants) {
    try {
      summaries.set(tenant, await sum(tenant));
    } catch (error) {
      if (!isHoldfastError(error, "POLICY_INVALID", "DATA_UNREADABLE")) throw error;
      unreadable.push(tenant);
    }
  }
  return { summaries, unreadable };
}

const CAPS_ADVICE =
  "raise the budget in the policy (or CREDITS_PER_TENANT_DAILY, which no policy exceeds), or accept that orders are decided without the service";

function isSpentUp({ spentToday, spentMonth, dailyCap, monthlyCap }: CreditSummary): boolean {
  return (dailyCap !== null && spentToday >= dailyCap) || (monthlyCap !== null && spentMonth >= monthlyCap);
}

function describeCaps(tenant: TenantId, summary: CreditSummary): string {
  const { spentToday, spentMonth, dailyCap, monthlyCap } = summary;
  const day = dailyCap === null ? [] : [`${spentToday} of ${dailyCap} today`];
  const month = monthlyCap === null ? [] : [`${spentMonth} of ${monthlyCap} this month`];
  return `${tenant} (${[...day, ...month].join(", ")})`;
}

function checkPolicies(unreadable: readonly TenantId[]): readonly Finding[] {
  if (unreadable.length === 0) return [];
  const found = `the saved policy is invalid for ${unreadable.join(", ")}`;
  return [problem("policies", found, "save it again in the console or with PUT /api/policy")];
}

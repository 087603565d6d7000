import { isForRecord } from "../../order/order-effects.ts";
import { DEFAULT_MAX_PAID_ATTEMPTS } from "../../store/credits/attempt-limit.ts";
import { count, toSpan } from "../doctor/findings.ts";
import type { TenantSurvey } from "./survey.ts";
import { ORDERS_PER_SECOND } from "./import-orders.ts";

export interface Plan {
  readonly surveys: readonly TenantSurvey[];
  /** Orders to import, of all shops. */
  readonly orders: number;
  /** Whether there is a service that costs credits. */
  readonly isPaid: boolean;
}

/** Credits that a plan uses: if every call succeeds, and if every call has to be repeated. */
function toCredits({ surveys }: Plan) {
  const total = (attempts: number): number => {
    const ofShops = surveys.map(({ paid, creditsLeft }) =>
      Math.min(paid * attempts, creditsLeft ?? Infinity),
    );
    return ofShops.reduce((sum, credits) => sum + credits, 0);
  };
  return { expected: total(1), most: total(DEFAULT_MAX_PAID_ATTEMPTS) };
}

export function describePlan(plan: Plan): readonly string[] {
  if (plan.surveys.length === 0) return ["no shop is installed"];
  return [...plan.surveys.flatMap(describeTenant), ...(plan.orders === 0 ? [] : describeCost(plan))];
}

function describeTenant(survey: TenantSurvey): readonly string[] {
  const { tenant, listed, known, shipped, cancelled, found, more, problem } = survey;
  if (problem !== null) return [`${tenant}: couldn't be read (${problem})`];
  const recorded = found.filter(isForRecord).length;
  const left = `${known} known, ${shipped} shipped, ${cancelled} canceled`;
  const lines = [`${tenant}: ${count(listed, "order")}, of which ${left}; ${found.length} to import`];
  if (recorded > 0) {
    lines.push(`  ${recorded} of them are older than 24 hours: recorded only, nothing changes in the shop`);
  }
  if (more) lines.push("  this run doesn't cover all orders: run it again for the rest");
  return lines;
}

function describeCost(plan: Plan): readonly string[] {
  if (!plan.isPaid) return ["no verification service is configured: the local engine checks them for free"];
  const { expected, most } = toCredits(plan);
  const lines = [`${count(expected, "credit")}, at most ${most} if calls are retried`];
  for (const { tenant, paid, creditsLeft } of plan.surveys) {
    if (creditsLeft === null || creditsLeft >= paid) continue;
    const rest = `the policy decides the other ${paid - creditsLeft} without the service`;
    lines.push(`${tenant}: ${count(creditsLeft, "credit")} left in the budget; ${rest}`);
  }
  return lines;
}

/** Shorter times aren't worth mentioning. */
const SHORT_MS = 60_000;

export function summarize({ surveys, orders }: Plan, isWanted: boolean, taken: number): readonly string[] {
  if (orders === 0) {
    const isRead = surveys.every(({ problem }) => problem === null);
    return [isRead ? "there are no orders to import" : "no orders were imported"];
  }
  if (!isWanted) return ["no orders were imported"];
  const spanMs = (orders / ORDERS_PER_SECOND) * 1000;
  const pace = spanMs < SHORT_MS ? "" : `, spread over the next ${toSpan(spanMs)}`;
  return [`${count(taken, "order")} imported; the running app decides them${pace}`];
}

export function toJson(
  plan: Plan,
  { sinceMs, enforce }: { readonly sinceMs: number; readonly enforce: boolean },
  taken: number,
): string {
  const { expected, most } = toCredits(plan);
  const tenants = plan.surveys.map(({ found, platform: _platform, ...survey }) => ({
    ...survey,
    toTakeIn: found.length,
    recordOnly: found.filter(isForRecord).length,
  }));
  const since = new Date(sinceMs).toISOString();
  return JSON.stringify(
    { since, enforce, tenants, credits: { expected, atMost: most }, takenIn: taken },
    undefined,
    2,
  );
}

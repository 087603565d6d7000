import { isHoldfastError } from "../../base/errors.ts";
import type { OrderEffects } from "../../order/order-effects.ts";
import { toSendable } from "../../policy/sendable.ts";
import type { PolicyOf } from "../../settings/current-policy.ts";
import type { Platform, PlatformOrder, TenantId } from "../../platform/platform.ts";
import { toPeriods } from "../../screening/screening-task.ts";
import type { Store } from "../../store/store.ts";

export interface SurveyOptions {
  readonly store: Pick<Store, "figures" | "ledger">;
  readonly platform: Platform;
  readonly policyOf: PolicyOf;
  readonly nowMs: number;
  readonly sinceMs: number;
  /** Decisions on orders created before this are only recorded. */
  readonly recordBeforeMs: number;
  /** Whether there is a service that costs credits. */
  readonly isPaid: boolean;
  /** Orders to import at most. */
  readonly limit: number;
  /** Called with the number of orders that each page adds. */
  readonly onListed: (orders: number) => void;
}

export type TenantSurvey = Readonly<ReturnType<typeof startSurvey>>;

function startSurvey(tenant: TenantId, platform: string) {
  const found: { readonly order: PlatformOrder; readonly effects: OrderEffects }[] = [];
  return {
    tenant,
    platform,
    /** Orders that the platform listed. */
    listed: 0,
    /** Of these, orders that are known already, shipped or canceled. They're skipped. */
    known: 0,
    shipped: 0,
    cancelled: 0,
    /** Of the orders to be imported, those that are sent to the service, for one credit each. */
    paid: 0,
    /** Credits that the policy's budget leaves at the moment; null without a cap. */
    creditsLeft: null as number | null,
    /** To be imported. */
    found,
    /** Whether the limit left orders for another time. */
    more: false,
    /** Why the shop's orders couldn't be listed, so that none is imported; null when they were. */
    problem: null as string | null,
  };
}

/** Look through a shop's orders for those to import. Nothing is written. */
export async function surveyTenant(tenant: TenantId, options: SurveyOptions): Promise<TenantSurvey> {
  const { platform, sinceMs, recordBeforeMs, nowMs } = options;
  const survey = startSurvey(tenant, platform.name);
  const seen = new Set<string>();
  try {
    const { policy } = await options.policyOf(tenant);
    survey.creditsLeft = await countCreditsLeft(options, tenant, policy.budget);
    // Old orders first: an order on the border of the two windows is in both, and counts as old.
    const windows = [
      { sinceMs, untilMs: Math.min(recordBeforeMs, nowMs), effects: "record" as const },
      { sinceMs: Math.max(sinceMs, recordBeforeMs), untilMs: nowMs, effects: "live" as const },
    ].filter((window) => window.sinceMs < window.untilMs);
    for (const { effects, ...window } of windows) {
      for await (const page of listPages(platform, tenant, window)) {
        const orders = page.filter(({ orderId }) => !seen.has(orderId));
        for (const { orderId } of orders) seen.add(orderId);
        survey.listed += orders.length;
        options.onListed(orders.length);
        for (const order of await sortOut(options, tenant, orders, survey)) {
          if (survey.found.length === options.limit) return { ...survey, more: true };
          survey.found.push({ order, effects });
          if (options.isPaid && "request" in toSendable(order.mapped, policy)) survey.paid += 1;
        }
      }
    }
    return survey;
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    const problem = `${error.code}: ${error.message}`;
    return { ...survey, paid: 0, creditsLeft: null, found: [], problem };
  }
}

async function* listPages(
  platform: Platform,
  tenant: TenantId,
  window: { readonly sinceMs: number; readonly untilMs: number },
): AsyncGenerator<readonly PlatformOrder[]> {
  let cursor: string | undefined;
  do {
    const page = await platform.recentOrders(tenant, { ...window, cursor });
    yield page.orders;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** The orders of a page that should be imported. */
async function sortOut(
  { store }: SurveyOptions,
  tenant: TenantId,
  orders: readonly PlatformOrder[],
  tally: { known: number; shipped: number; cancelled: number },
): Promise<readonly PlatformOrder[]> {
  const ids = orders.map(({ orderId }) => orderId);
  const known = new Set(await store.figures.findKnown(tenant, ids));
  return orders.filter(({ orderId, mapped, fulfilled }) => {
    const isKnown = known.has(orderId);
    const isCancelled = mapped.outcome === "unscreenable" && mapped.reason === "CANCELLED";
    if (isKnown) tally.known += 1;
    else if (isCancelled) tally.cancelled += 1;
    else if (fulfilled === true) tally.shipped += 1;
    return !isKnown && !isCancelled && fulfilled !== true;
  });
}

async function countCreditsLeft(
  { store, nowMs }: SurveyOptions,
  tenant: TenantId,
  { daily, monthly }: { readonly daily: number | null; readonly monthly: number | null },
): Promise<number | null> {
  if (daily === null && monthly === null) return null;
  const { spentToday, spentMonth } = await store.ledger.creditUse(tenant, toPeriods(nowMs));
  const left = Math.min((daily ?? Infinity) - spentToday, (monthly ?? Infinity) - spentMonth);
  return Math.max(0, left);
}

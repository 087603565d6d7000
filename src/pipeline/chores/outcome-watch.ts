import { isHoldfastError } from "../../base/errors.ts";
import type { ObservedOutcome } from "../../store/outcomes/outcomes.ts";
import type { ObservedOrder, Platform, TenantId } from "../../platform/platform.ts";
import { createChore, VISIT_EVERY_MS, visitTenants, type TenantVisit, type VisitParts } from "./chore.ts";

const DAY_MS = 86_400_000;
/** Few per round, because new orders need the shop's calls: 60 an hour for each of the two looks. */
const ORDERS_PER_LOOK = 10;
/** Chargebacks come later than this, but most cancels and returns have happened. */
const LOOKS = [
  { name: "outcomes-1d", ageMs: DAY_MS },
  { name: "outcomes-14d", ageMs: 14 * DAY_MS },
] as const;
/** Orders that are older than this aren't looked at any more. */
const OLDEST_MS = 45 * DAY_MS;

/**
 * Create the watch that looks up the outcome of orders that were held or canceled, or would have been, and the platform's own
 * opinion of them: a day after they arrived, and again after two weeks. `run` is one round over every installed tenant and
 * resolves to the number of orders that it looked at.
 */
export function createOutcomeWatch(parts: VisitParts) {
  const { logger, now } = parts;
  const pauses = new Map<TenantId, { readonly sinceMs: number; readonly untilMs: number }>();

  async function run(signal: AbortSignal): Promise<number> {
    let looked = 0;
    const visit = async ({ tenant, platform }: TenantVisit): Promise<void> => {
      const { sinceMs = 0, untilMs = 0 } = pauses.get(tenant) ?? {};
      // A pause that began later than now is over: the clock was set back since.
      if (now() >= sinceMs && now() < untilMs) return;
      try {
        for (const look of LOOKS) looked += await lookThrough(parts, tenant, platform, look, signal);
      } catch (error) {
        // The next round continues here, but not before the time that the platform asks for.
        if (isHoldfastError(error) && error.retryAtMs !== undefined)
          pauses.set(tenant, { sinceMs: now(), untilMs: error.retryAtMs });
        throw error;
      }
    };
    const about = { lease: "outcomes", failed: "couldn't look up the outcomes of a shop's orders" };
    await visitTenants(parts, about, visit, signal);
    return looked;
  }

  const failed = "couldn't look up the outcomes of orders";
  return { run, ...createChore({ everyMs: VISIT_EVERY_MS, round: run, failed, logger }) };
}

/** Look at a few of a tenant's orders of that age, oldest first. Resolves to their number. */
async function lookThrough(
  { store, now }: VisitParts,
  tenant: TenantId,
  platform: Platform,
  { name, ageMs }: (typeof LOOKS)[number],
  signal: AbortSignal,
): Promise<number> {
  const nowMs = now();
  const seenMs = (await store.cursors.load(tenant, name)) ?? 0;
  const untilMs = nowMs - ageMs;
  // Start at the time that the last look reached: orders of the same millisecond may be left.
  const fromMs = Math.max(Math.min(seenMs, untilMs), nowMs - OLDEST_MS);
  const orders = await store.outcomes.findUnobserved(tenant, {
    fromMs,
    untilMs,
    ageMs,
    limit: ORDERS_PER_LOOK,
  });
  for (const { orderId } of orders) {
    signal.throwIfAborted();
    const outcome = await observe(platform, tenant, orderId, signal);
    await store.outcomes.save({ tenant, orderId }, { ...outcome, observedAtMs: now() });
  }
  const last = orders.length < ORDERS_PER_LOOK ? untilMs : (orders.at(-1)?.receivedAtMs ?? untilMs);
  if (last !== seenMs) await store.cursors.save(tenant, name, last);
  return orders.length;
}

async function observe(platform: Platform, tenant: TenantId, orderId: string, signal: AbortSignal) {
  try {
    return toSeen(await platform.observe(tenant, orderId, { signal }));
  } catch (error) {
    // A failure to read one order must not stop the others from being checked.
    if (isHoldfastError(error, "PLATFORM_REFUSED", "PLATFORM_CALL_INVALID")) return toSeen(null);
    throw error;
  }
}

function toSeen(observed: ObservedOrder | "hidden" | null): Omit<ObservedOutcome, "observedAtMs"> {
  if (observed === null || observed === "hidden")
    return { known: false, cancelled: false, shipped: false, platformRisk: null };
  const { cancelled, fulfilled, partlyFulfilled, platformRisk } = observed;
  return { known: true, cancelled, shipped: fulfilled || partlyFulfilled, platformRisk };
}

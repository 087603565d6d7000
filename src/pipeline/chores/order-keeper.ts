import type { TenantId } from "../../platform/platform.ts";
import { loadSettings } from "../../settings/current-settings.ts";
import type { PipelineParts } from "../tasks.ts";
import { createChore, VISIT_EVERY_MS } from "./chore.ts";

type OrderKeeperParts = Pick<PipelineParts, "store" | "logger" | "now" | "owner">;

const DAY_MS = 86_400_000;
/** By then the payment was read, and most cancels have happened. Less than the shortest time for which content is kept. */
const AGE_MS = 6 * 3_600_000;
const ORDERS_PER_LOOK = 100;
const LOOKS_PER_VISIT = 20;
const CURSOR = "kept-orders";

/**
 * Create the chore that keeps what later disputes need of the orders of shops that opted in, and deletes it after the shop's
 * time, or at once when the shop turned it off. `run` is one round over every tenant.
 */
export function createOrderKeeper(parts: OrderKeeperParts) {
  const { store, owner, now, logger } = parts;

  async function run(signal: AbortSignal): Promise<void> {
    for (const { tenant } of await store.tenants.list()) {
      signal.throwIfAborted();
      const leaseMs = now() + VISIT_EVERY_MS / 2;
      if (!(await store.leases.acquire(`${CURSOR}:${tenant}`, owner, now(), leaseMs))) continue;
      try {
        await visit(parts, tenant, signal);
      } catch (error) {
        signal.throwIfAborted();
        logger.warn({ err: error }, "couldn't keep a shop's orders for later disputes");
      }
    }
  }

  const failed = "couldn't keep orders for later disputes";
  return { run, ...createChore({ everyMs: VISIT_EVERY_MS, round: run, failed, logger }) };
}

async function visit(parts: OrderKeeperParts, tenant: TenantId, signal: AbortSignal): Promise<void> {
  let isMore = true;
  for (let look = 0; isMore && look < LOOKS_PER_VISIT; look += 1) {
    signal.throwIfAborted();
    const keptFromMs = await dropOld(parts, tenant);
    if (keptFromMs === null) return;
    isMore = await keepSome(parts, tenant, keptFromMs);
  }
  // The shop may have turned it off during the last look.
  await dropOld(parts, tenant);
}

/** Delete what the shop doesn't keep. Resolves to when the kept orders begin, or null if none are kept. */
async function dropOld({ store, now }: OrderKeeperParts, tenant: TenantId): Promise<number | null> {
  const { disputes, isReadable } = await loadSettings(store, tenant);
  // Whether the shop opted in isn't known, so nothing is kept and nothing deleted.
  if (!isReadable) return null;
  const { keepDays, keptFromMs } = disputes;
  if (keepDays === null || keptFromMs === null) {
    await store.outcomes.dropKept(tenant);
    return null;
  }
  await store.outcomes.dropKept(tenant, Math.max(now() - keepDays * DAY_MS, keptFromMs));
  return keptFromMs;
}

/** Resolves to whether there may be more. */
async function keepSome({ store, now }: OrderKeeperParts, tenant: TenantId, keptFromMs: number) {
  const untilMs = now() - AGE_MS;
  const seenMs = (await store.cursors.load(tenant, CURSOR)) ?? 0;
  // Start at the time that the last look reached: orders of the same millisecond may be left.
  const sinceMs = Math.max(keptFromMs, Math.min(seenMs, untilMs));
  const limit = ORDERS_PER_LOOK;
  const found = await store.outcomes.findUnkept(tenant, { sinceMs, untilMs, limit });
  for (const { orderId } of found) {
    const order = await store.orders.get({ tenant, orderId });
    if (order !== null) await store.outcomes.keepOrder(order, keptFromMs);
    await store.nextTurn(tenant);
  }
  const isMore = found.length === limit;
  const lastMs = found.at(-1)?.receivedAtMs ?? untilMs;
  // A page of orders of one millisecond that can't be kept would be looked at for ever.
  const next = !isMore ? untilMs : lastMs === sinceMs ? lastMs + 1 : lastMs;
  if (next > seenMs) await store.cursors.save(tenant, CURSOR, next);
  return isMore;
}

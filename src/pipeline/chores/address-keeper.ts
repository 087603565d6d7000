import { toKeptAddress } from "../../buyer-check/earlier-address.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { PipelineParts } from "../tasks.ts";
import { createChore, VISIT_EVERY_MS } from "./chore.ts";

type AddressKeeperParts = Pick<PipelineParts, "store" | "policyOf" | "logger" | "now" | "owner">;

/** By then most orders have settled. Less than the shortest time for which content is kept. */
const AGE_MS = 6 * 3_600_000;
const ORDERS_PER_LOOK = 100;
const LOOKS_PER_VISIT = 20;
/** Up to when a shop's orders were looked at. At first, since when it keeps addresses; 0 while it doesn't. */
const CURSOR = "kept-addresses";
const OFF = 0;

/**
 * Create the chore that keeps the addresses of orders that went well, from when a shop's policy says so (`verify.keepAddresses`)
 * until it no longer does: then all are deleted. `run` is one round over every tenant.
 */
export function createAddressKeeper(parts: AddressKeeperParts) {
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
        logger.warn({ err: error }, "couldn't keep the addresses of a shop's orders");
      }
    }
  }

  const failed = "couldn't keep the addresses of orders";
  return { run, ...createChore({ everyMs: VISIT_EVERY_MS, round: run, failed, logger }) };
}

async function visit(parts: AddressKeeperParts, tenant: TenantId, signal: AbortSignal): Promise<void> {
  let isMore = true;
  for (let look = 0; isMore && look < LOOKS_PER_VISIT; look += 1) {
    signal.throwIfAborted();
    const sinceMs = await start(parts, tenant);
    if (sinceMs === null) return;
    isMore = await keepSome(parts, tenant, sinceMs);
  }
  // The shop may have turned it off during the last look.
  await start(parts, tenant);
}

/** Where the next look begins. Null if the shop keeps no addresses; what it kept before is deleted then. */
async function start({ store, policyOf, now }: AddressKeeperParts, tenant: TenantId): Promise<number | null> {
  const seenMs = (await store.cursors.load(tenant, CURSOR)) ?? OFF;
  const { policy } = await policyOf(tenant);
  if (policy.verify.keepAddresses) {
    if (seenMs !== OFF) return seenMs;
    // Only orders from here on: the buyers of earlier ones weren't told.
    await store.cursors.save(tenant, CURSOR, now());
    return now();
  }
  if (seenMs !== OFF) {
    await store.buyerChecks.dropAddresses(tenant);
    await store.cursors.save(tenant, CURSOR, OFF);
  }
  return null;
}

/** Resolves to whether there may be more. */
async function keepSome({ store, now }: AddressKeeperParts, tenant: TenantId, sinceMs: number) {
  const untilMs = now() - AGE_MS;
  if (untilMs <= sinceMs) return false;
  const found = await store.buyerChecks.findUnkeptAddresses(tenant, {
    sinceMs,
    untilMs,
    limit: ORDERS_PER_LOOK,
  });
  for (const { orderId } of found) {
    const order = await store.orders.get({ tenant, orderId });
    const kept = order === null ? null : toKeptAddress(order);
    if (order !== null && kept !== null) await store.buyerChecks.keepAddress(order, kept);
    await store.nextTurn(tenant);
  }
  const isMore = found.length === ORDERS_PER_LOOK;
  const lastMs = found.at(-1)?.receivedAtMs ?? untilMs;
  // A page of orders of one millisecond that aren't kept would be looked at for ever.
  const next = !isMore ? untilMs : lastMs === sinceMs ? lastMs + 1 : lastMs;
  await store.cursors.save(tenant, CURSOR, next);
  return isMore;
}

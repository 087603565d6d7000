import { toPlacedAtMs } from "../intake/order-events.ts";
import type { PlatformOrder, TenantId } from "../../platform/platform.ts";
import { createChore, VISIT_EVERY_MS, visitTenants, type TenantVisit, type VisitParts } from "./chore.ts";
import { DEFAULT_KEEPING_TIMES } from "../../store/retention/keeping-times.ts";
import type { PipelineParts } from "../tasks.ts";
import { toTimelineEntry } from "../timeline.ts";

/** Parts of {@link createReconciler}. */
export interface ReconcilerOptions extends VisitParts, Pick<PipelineParts, "keep"> {
  /** Called when something was found and is due. */
  readonly onFound: () => void;
}

const DAY_MS = 86_400_000;
/** A webhook may still be on its way for this long, and a platform's own index follows behind. */
const SETTLING_MS = 5 * 60_000;
/** Rounds overlap, so that nothing falls between two of them. */
const OVERLAP_MS = 15 * 60_000;
/** How far the first look at a tenant goes back. */
const FIRST_LOOK_MS = 2 * 3_600_000;
/** How far back a look goes when nobody has looked for longer than that. */
const LONGEST_LOOK_MS = 7 * DAY_MS;
/** Up to where a tenant was looked through, by any process. */
const CURSOR = "reconciler";

/**
 * Create the reconciler, which finds orders whose webhook never arrived: webhooks are not guaranteed to
 * come. `run` is one round over every installed tenant and resolves to how many orders were found.
 */
export function createReconciler(parts: ReconcilerOptions) {
  const { logger, onFound } = parts;

  async function run(signal: AbortSignal): Promise<number> {
    let found = 0;
    const lookedAt = { signal, onEach: () => void (found += 1) };
    // A look that fails is made again from where it began.
    const about = { lease: "reconcile", failed: "couldn't look for a shop's missed orders" };
    try {
      await visitTenants(parts, about, (visited) => look(parts, visited, lookedAt), signal);
    } finally {
      // However the round ended: the next one knows these orders, and would not report them.
      if (found > 0) {
        logger.error({ alert: "webhooks_missed", found }, "found orders whose webhook never arrived");
        onFound();
      }
    }
    return found;
  }

  // The first round at once, for what was missed while nobody was there to be told.
  const failed = "couldn't look for missed orders";
  return { run, ...createChore({ everyMs: VISIT_EVERY_MS, firstAfterMs: 0, round: run, failed, logger }) };
}

/** Look through one tenant's recent orders; `onEach` gets every order whose webhook never arrived. */
async function look(
  parts: ReconcilerOptions,
  { tenant, installedAtMs, platform, hold }: TenantVisit,
  { signal, onEach }: { readonly signal: AbortSignal; readonly onEach: () => void },
): Promise<void> {
  const { store, now } = parts;
  const untilMs = now() - SETTLING_MS;
  const sinceMs = await toSinceMs(parts, tenant, installedAtMs);
  if (sinceMs >= untilMs) return;
  let cursor: string | undefined;
  do {
    const page = await platform.recentOrders(tenant, { sinceMs, untilMs, cursor, signal });
    for (const order of page.orders) {
      // Nearly all are known, and looking one up in SQLite waits for nobody.
      await store.nextTurn(tenant, signal);
      if (await takeIn(parts, { tenant, platform: platform.name, sinceMs }, order)) onEach();
    }
    cursor = page.nextCursor ?? undefined;
    // A look through many pages takes its lease again.
    if (cursor !== undefined && !(await hold())) return;
  } while (cursor !== undefined);
  await store.saveCursor(tenant, CURSOR, untilMs);
}

/** From where on to look: over the whole gap since the last look, within reason. */
async function toSinceMs(
  { store, now, logger, keep = DEFAULT_KEEPING_TIMES }: ReconcilerOptions,
  tenant: TenantId,
  installedAtMs: number,
): Promise<number> {
  const nowMs = now();
  // An older order than those that are kept is not looked for.
  const earliestMs = nowMs - Math.min(LONGEST_LOOK_MS, keep.ordersDays * DAY_MS);
  const seenUntilMs = (await store.loadCursor(tenant, CURSOR)) ?? nowMs - FIRST_LOOK_MS;
  if (seenUntilMs > nowMs) {
    logger.warn(
      { tenant },
      "the last look for missed orders has a time in the future: looking through everything again",
    );
    return Math.max(earliestMs, installedAtMs);
  }
  const wantedMs = Math.max(seenUntilMs - OVERLAP_MS, installedAtMs);
  if (wantedMs < earliestMs - OVERLAP_MS)
    logger.warn({ tenant }, "the last look for missed orders was too long ago: run holdfast backfill to find the oldest ones");
  return Math.max(wantedMs, earliestMs);
}

/** Take in an order whose webhook never arrived; false if we know it. */
async function takeIn(
  { store, now }: ReconcilerOptions,
  { tenant, platform, sinceMs }: { tenant: TenantId; platform: string; sinceMs: number },
  order: PlatformOrder,
): Promise<boolean> {
  const { orderId } = order;
  if ((await store.getOrder({ tenant, orderId })) !== null) return false;
  const placedAtMs = toPlacedAtMs(order);
  // Its delay is ours: it came when it was placed. What it says itself may be anything, so only within the window.
  const isSane = placedAtMs !== undefined && placedAtMs >= sinceMs && placedAtMs <= now();
  const receivedAtMs = isSane ? placedAtMs : now();
  const entry = toTimelineEntry(now(), { kind: "found" }, "its webhook never arrived");
  return store.receiveOrder({ tenant, platform, receivedAtMs, asOfMs: order.updatedAtMs, ...order }, entry);
}

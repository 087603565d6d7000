import { toRaised, writeAlertLine } from "../../base/alerts.ts";
import { toKeptLine } from "../../alerts/alert-once.ts";
import { toPlacedAtMs } from "../intake/order-events.ts";
import type { PlatformOrder, TenantId } from "../../platform/platform.ts";
import { createChore, VISIT_EVERY_MS, visitTenants, type TenantVisit, type VisitParts } from "./chore.ts";
import { DEFAULT_KEEPING_TIMES } from "../../store/retention/keeping-times.ts";
import type { PipelineParts } from "../tasks.ts";
import { toTimelineEntry } from "../timeline.ts";

export interface ReconcilerOptions extends VisitParts, Pick<PipelineParts, "keep"> {
  /** Called when orders were found and are due. */
  readonly onFound: () => void;
}

const DAY_MS = 86_400_000;
/** Webhooks can take this long to arrive, and the platform's order list can lag behind. */
const SETTLING_MS = 5 * 60_000;
/** Rounds overlap, so that no order is missed between two of them. */
const OVERLAP_MS = 15 * 60_000;
/** How far the first look at a tenant goes back. */
const FIRST_LOOK_MS = 2 * 3_600_000;
/** How far back a look goes at most. */
const LONGEST_LOOK_MS = 7 * DAY_MS;
/** The time up to which any process has looked at a tenant's orders. */
const CURSOR = "reconciler";

/**
 * Create the reconciler, which finds orders whose webhook never arrived. `run` is one round over every installed tenant and
 * resolves to the number of orders that it found.
 */
export function createReconciler(parts: ReconcilerOptions) {
  const { store, owner, now, logger, onFound } = parts;
  const incident = { name: `webhooks_missed:${owner}`, quietMs: 0 };

  async function run(signal: AbortSignal): Promise<number> {
    let found = 0;
    const toLine = () => toKeptLine(incident, toRaised("webhooks_missed", { found }));
    // The next round knows these orders, so if this process is killed, another one reports them from the store.
    const onMissed = async () => {
      found += 1;
      await store.incidents.open({ ...incident, nowMs: now(), unsent: toLine().unsent });
    };
    const lookedAt = { signal, onMissed };
    // A look that fails is repeated from its beginning.
    const about = { lease: "reconcile", failed: "couldn't look for a shop's missed orders" };
    try {
      await visitTenants(parts, about, (visited) => look(parts, visited, lookedAt), signal);
    } finally {
      if (found > 0) {
        writeAlertLine(logger, toLine().line, "found orders whose webhook never arrived");
        onFound();
      }
    }
    return found;
  }

  // The first round starts at once, for orders that were missed while the app was off.
  const failed = "couldn't look for missed orders";
  return { run, ...createChore({ everyMs: VISIT_EVERY_MS, firstAfterMs: 0, round: run, failed, logger }) };
}

interface Round {
  readonly signal: AbortSignal;
  /** Called before an order is stored whose webhook never arrived. */
  readonly onMissed: () => Promise<void>;
}

/** List one tenant's recent orders, and store those whose webhook never arrived. */
async function look(
  parts: ReconcilerOptions,
  { tenant, installedAtMs, platform, hold }: TenantVisit,
  { signal, onMissed }: Round,
): Promise<void> {
  const { store, now } = parts;
  const untilMs = now() - SETTLING_MS;
  const sinceMs = await toSinceMs(parts, tenant, installedAtMs);
  if (sinceMs >= untilMs) return;
  let cursor: string | undefined;
  do {
    const page = await platform.recentOrders(tenant, { sinceMs, untilMs, cursor, signal });
    for (const order of page.orders) {
      // Nearly all orders are known, and SQLite reads block the event loop: let other work run.
      await store.nextTurn(tenant, signal);
      if ((await store.orders.get({ tenant, orderId: order.orderId })) !== null) continue;
      await onMissed();
      await receiveMissed(parts, { tenant, platform: platform.name, sinceMs }, order);
    }
    cursor = page.nextCursor ?? undefined;
    if (cursor !== undefined && !(await hold())) return;
  } while (cursor !== undefined);
  await store.cursors.save(tenant, CURSOR, untilMs);
}

/** The time to look from: the whole gap since the last look, up to a limit. */
async function toSinceMs(
  { store, now, logger, keep = DEFAULT_KEEPING_TIMES }: ReconcilerOptions,
  tenant: TenantId,
  installedAtMs: number,
): Promise<number> {
  const nowMs = now();
  // Don't look for orders that are older than the keeping time.
  const earliestMs = nowMs - Math.min(LONGEST_LOOK_MS, keep.ordersDays * DAY_MS);
  const seenUntilMs = (await store.cursors.load(tenant, CURSOR)) ?? nowMs - FIRST_LOOK_MS;
  if (seenUntilMs > nowMs) {
    logger.warn(
      { tenant },
      "the last look for missed orders has a time in the future: looking through everything again",
    );
    return Math.max(earliestMs, installedAtMs);
  }
  const wantedMs = Math.max(seenUntilMs - OVERLAP_MS, installedAtMs);
  if (wantedMs < earliestMs - OVERLAP_MS)
    logger.warn(
      { tenant },
      "the last look for missed orders was too long ago: run holdfast backfill to find the oldest ones",
    );
  return Math.max(wantedMs, earliestMs);
}

async function receiveMissed(
  { store, now }: ReconcilerOptions,
  { tenant, platform, sinceMs }: { tenant: TenantId; platform: string; sinceMs: number },
  order: PlatformOrder,
): Promise<void> {
  const placedAtMs = toPlacedAtMs(order);
  // It counts as received when it was placed. That time comes from the order, so limit it to the window.
  const isSane = placedAtMs !== undefined && placedAtMs >= sinceMs && placedAtMs <= now();
  const receivedAtMs = isSane ? placedAtMs : now();
  const entry = toTimelineEntry(now(), { kind: "found" }, "its webhook never arrived");
  await store.orders.receive({ tenant, platform, receivedAtMs, asOfMs: order.updatedAtMs, ...order }, entry);
}

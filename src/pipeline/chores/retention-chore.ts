import { raiseAlert } from "../../base/alerts.ts";
import type { Logger } from "../../base/logger.ts";
import { DEFAULT_KEEPING_TIMES, type KeepingTimes } from "../../store/retention/keeping-times.ts";
import type { PipelineParts } from "../tasks.ts";
import { pause } from "../../base/waiting.ts";
import type { RetentionPosition } from "../../store/retention/aged-rows.ts";
import { toPeriods } from "../../screening/screening-task.ts";
import {
  RETENTION_STEPS,
  type RetentionLimits,
  type RetentionStep,
} from "../../store/retention/retention.ts";
import { createChore } from "./chore.ts";
import { toTimelineEntry } from "../timeline.ts";

/** Rows deleted or emptied, by step. Steps that found nothing are left out. */
export type Erased = Readonly<Partial<Record<RetentionStep, number>>>;

export type RetentionOptions = Pick<PipelineParts, "store" | "keep" | "logger" | "now" | "owner">;

const DAY_MS = 86_400_000;
const EVERY_MS = 3_600_000;
/** The first run waits, because a start has more urgent work. */
const FIRST_AFTER_MS = 60_000;
/** Pause between two chunks, so that other writes get their turn. */
const BREATH_MS = 20;
/** One process deletes at a time. */
const LEASE = "retention";
/** Renewed before each chunk. Another process takes over from a frozen one after this. */
const LEASE_MS = 5 * 60_000;
/** After a run, no other process runs until just before the next one is due. */
const DONE_FOR_MS = EVERY_MS - 5 * 60_000;

/**
 * Platforms repeat a delivery for at most two days, but somebody who captured one can send it at any time. Its ID and the
 * digest of its body are kept for as long as orders, and at least this long.
 */
const REPEATED_FOR_MS = 7 * DAY_MS;
/** How long orders wait for their shop to install the app. After that, they have shipped. */
const AWAITED_FOR_MS = 7 * DAY_MS;
/** Twice the longest time for which a quota counts. */
const QUOTA_MS = 14 * DAY_MS;
const PASSING_MS = 2 * DAY_MS;
const CIRCUITS_MS = 30 * DAY_MS;

/** The limits of what is too old at a given time. */
export function toRetentionLimits({ contentDays, ordersDays }: KeepingTimes, nowMs: number): RetentionLimits {
  const contentBeforeMs = nowMs - contentDays * DAY_MS;
  const ordersBeforeMs = nowMs - ordersDays * DAY_MS;
  // The calls of this month still count against its limit.
  const ledgerBeforeMs = Math.min(ordersBeforeMs, toPeriods(nowMs).monthStartMs);
  return {
    nowMs,
    contentBeforeMs,
    deliveriesBeforeMs: Math.min(ordersBeforeMs, nowMs - REPEATED_FOR_MS),
    awaitingBeforeMs: Math.max(contentBeforeMs, nowMs - AWAITED_FOR_MS),
    ordersBeforeMs,
    ledgerBeforeMs,
    quotasBeforeMs: Math.min(ledgerBeforeMs, nowMs - QUOTA_MS),
    passingBeforeMs: nowMs - PASSING_MS,
    circuitsBeforeMs: nowMs - CIRCUITS_MS,
    entry: toTimelineEntry(nowMs, { kind: "erased" }, `content, after ${contentDays} days`),
  };
}

/**
 * Create the deletion by age. `run` is one run, by one process at a time. It resolves to what was deleted, or to null if it
 * didn't run: another process is running it, or the limits have just jumped and the jump has to last first. It stops after
 * the current chunk.
 */
export function createRetentionChore(parts: RetentionOptions) {
  const { store, keep = DEFAULT_KEEPING_TIMES, logger, now, owner } = parts;
  const guard = createJumpGuard(parts);
  let failingSinceMs: number | undefined;
  let alertedMs = Number.NEGATIVE_INFINITY;

  async function run(signal: AbortSignal): Promise<Erased | null> {
    signal.throwIfAborted();
    if (!(await hold(parts, LEASE_MS, { endsWithProcess: true }))) return null;
    try {
      const erased = await eraseAll(parts, guard, signal);
      if (erased === "overtaken") return null;
      await hold(parts, DONE_FOR_MS);
      if (erased === "jumped") return null;
      logger.info({ erased }, "data past its retention period was deleted");
      return erased;
    } catch (error) {
      // Another process may continue at once.
      await store.leases.release(LEASE, owner).catch(() => undefined);
      throw error;
    }
  }

  async function round(signal: AbortSignal): Promise<void> {
    try {
      await run(signal);
      failingSinceMs = undefined;
    } catch (error) {
      if (!signal.aborted) await reportFailure(error);
    }
  }

  /** One run that fails needs no alert. After a day of them, somebody has to act. */
  async function reportFailure(cause: unknown): Promise<void> {
    failingSinceMs ??= now();
    const finishedMsAgo = await guard.measure(toRetentionLimits(keep, now())).catch(() => null);
    const lateMs = finishedMsAgo ?? now() - failingSinceMs;
    logger.warn({ err: cause }, "couldn't delete data past its retention period; retrying in an hour");
    if (lateMs < DAY_MS || now() < alertedMs + DAY_MS) return;
    alertedMs = now();
    raiseAlert(
      logger,
      "retention_failed",
      { err: cause },
      "personal data past its retention period hasn't been deleted for a day",
    );
  }

  const times = { everyMs: EVERY_MS, firstAfterMs: FIRST_AFTER_MS };
  return { run, ...createChore({ ...times, round, failed: "erasing failed", logger }) };
}

function hold(
  { store, owner, now }: RetentionOptions,
  forMs: number,
  options: { readonly endsWithProcess?: boolean } = {},
): Promise<boolean> {
  return store.leases.acquire(LEASE, owner, now(), now() + forMs, options);
}

/** Run every step to its end, unless another process took over because this one was paused. */
async function eraseAll(
  parts: RetentionOptions,
  guard: ReturnType<typeof createJumpGuard>,
  signal: AbortSignal,
): Promise<Erased | "overtaken" | "jumped"> {
  const { store, now, keep = DEFAULT_KEEPING_TIMES } = parts;
  const limits = toRetentionLimits(keep, now());
  if (!(await guard.allows(limits))) return "jumped";
  const counts: [RetentionStep, number][] = [];
  for (const step of RETENTION_STEPS) {
    const erased = await eraseStep(parts, step, limits, signal);
    if (erased === null) return "overtaken";
    if (erased > 0) counts.push([step, erased]);
  }
  if (counts.length > 0) await store.retention.scrub();
  await guard.hasErased(limits);
  return Object.fromEntries(counts);
}

/** Run one step to its end; null if another process took over. */
async function eraseStep(
  parts: RetentionOptions,
  step: RetentionStep,
  limits: RetentionLimits,
  signal: AbortSignal,
): Promise<number | null> {
  let erased = 0;
  let from: RetentionPosition | null = null;
  do {
    signal.throwIfAborted();
    if (!(await hold(parts, LEASE_MS, { endsWithProcess: true }))) return null;
    const chunk = await parts.store.retention.eraseAged(step, limits, from);
    erased += chunk.erased;
    from = chunk.next;
    if (from !== null) await pause(BREATH_MS, signal);
  } while (from !== null);
  return erased;
}

/** Cursors without a tenant: how far the last finished run deleted. */
const NO_TENANT = "";
const CURSORS = { content: "retention-content", orders: "retention-orders" } as const;

/** A weekend without the app doesn't count as a jump. */
const JUMP_MS = 3 * DAY_MS;
/**
 * How long a jump must last. A machine that starts with a wrong clock is corrected within minutes. If one of several machines
 * stays wrong, the next run of another one ends the jump.
 */
const LASTING_MS = 6 * 3_600_000;
/** Open while a jump lasts. */
const JUMP = { name: "retention_leap" };

/** Keeps a wrong clock or a mistyped setting from deleting data that can't be restored. */
function createJumpGuard({ store, logger }: RetentionOptions) {
  /** How far the limits are ahead of those of the last run; null if there was none. */
  async function measure({ contentBeforeMs, ordersBeforeMs }: RetentionLimits): Promise<number | null> {
    const contentMs = await store.cursors.load(NO_TENANT, CURSORS.content);
    const ordersMs = await store.cursors.load(NO_TENANT, CURSORS.orders);
    if (contentMs === null || ordersMs === null) return null;
    return Math.max(contentBeforeMs - contentMs, ordersBeforeMs - ordersMs);
  }

  return {
    measure,
    /**
     * Whether a run may delete up to these limits. If they jumped since the last finished run, or no run ever finished on this
     * database, not until the jump has lasted for hours.
     */
    async allows(limits: RetentionLimits): Promise<boolean> {
      const jumpMs = await measure(limits);
      if (jumpMs !== null && jumpMs <= JUMP_MS) return true;
      const { nowMs } = limits;
      const { isNews, reportedAtMs } = await store.incidents.open({ ...JUMP, nowMs });
      if (isNews) logJump(logger, jumpMs);
      return nowMs >= reportedAtMs + LASTING_MS;
    },

    /** A run deleted up to these limits. */
    async hasErased({ nowMs, contentBeforeMs, ordersBeforeMs }: RetentionLimits): Promise<void> {
      await store.cursors.save(NO_TENANT, CURSORS.content, contentBeforeMs);
      await store.cursors.save(NO_TENANT, CURSORS.orders, ordersBeforeMs);
      await store.incidents.resolve(JUMP, nowMs);
    },
  };
}

function logJump(logger: Logger, jumpMs: number | null): void {
  const hours = LASTING_MS / 3_600_000;
  if (jumpMs === null) {
    logger.info(
      {},
      `nothing was ever deleted by age from this database: the first run deletes in ${hours} hours`,
    );
    return;
  }
  logger.warn(
    { jumpDays: Math.round(jumpMs / DAY_MS) },
    `much more data than expected is past its retention period: nothing is deleted for ${hours} hours. Check the clock, KEEP_CONTENT_DAYS and KEEP_ORDERS_DAYS, unless the app was off for days`,
  );
}

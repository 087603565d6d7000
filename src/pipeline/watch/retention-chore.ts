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

/** Rows erased or emptied, by step; steps that found nothing are left out. */
export type Erased = Readonly<Partial<Record<RetentionStep, number>>>;

/** Parts of {@link createRetentionChore}. */
export type RetentionOptions = Pick<PipelineParts, "store" | "keep" | "metrics" | "logger" | "now" | "owner">;

const DAY_MS = 86_400_000;
const EVERY_MS = 3_600_000;
/** A start has more urgent things to do. */
const FIRST_AFTER_MS = 60_000;
/** Between two chunks, for whoever wants to write. */
const BREATH_MS = 20;
/** One process erases at a time. */
const LEASE = "retention";
/** Renewed before each chunk; a process that is frozen is taken over from after this. */
const LEASE_MS = 5 * 60_000;
/** A run that is done keeps the others from running until just before the next one. */
const DONE_FOR_MS = EVERY_MS - 5 * 60_000;

/**
 * Platforms repeat a delivery for two days at most; whoever has captured one, for as long as they like. Its id and the
 * digest of its body stay for as long as orders do, and for this at least.
 */
const REPEATED_FOR_MS = 7 * DAY_MS;
/** An order of a shop that installs the app later than this has shipped. */
const AWAITED_FOR_MS = 7 * DAY_MS;
/** The longest that a place of a quota is looked back for, and that long again. */
const QUOTA_MS = 14 * DAY_MS;
const PASSING_MS = 2 * DAY_MS;
const CIRCUITS_MS = 30 * DAY_MS;

/** What is too old at a moment. */
export function toRetentionLimits({ contentDays, ordersDays }: KeepingTimes, nowMs: number): RetentionLimits {
  const contentBeforeMs = nowMs - contentDays * DAY_MS;
  const ordersBeforeMs = nowMs - ordersDays * DAY_MS;
  // What was spent and saved in this month is still being counted against its cap.
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
 * Create the erasure of what is older than it may get. `run` is one run, by one process at a time, and resolves to what
 * was erased, or to null when nothing was: another process is at it, or what is too old has leapt and the leap has to
 * last first. It stops after the chunk that is being erased.
 */
export function createRetentionChore(parts: RetentionOptions) {
  const { store, logger, owner } = parts;
  const guard = createLeapGuard(parts);
  const watch = createLatenessWatch(parts);

  async function run(signal: AbortSignal): Promise<Erased | null> {
    signal.throwIfAborted();
    if (!(await hold(parts, LEASE_MS, { endsWithProcess: true }))) return null;
    try {
      const erased = await eraseAll(parts, guard, signal);
      if (erased === "overtaken") return null;
      if (erased !== "leapt") await watch.done();
      await hold(parts, DONE_FOR_MS);
      if (erased === "leapt") return null;
      logger.info({ erased }, "data past its retention period was deleted");
      return erased;
    } catch (error) {
      // Somebody else may go on at once.
      await store.releaseLease(LEASE, owner).catch(() => undefined);
      throw error;
    }
  }

  async function round(signal: AbortSignal): Promise<void> {
    try {
      if ((await run(signal)) !== null) return;
    } catch (error) {
      if (!signal.aborted) await watch.failed(error);
      return;
    }
    logger.debug({}, "nothing was deleted in this run");
    await watch.missed();
  }

  /** A first run over years of orders may take longer than until the next one. */
  function onBusy(): Promise<void> {
    logger.debug({}, "the previous run is still deleting");
    return watch.missed();
  }

  const times = { everyMs: EVERY_MS, firstAfterMs: FIRST_AFTER_MS };
  return { run, ...createChore({ ...times, round, onBusy, failed: "erasing failed", logger }) };
}

function hold(
  { store, owner, now }: RetentionOptions,
  forMs: number,
  options: { readonly endsWithProcess?: boolean } = {},
): Promise<boolean> {
  return store.acquireLease(LEASE, owner, now(), now() + forMs, options);
}

/** Every step to its end, unless another process has taken over, having found this one standing still. */
async function eraseAll(
  parts: RetentionOptions,
  guard: ReturnType<typeof createLeapGuard>,
  signal: AbortSignal,
): Promise<Erased | "overtaken" | "leapt"> {
  const { store, now, keep = DEFAULT_KEEPING_TIMES } = parts;
  const limits = toRetentionLimits(keep, now());
  if (!(await guard.allows(limits))) return "leapt";
  const counts: [RetentionStep, number][] = [];
  for (const step of RETENTION_STEPS) {
    const erased = await eraseStep(parts, step, limits, signal);
    if (erased === null) return "overtaken";
    if (erased > 0) counts.push([step, erased]);
  }
  if (counts.length > 0) await store.scrub();
  await guard.hasErased(limits);
  return Object.fromEntries(counts);
}

/** One step to its end; null when another process has taken over. */
async function eraseStep(
  parts: RetentionOptions,
  step: RetentionStep,
  limits: RetentionLimits,
  signal: AbortSignal,
): Promise<number | null> {
  const { store, metrics } = parts;
  let erased = 0;
  let from: RetentionPosition | null = null;
  do {
    signal.throwIfAborted();
    if (!(await hold(parts, LEASE_MS, { endsWithProcess: true }))) return null;
    const chunk = await store.eraseAged(step, limits, from);
    if (chunk.erased > 0) metrics.erased(step, chunk.erased);
    erased += chunk.erased;
    from = chunk.next;
    if (from !== null) await pause(BREATH_MS, signal);
  } while (from !== null);
  return erased;
}

/** An erasure that is late by hours is nobody's night; one that does not happen for a day is somebody's duty. */
const ALERT_AFTER_MS = DAY_MS;
/** After a long time off the first run may take its time, and another process may be at it. */
const PATIENCE_MS = DAY_MS / 2;
/** Cursors of no tenant: when a run was last done, and how far it erased. */
const NO_TENANT = "";
const CURSORS = { done: "retention-done", content: "retention-content", orders: "retention-orders" } as const;

/** Knows when a run of the erasure was last done, by any process, and says when that was too long ago. */
function createLatenessWatch({ store, logger, now }: RetentionOptions) {
  let firstUndoneMs: number | undefined;
  let lateSinceMs: number | undefined;
  let toldMs: number | undefined;

  /** A moment that is yet to come was told by a clock that was ahead. */
  function isPast(atMs: number | null | undefined): atMs is number {
    return typeof atMs === "number" && atMs <= now();
  }

  /** The store that cannot erase may not answer this either. */
  async function findLastDone(): Promise<number | null> {
    const doneMs = await store.loadCursor(NO_TENANT, CURSORS.done).catch(() => null);
    return isPast(doneMs) ? doneMs : null;
  }

  /** Since when it has been late; undefined while it is not. */
  async function findLate(): Promise<number | undefined> {
    if (!isPast(firstUndoneMs)) firstUndoneMs = now();
    const sinceMs = (await findLastDone()) ?? firstUndoneMs;
    if (now() < sinceMs + ALERT_AFTER_MS) lateSinceMs = undefined;
    else if (!isPast(lateSinceMs)) lateSinceMs = now();
    return lateSinceMs;
  }

  function tell(fields: { readonly err?: unknown }): void {
    if (isPast(toldMs) && now() < toldMs + ALERT_AFTER_MS) return;
    toldMs = now();
    logger.error(
      { ...fields, alert: "retention_failed" },
      "personal data past its retention period hasn't been deleted for a day",
    );
  }

  return {
    async done() {
      await store.saveCursor(NO_TENANT, CURSORS.done, now());
      [firstUndoneMs, lateSinceMs, toldMs] = [undefined, undefined, undefined];
    },
    /** A run failed here; `error` says why. */
    async failed(error: unknown) {
      logger.warn({ err: error }, "couldn't delete data past its retention period; retrying in an hour");
      if ((await findLate()) !== undefined) tell({ err: error });
    },
    /** The time for a run came, and none was done here: somebody else is at it, or something is in the way. */
    async missed() {
      const sinceMs = await findLate();
      if (sinceMs !== undefined && now() >= sinceMs + PATIENCE_MS) tell({});
    },
  };
}

/** A weekend without the app is no leap. */
const LEAP_MS = 3 * DAY_MS;
/**
 * A machine that starts with a wrong clock is put right within minutes, and one of several that stays wrong is
 * contradicted by the next run of another.
 */
const LASTING_MS = 6 * 3_600_000;
/** Open while a leap lasts. */
const LEAP = { name: "retention_leap" };

/** Keeps a clock that was set wrong, or a mistyped setting, from erasing what cannot be brought back. */
function createLeapGuard({ store, logger }: RetentionOptions) {
  /** By how much the limits are ahead of those of the last run; null when there was none. */
  async function measure({ contentBeforeMs, ordersBeforeMs }: RetentionLimits): Promise<number | null> {
    const contentMs = await store.loadCursor(NO_TENANT, CURSORS.content);
    const ordersMs = await store.loadCursor(NO_TENANT, CURSORS.orders);
    if (contentMs === null || ordersMs === null) return null;
    return Math.max(contentBeforeMs - contentMs, ordersBeforeMs - ordersMs);
  }

  return {
    /**
     * Whether a run may erase up to these limits. Not when they leapt since the last run that ended, or on a database on
     * which none did, until the leap has lasted for hours.
     */
    async allows(limits: RetentionLimits): Promise<boolean> {
      const leapMs = await measure(limits);
      if (leapMs !== null && leapMs <= LEAP_MS) return true;
      const { nowMs } = limits;
      const { isNews, toldAtMs } = await store.openIncident({ ...LEAP, nowMs });
      if (isNews) tellLeap(logger, leapMs);
      return nowMs >= toldAtMs + LASTING_MS;
    },

    /** A run erased up to these limits. */
    async hasErased({ nowMs, contentBeforeMs, ordersBeforeMs }: RetentionLimits): Promise<void> {
      await store.saveCursor(NO_TENANT, CURSORS.content, contentBeforeMs);
      await store.saveCursor(NO_TENANT, CURSORS.orders, ordersBeforeMs);
      await store.resolveIncident(LEAP, nowMs);
    },
  };
}

function tellLeap(logger: Logger, leapMs: number | null): void {
  const hours = LASTING_MS / 3_600_000;
  if (leapMs === null) {
    logger.info({}, `nothing was ever deleted by age from this database: the first run deletes in ${hours} hours`);
    return;
  }
  logger.warn(
    { leapDays: Math.round(leapMs / DAY_MS) },
    `much more data than expected is past its retention period: nothing is deleted for ${hours} hours. Check the clock, KEEP_CONTENT_DAYS and KEEP_ORDERS_DAYS, unless the app was off for days`,
  );
}

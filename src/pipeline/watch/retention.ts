import type { Logger } from "../../base/logger.ts";
import type { Metrics } from "../metrics.ts";
import { pause } from "../../base/waiting.ts";
import { DEFAULT_ORDERS_DAYS } from "../../screening/kept-answers.ts";
import { toPeriods } from "../../screening/screening-task.ts";
import type { LeaseStore } from "../../store/store.ts";
import type { RetentionPosition } from "../../store/retention/aged-rows.ts";
import {
  RETENTION_STEPS,
  type RetentionLimits,
  type RetentionStep,
  type RetentionStore,
} from "../../store/retention/retention.ts";
import { createChore } from "./chore.ts";
import { createLeapGuard, type LeapGuard, type LeapStore, createRetentionWatch } from "./retention-watch.ts";
import { toTimelineEntry } from "../timeline.ts";

/** How long things are kept. */
export interface KeepingTimes {
  /** Days for which the content of orders is kept: request, answers, changes. */
  readonly contentDays: number;
  /** Days for which orders are kept, without their content in the end, and the answers that stand for them. */
  readonly ordersDays: number;
}

/** A month for a reviewer, and a quarter for whoever asks why. */
export const DEFAULT_KEEPING_TIMES: KeepingTimes = { contentDays: 30, ordersDays: DEFAULT_ORDERS_DAYS };

/** Rows erased or emptied, by step; steps that found nothing are left out. */
export type Erased = Readonly<Partial<Record<RetentionStep, number>>>;

/** Parts of {@link createRetention}. */
export interface RetentionOptions {
  readonly store: RetentionStore & LeapStore & Pick<LeaseStore, "acquireLease" | "releaseLease">;
  /** Default {@link DEFAULT_KEEPING_TIMES}. */
  readonly keep?: KeepingTimes | undefined;
  readonly metrics: Pick<Metrics, "erased">;
  readonly logger: Logger;
  readonly now: () => number;
  /** Unique per process. */
  readonly owner: string;
}

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
export function createRetention(options: RetentionOptions) {
  const { store, logger, owner, now } = options;
  const guard = createLeapGuard(store, logger);
  const watch = createRetentionWatch(store, logger, now);

  async function run(signal: AbortSignal): Promise<Erased | null> {
    signal.throwIfAborted();
    if (!(await hold(options, LEASE_MS, { endsWithProcess: true }))) return null;
    try {
      const erased = await eraseAll(options, guard, signal);
      if (erased === "overtaken") return null;
      if (erased !== "leapt") await watch.done();
      await hold(options, DONE_FOR_MS);
      if (erased === "leapt") return null;
      logger.info({ erased }, "what was too old was erased");
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
    logger.debug({}, "nothing was erased this time");
    await watch.missed();
  }

  /** A first run over years of orders may take longer than until the next one. */
  function onBusy(): Promise<void> {
    logger.debug({}, "the run before is still erasing");
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
  options: RetentionOptions,
  guard: LeapGuard,
  signal: AbortSignal,
): Promise<Erased | "overtaken" | "leapt"> {
  const { store, now, keep = DEFAULT_KEEPING_TIMES } = options;
  const limits = toRetentionLimits(keep, now());
  if (!(await guard.allows(limits))) return "leapt";
  const counts: [RetentionStep, number][] = [];
  for (const step of RETENTION_STEPS) {
    const erased = await eraseStep(options, step, limits, signal);
    if (erased === null) return "overtaken";
    if (erased > 0) counts.push([step, erased]);
  }
  if (counts.length > 0) await store.scrub();
  await guard.hasErased(limits);
  return Object.fromEntries(counts);
}

/** One step to its end; null when another process has taken over. */
async function eraseStep(
  options: RetentionOptions,
  step: RetentionStep,
  limits: RetentionLimits,
  signal: AbortSignal,
): Promise<number | null> {
  const { store, metrics } = options;
  let erased = 0;
  let from: RetentionPosition | null = null;
  do {
    signal.throwIfAborted();
    if (!(await hold(options, LEASE_MS, { endsWithProcess: true }))) return null;
    const chunk = await store.eraseAged(step, limits, from);
    if (chunk.erased > 0) metrics.erased(step, chunk.erased);
    erased += chunk.erased;
    from = chunk.next;
    if (from !== null) await pause(BREATH_MS, signal);
  } while (from !== null);
  return erased;
}

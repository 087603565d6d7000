import { toDaySpans, toKnownZone } from "../../base/day-spans.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { TimeWindow } from "../../store/figures/slices.ts";
import type { Store } from "../../store/store.ts";
import { createChore, visitTenants, type TenantVisit, type VisitOptions } from "./chore.ts";
import {
  findShifts,
  LEVEL_SHIFTS,
  toLevelMix,
  toShiftWindows,
  WEEKS_BEFORE,
  type LevelMix,
  type LevelShift,
} from "./level-shift.ts";

/** Parts of {@link createLevelShiftWatch}. */
export interface LevelShiftWatchOptions extends VisitOptions {
  readonly store: VisitOptions["store"] &
    Pick<Store, "tallyDays" | "openIncident" | "resolveIncident" | "listOpenIncidents">;
}

/** An attack is worth knowing within the hour, and a measurement reads five days of a shop's index. */
const EVERY_MS = 30 * 60_000;
const LOCALE_WITHIN_MS = 10_000;
/** Names a shift's incident. */
const PREFIX = "levels_shifted:";

/** The shifts of a tenant that began at `sinceMs` or later and go on, as they were measured last. */
export async function listLevelShifts(
  store: Pick<Store, "listOpenIncidents">,
  tenant: TenantId,
  sinceMs: number,
): Promise<readonly LevelShift[]> {
  const open = await store.listOpenIncidents(
    tenant,
    LEVEL_SHIFTS.map((shift) => `${PREFIX}${shift}`),
    sinceMs,
  );
  return LEVEL_SHIFTS.filter((shift) => open.includes(`${PREFIX}${shift}`));
}

/**
 * Create the watch that compares the levels of a shop's orders today with those of the same weekdays before, by the shop's
 * clock. `run` is one round over every installed tenant.
 */
export function createLevelShiftWatch(options: LevelShiftWatchOptions) {
  const { logger } = options;

  async function run(signal: AbortSignal): Promise<void> {
    const about = { lease: "level-shift", failed: "the levels of a shop's orders could not be compared" };
    await visitTenants(options, about, (visited) => compare(options, visited, signal), signal);
  }

  const failed = "comparing the levels of today's orders failed";
  return { run, ...createChore({ everyMs: EVERY_MS, round: run, failed, logger }) };
}

async function compare(
  options: LevelShiftWatchOptions,
  { tenant, platform }: TenantVisit,
  signal: AbortSignal,
): Promise<void> {
  const { store, now } = options;
  const within = AbortSignal.any([signal, AbortSignal.timeout(LOCALE_WITHIN_MS)]);
  // A shop that can't be asked is compared in the next round: by another clock, its days would be others.
  const locale = await platform.readLocale?.(tenant, { signal: within });
  const nowMs = now();
  const spans = toDaySpans(nowMs, 7 * WEEKS_BEFORE + 1, toKnownZone(locale?.timeZone ?? null));
  const windows = toShiftWindows(spans, nowMs);
  const today = await countLevels(options, tenant, [windows.today], signal);
  const before = await countLevels(options, tenant, windows.before, signal);
  // A shift ends with its day, and begins again with the next one where that differs too.
  const open = await listLevelShifts(store, tenant, windows.today.sinceMs);
  const all = await listLevelShifts(store, tenant, 0);
  const shifts = findShifts(today, before, open);
  const over = all.filter((shift) => !open.includes(shift) || !shifts.includes(shift));
  await report(options, tenant, { shifts, over }, { today, before });
}

async function countLevels(
  { store }: LevelShiftWatchOptions,
  tenant: TenantId,
  windows: readonly TimeWindow[],
  signal: AbortSignal,
): Promise<LevelMix> {
  const tallies = [];
  for (const window of windows) tallies.push(...(await store.tallyDays(tenant, window, signal)));
  return toLevelMix(tallies);
}

async function report(
  { store, logger, now }: LevelShiftWatchOptions,
  tenant: TenantId,
  { shifts, over }: { readonly shifts: readonly LevelShift[]; readonly over: readonly LevelShift[] },
  { today, before }: { readonly today: LevelMix; readonly before: LevelMix },
): Promise<void> {
  const toFacts = (shift: LevelShift) => ({
    tenant,
    problem: shift,
    found: shift.startsWith("medium") ? today.medium : today.elevated,
    today,
    before,
  });
  for (const shift of over) {
    if (!(await store.resolveIncident({ tenant, name: `${PREFIX}${shift}` }, now()))) continue;
    logger.info(
      { resolved: "levels_shifted", ...toFacts(shift) },
      "the risk of today's orders is as usual again, or the day is over",
    );
  }
  for (const shift of shifts) {
    if (!(await store.openIncident({ tenant, name: `${PREFIX}${shift}`, nowMs: now() })).isNews) continue;
    logger.warn(
      { alert: "levels_shifted", ...toFacts(shift) },
      "the risk of today's orders differs clearly from the same weekdays before",
    );
  }
}

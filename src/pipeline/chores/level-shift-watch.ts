import { alertOnce, reportOver } from "../../alerts/alert-once.ts";
import { type DaySpan, toDaySpans, toKnownZone } from "../../base/day-spans.ts";
import type { DayTally } from "../../store/figures/statistics.ts";
import type { TimeWindow } from "../../store/slices.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { Store } from "../../store/store.ts";
import { createChore, visitTenants, type TenantVisit, type VisitParts } from "./chore.ts";

/** How many weeks back the same weekday is compared with today. */
const WEEKS_BEFORE = 4;
/** With fewer orders today, or on all earlier days together, nothing is reported. */
const LEAST_ORDERS = { today: 50, before: 200 };
/**
 * How many standard errors the shares lie apart when a shift begins. A shop is measured 48 times a day in two shares. By
 * chance alone, 6 of 100,000 measurements exceed 4, at most two a year.
 */
const CLEAR = 4;
/** A shift ends below this many, so that it doesn't end and begin repeatedly. */
const OVER = 2;
/** With many orders, even a small difference is significant. Report only a share this many times larger or smaller. */
const LEAST_RATIO = 1.5;
/** A smaller difference from the expected number is ignored, because with so few orders the test isn't exact. */
const LEAST_DIFFERENCE = 5;

/** How today's mix of levels can differ: `high-critical-up` means that more orders are high or critical than usual. */
export const LEVEL_SHIFTS = ["high-critical-up", "high-critical-down", "medium-up", "medium-down"] as const;
type LevelShift = (typeof LEVEL_SHIFTS)[number];

/** Orders with a level. */
export interface LevelMix {
  readonly orders: number;
  readonly elevated: number;
  readonly medium: number;
}

export function toLevelMix(tallies: readonly DayTally[]): LevelMix {
  const count = (levels: readonly DayTally["level"][]) =>
    tallies.reduce((sum, { level, orders }) => sum + (levels.includes(level) ? orders : 0), 0);
  const [elevated, medium, low] = [count(["high", "critical"]), count(["medium"]), count(["low"])];
  return { orders: elevated + medium + low, elevated, medium };
}

/** Today up to now, and the same part of the same weekday in each of the weeks before that `spans` cover. */
export function toShiftWindows(
  spans: readonly DaySpan[],
  nowMs: number,
): { readonly today: TimeWindow; readonly before: readonly TimeWindow[] } {
  const today = spans.at(-1)?.lastDay ?? 0;
  const untilToday = toWindow(spans, today);
  const tookMs = nowMs - untilToday.sinceMs;
  const before = Array.from({ length: WEEKS_BEFORE }, (_, week) => {
    const { sinceMs, untilMs } = toWindow(spans, today - 7 * (week + 1));
    // A day with a clock change can be shorter than the part of today that has passed.
    return { sinceMs, untilMs: Math.min(untilMs, sinceMs + tookMs) };
  });
  return { today: { sinceMs: untilToday.sinceMs, untilMs: nowMs }, before };
}

/** When the last day of `spans` begins, milliseconds since the epoch. */
export function toTodayMs(spans: readonly DaySpan[]): number {
  return toWindow(spans, spans.at(-1)?.lastDay ?? 0).sinceMs;
}

const DAY_MS = 86_400_000;

function toWindow(spans: readonly DaySpan[], day: number): TimeWindow {
  const span = spans.find(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay);
  if (span === undefined) return { sinceMs: 0, untilMs: 0 };
  // Only a day that is alone in its span can have a different length.
  const sinceMs = span.sinceMs + (day - span.firstDay) * DAY_MS;
  return { sinceMs, untilMs: day === span.lastDay ? span.untilMs : sinceMs + DAY_MS };
}

/** The current shifts: those that are clear now, and those of `open` that aren't over. */
export function findShifts(
  today: LevelMix,
  before: LevelMix,
  open: readonly string[],
): readonly LevelShift[] {
  if (today.orders < LEAST_ORDERS.today || before.orders < LEAST_ORDERS.before) return [];
  const scores = {
    "high-critical": toScore(today.elevated, today.orders, before.elevated, before.orders),
    medium: toScore(today.medium, today.orders, before.medium, before.orders),
  };
  return LEVEL_SHIFTS.filter((shift) => {
    const isUp = shift.endsWith("-up");
    const score = scores[shift.startsWith("medium") ? "medium" : "high-critical"];
    const towards = isUp ? score.errors : -score.errors;
    return open.includes(shift) ? towards >= OVER : towards >= CLEAR && score.isLarge;
  });
}

/** The two-proportion z-test with a pooled share: how many standard errors lie between the shares `a` of `n` and `b` of `m`. */
function toScore(a: number, n: number, b: number, m: number) {
  const [share, usual, pooled] = [a / n, b / m, (a + b) / (n + m)];
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m));
  const [less, more] = [Math.min(share, usual), Math.max(share, usual)];
  const isLarge = more >= less * LEAST_RATIO && Math.abs(a - usual * n) >= LEAST_DIFFERENCE;
  return { errors: error === 0 ? 0 : (share - usual) / error, isLarge };
}

/** An attack should be noticed within an hour, but each measurement reads five days of a shop's index. */
const EVERY_MS = 30 * 60_000;
const LOCALE_WITHIN_MS = 10_000;
const toName = (shift: LevelShift) => `levels_shifted:${shift}`;

/** A tenant's open shifts that began at `sinceMs` or later, as last measured. */
export async function listLevelShifts(
  store: Pick<Store, "incidents">,
  tenant: TenantId,
  sinceMs: number,
): Promise<readonly LevelShift[]> {
  const open = await store.incidents.listOpen(tenant, LEVEL_SHIFTS.map(toName), sinceMs);
  return LEVEL_SHIFTS.filter((shift) => open.includes(toName(shift)));
}

/**
 * Create the watch that compares the levels of a shop's orders today with those of the same weekdays before, by the shop's
 * clock. `run` is one round over every installed tenant.
 */
export function createLevelShiftWatch(parts: VisitParts) {
  const { logger } = parts;

  async function run(signal: AbortSignal): Promise<void> {
    const about = { lease: "level-shift", failed: "couldn't compare the risk levels of a shop's orders" };
    await visitTenants(parts, about, (visited) => compare(parts, visited, signal), signal);
  }

  const failed = "couldn't compare the risk levels of today's orders";
  return { run, ...createChore({ everyMs: EVERY_MS, round: run, failed, logger }) };
}

async function compare(parts: VisitParts, { tenant, platform }: TenantVisit, signal: AbortSignal) {
  const { store, now } = parts;
  const within = AbortSignal.any([signal, AbortSignal.timeout(LOCALE_WITHIN_MS)]);
  // If the shop can't be asked for its time zone, compare in the next round: its days depend on it.
  const locale = await platform.readLocale?.(tenant, { signal: within });
  const nowMs = now();
  const spans = toDaySpans(nowMs, 7 * WEEKS_BEFORE + 1, toKnownZone(locale?.timeZone ?? null));
  const windows = toShiftWindows(spans, nowMs);
  const today = await countLevels(parts, tenant, [windows.today], signal);
  const before = await countLevels(parts, tenant, windows.before, signal);
  // A shift ends with its day. If the next day differs too, a new one begins.
  const open = await listLevelShifts(store, tenant, windows.today.sinceMs);
  const all = await listLevelShifts(store, tenant, 0);
  const shifts = findShifts(today, before, open);
  const over = all.filter((shift) => !open.includes(shift) || !shifts.includes(shift));
  await report(parts, tenant, { shifts, over }, { today, before });
}

async function countLevels(
  { store }: VisitParts,
  tenant: TenantId,
  windows: readonly TimeWindow[],
  signal: AbortSignal,
): Promise<LevelMix> {
  const tallies = [];
  for (const window of windows) tallies.push(...(await store.figures.tallyDays(tenant, window, signal)));
  return toLevelMix(tallies);
}

async function report(
  parts: VisitParts,
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
    const message = "the risk of today's orders is back to normal, or the day is over";
    await reportOver(parts, { tenant, name: toName(shift) }, "levels_shifted", toFacts(shift), message);
  }
  for (const shift of shifts) {
    const message = "the risk of today's orders differs clearly from the same weekday before";
    await alertOnce(parts, { tenant, name: toName(shift) }, "levels_shifted", toFacts(shift), message);
  }
}

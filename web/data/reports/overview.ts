import type { DataOf } from "../api/api-types.ts";
import { formatCount, formatDate, HOUR_MS, MINUTE_MS, SECOND_MS } from "../base/format.ts";

export type Overview = DataOf<"GET /overview">;
export type OverviewDay = Overview["days"][number];
export type Credits = Overview["credits"];

/** The number beside "Queue". During an upgrade, the release before may answer, which knows fewer figures. */
export function countWaiting({ held, failed, waiting }: Partial<Overview["queue"]> = {}): number {
  return (held ?? 0) + (failed ?? 0) + (waiting ?? 0);
}

/** How long something took, with a useful precision: `340 ms`, `1.8 s`, `2 min 5 s`, `3 h 10 min`. */
export function formatTook(ms: number | null): string {
  if (ms === null) return "–";
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`;
  if (ms < MINUTE_MS) {
    const tenths = Math.round(ms / 100) / 10;
    return `${tenths < 10 ? tenths : Math.round(tenths)} s`;
  }
  if (ms < HOUR_MS) return toTwo(ms, MINUTE_MS, "min", SECOND_MS, "s");
  return toTwo(ms, HOUR_MS, "h", MINUTE_MS, "min");
}

function toTwo(ms: number, bigMs: number, big: string, smallMs: number, small: string): string {
  const whole = Math.floor(ms / bigMs);
  const rest = Math.floor((ms % bigMs) / smallMs);
  return rest === 0 ? `${whole} ${big}` : `${whole} ${big} ${rest} ${small}`;
}

/** How long the credits last, in a sentence. `today` is an ISO date. */
export function toRunOutSentence(credits: Credits, today: string): string {
  const { spentToday, dailyCap, spentMonth, monthlyCap, runsOutOn } = credits;
  if (monthlyCap !== null && spentMonth >= monthlyCap)
    return "You've reached the monthly limit. Orders are now decided without the service.";
  if (dailyCap === 0) return "The daily limit is 0, so orders are decided without the service.";
  if (dailyCap !== null && spentToday >= dailyCap)
    return "You've reached today's limit. Until midnight UTC, orders are decided without the service.";
  if (monthlyCap === null) return "No monthly limit.";
  const left = formatCount(monthlyCap - spentMonth);
  if (runsOutOn === null)
    return `${left} left this month. At this rate, they last until the end of the month.`;
  if (runsOutOn <= today) return `${left} left this month. At this rate, they run out today.`;
  return `${left} left this month. At this rate, they run out on ${formatDate(runsOutOn)}.`;
}

export const SAVED_WORDS: Readonly<Record<string, string>> = {
  cached: "already checked",
  duplicate: "duplicate deliveries",
  skipped: "skipped by a rule",
  brake: "bursts limited",
};

export const CIRCUIT_WORDS: Readonly<Record<Credits["circuit"], string>> = {
  closed: "The verification service is available.",
  open: "Calls to the verification service are paused.",
  "half-open": "Checking whether the verification service is available again.",
  local: "No verification service is set up. The local engine checks orders and never cancels.",
};

export function sumDays(days: readonly OverviewDay[], name: Exclude<keyof OverviewDay, "date">): number {
  return days.reduce((sum, day) => sum + day[name], 0);
}

export const SHIFT_WORDS: Readonly<Record<Overview["levelShifts"][number]["shift"], string>> = {
  "high-critical-up": "More high and critical orders than on the same weekday of the last four weeks:",
  "high-critical-down": "Fewer high and critical orders than on the same weekday of the last four weeks:",
  "medium-up": "More medium orders than on the same weekday of the last four weeks:",
  "medium-down": "Fewer medium orders than on the same weekday of the last four weeks:",
};

/** Orders of the last day with one of the levels, `high,critical`; with any level by default. */
export function countToday({ days }: Overview, levels = "low,medium,high,critical"): number {
  return levels.split(",").reduce((sum, level) => sum + (days.at(-1)?.[level as "low"] ?? 0), 0);
}

import type { DataOf } from "../api/api-types.ts";
import { formatDate, HOUR_MS, MINUTE_MS, SECOND_MS } from "../base/format.ts";
import { t } from "../base/texts.ts";

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
  if (ms < SECOND_MS) return t("format.milliseconds", { count: Math.round(ms) });
  if (ms < MINUTE_MS) {
    const tenths = Math.round(ms / 100) / 10;
    return t("format.seconds", { count: tenths < 10 ? tenths : Math.round(tenths) });
  }
  const seconds = Math.floor((ms % MINUTE_MS) / SECOND_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const hours = Math.floor(ms / HOUR_MS);
  if (hours > 0)
    return minutes === 0
      ? t("format.hours", { count: hours })
      : t("format.hours-minutes", { hours, minutes });
  return seconds === 0
    ? t("format.minutes", { count: minutes })
    : t("format.minutes-seconds", { minutes, seconds });
}

/** How long the credits last, in a sentence. `today` is an ISO date. */
export function toRunOutSentence(credits: Credits, today: string): string {
  const { spentToday, dailyCap, spentMonth, monthlyCap, runsOutOn } = credits;
  if (monthlyCap !== null && spentMonth >= monthlyCap)
    return t("overview.youve-reached-the-monthly-limit-orders");
  if (dailyCap === 0) return t("overview.the-daily-limit-is-0-so");
  if (dailyCap !== null && spentToday >= dailyCap)
    return t("overview.youve-reached-todays-limit-until-midnight");
  if (monthlyCap === null) return t("overview.no-monthly-limit");
  const left = monthlyCap - spentMonth;
  if (runsOutOn === null) return t("overview.left", { left });
  if (runsOutOn <= today) return t("overview.left-today", { left });
  return t("overview.left-until", { left, date: formatDate(runsOutOn) });
}

export const SAVED_WORDS: Readonly<Record<string, string>> = {
  cached: t("overview.already-checked"),
  duplicate: t("overview.duplicate-deliveries"),
  skipped: t("overview.skipped-by-a-rule"),
  brake: t("overview.bursts-limited"),
};

export const CIRCUIT_WORDS: Readonly<Record<Credits["circuit"], string>> = {
  closed: t("overview.the-verification-service-is-available"),
  open: t("overview.calls-to-the-verification-service-are"),
  "half-open": t("overview.checking-whether-the-verification-service-is"),
  local: t("overview.no-verification-service-is-set-up"),
};

export function sumDays(days: readonly OverviewDay[], name: Exclude<keyof OverviewDay, "date">): number {
  return days.reduce((sum, day) => sum + day[name], 0);
}

export const SHIFT_WORDS: Readonly<Record<Overview["levelShifts"][number]["shift"], string>> = {
  "high-critical-up": t("overview.more-high-and-critical-orders-than"),
  "high-critical-down": t("overview.fewer-high-and-critical-orders-than"),
  "medium-up": t("overview.more-medium-orders-than-on-the"),
  "medium-down": t("overview.fewer-medium-orders-than-on-the"),
};

/** Orders of the last day with one of the levels, `high,critical`; with any level by default. */
export function countToday({ days }: Overview, levels = "low,medium,high,critical"): number {
  return levels.split(",").reduce((sum, level) => sum + (days.at(-1)?.[level as "low"] ?? 0), 0);
}

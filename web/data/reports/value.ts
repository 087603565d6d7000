import type { Report } from "./report.ts";
import { formatCount, formatMoney, formatRatio, formatShortDay, formatSum } from "../base/format.ts";
import { t } from "../base/texts.ts";
import type { TrendPoint } from "../base/chart.ts";

export type ValueReport = Report["value"];
export type Value = ValueReport["fraudStopped"];

/** What orders are worth in the shop's currency; while that isn't known, a sum by currency. */
export function formatValue({ value, apart }: Value, currency: string | null): string {
  return value === null ? formatSum(apart) : formatMoney(value, currency);
}

/** The sums that have no rate, if there are any beside a value. */
export function toApart({ value, apart }: Value): string | null {
  return value === null || Object.keys(apart).length === 0 ? null : formatSum(apart);
}

/** `16.7%`, or that too few outcomes are known. */
export function toFalsePositives({ good, known, share, needed }: ValueReport["falsePositives"]) {
  if (share === null)
    return { value: t("value.too-few"), hint: t("value.too-few-of", { good, known, needed }) };
  return { value: formatRatio(share), hint: t("value.good-of-known", { good, known }) };
}

export type GaugeTone = "good" | "warn" | "bad";

/** How near the share of chargebacks is to what card networks accept. */
export function toGaugeTone({ share, watchAt, limit }: ValueReport["chargebacks"]): GaugeTone {
  if (share === null || share < watchAt) return "good";
  return share < limit ? "warn" : "bad";
}

type Week = ValueReport["weeks"][number];

/** A figure by week. */
export function toTrend(
  { weeks, currency }: ValueReport,
  figure: "fraudStopped" | "fraudMissed" | "goodStopped",
): readonly TrendPoint[] {
  return toPoints(weeks, ({ [figure]: of }) => ({
    value: of.value ?? of.orders,
    shown: of.value === null ? formatCount(of.orders) : formatMoney(of.value, currency),
  }));
}

/** The share of chargebacks by week. */
export function toChargebackTrend({ weeks }: ValueReport): readonly TrendPoint[] {
  return toPoints(weeks, ({ chargebacks, sold }) => {
    const share = sold === 0 ? 0 : chargebacks / sold;
    return { value: share, shown: formatRatio(share) };
  });
}

function toPoints(weeks: readonly Week[], toPoint: (week: Week) => Omit<TrendPoint, "label">) {
  return weeks.map((week) => ({ label: formatShortDay(week.start), ...toPoint(week) }));
}

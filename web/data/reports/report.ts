import type { DataOf } from "../api/api-types.ts";
import { formatPart, formatWorth, joinSentences } from "../base/format.ts";
import { call } from "../api/api.ts";
import { saveCsv } from "../base/save-file.ts";
import { t } from "../base/texts.ts";

export type Report = DataOf<"GET /report">;
export type ReportRow = Report["rows"][number];

export function toReportSentence(report: Report): string {
  const { mode, days, held, cancelled, agreed, credits, value } = report;
  if (report.decided === 0) return t("report.none-decided", { days });
  const sums = { days, held: formatWorth(held), canceled: formatWorth(cancelled) };
  return joinSentences([
    // Not every cancel that was decided took place: the hourly limit, a person or the shop may have stopped it.
    mode === "shadow" ? t("report.would-have", sums) : t("report.has", sums),
    toAgreement(agreed),
    value.fraudMissed.orders > 0 &&
      t("report.missed", { orders: formatValued(value.fraudMissed, value.currency) }),
    t("report.credits-used", { count: credits.spent }),
  ]);
}

/** `7 orders ($700.00 + EUR 20.00)`: in the shop's currency, as far as rates are known. */
function formatValued(
  { orders, value, apart }: Report["value"]["fraudMissed"],
  currency: string | null,
): string {
  const own = value === null || value === 0 || currency === null ? {} : { [currency]: value };
  return formatWorth({ orders, amount: { ...own, ...apart } });
}

function toAgreement({ orders, of, pending }: Report["agreed"]): string | null {
  if (of === 0) return null;
  return of <= pending ? t("report.unknown-agreement") : t("report.agreement", { orders, of, pending });
}

/** How many orders of a level turned out bad, as `33 of 41`; a dash without orders. */
export function toBadShare({ orders, chargedBack, cancelled }: Report["byLevel"]["critical"]): string {
  return orders === 0 ? "–" : formatPart(chargedBack + cancelled, orders);
}

/** The month's disputes as a file. */
export async function saveDisputeMonth(month: string): Promise<void> {
  const { data } = await call("GET /report/disputes.csv");
  saveCsv(`holdfast-disputes-${month}.csv`, data);
}

/** Fetch the report as CSV and have it saved. Works with a session of either kind, unlike a link. */
export async function saveReport(days: number): Promise<void> {
  const { data } = await call("GET /report.csv", { query: { days } });
  saveCsv(`holdfast-report-${days}-days.csv`, data);
}

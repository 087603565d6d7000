import type { DataOf } from "../api/api-types.ts";
import { formatCount, formatPlural, formatWorth } from "../base/format.ts";
import { call } from "../api/api.ts";

export type Report = DataOf<"GET /report">;
export type ReportRow = Report["rows"][number];

export function toReportSentence(report: Report): string {
  const { mode, days, held, cancelled, agreed, credits, passed } = report;
  if (report.decided === 0) {
    return `No order was decided in ${days === 1 ? "the last day" : `the last ${days} days`}.`;
  }
  const time = days === 1 ? "In the last day" : `In ${days} days`;
  // Not every cancel that was decided took place: the hourly limit, a person or the shop may have stopped it.
  const acts =
    mode === "shadow"
      ? `${time} this policy would have held ${formatWorth(held)} and canceled ${formatWorth(cancelled)}.`
      : `${time} Holdfast decided to hold ${formatWorth(held)} and to cancel ${formatWorth(cancelled)}.`;
  const { spent } = credits;
  const cost = `${formatPlural(spent, "credit")} used.`;
  const missed = passed.orders === 0 ? "" : `${formatWorth(passed)} charged back as fraud.`;
  return [acts, toAgreement(agreed), missed, cost].filter((part) => part !== "").join(" ");
}

function toAgreement({ orders, of, pending }: Report["agreed"]): string {
  if (of === 0) return "";
  const known = of - pending;
  if (known <= 0) return `The platform's own risk isn't available yet.`;
  const rest = pending === 0 ? "" : ` (${pending} pending)`;
  return `Shopify or your team agreed on ${orders} of ${of}${rest}.`;
}

/** How many orders of a level turned out bad, as `33 of 41`; a dash without orders. */
export function toBadShare({ orders, chargedBack, cancelled }: Report["byLevel"]["critical"]): string {
  return orders === 0 ? "–" : `${formatCount(chargedBack + cancelled)} of ${formatCount(orders)}`;
}

export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // By then, the download no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Fetch the report as CSV and have it saved. Works with a session of either kind, unlike a link. */
export async function saveReport(days: number): Promise<void> {
  const { data } = await call("GET /report.csv", { query: { days } });
  saveFile(`holdfast-report-${days}-days.csv`, "text/csv;charset=utf-8", data);
}

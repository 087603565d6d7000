import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { makeReport, readReportPages, type ReportRow } from "../../../pipeline/report/decision-report.ts";
import { PLATFORM_RISKS } from "../../../order/order-context.ts";
import { DISPUTE_KINDS } from "../../../platform/platform.ts";
import { ACTIONS, DECLINE_REASONS } from "../../../order/decision.ts";
import { OUTCOMES } from "../../../policy/replay-tally.ts";
import { toIso } from "../../../base/iso-time.ts";
import { noteAct } from "../base/note-access.ts";
import { listedOrderJson } from "../orders/order-json.ts";
import { handleRoutes, type CallOf, type RouteDefinitions } from "../../http/api-route.ts";
import { CSV_START, toCsvLine, type CsvValue } from "../../../base/csv.ts";
import { wholeNumber } from "../../http/query.ts";
import { createWindowReports, toWindow } from "./window-reports.ts";
import { toZonedIso, type LocalParts } from "../../parts/shop-locales.ts";

/** Sums by currency, in major units: `{ "USD": 4210.5 }`. */
export const moneyJson = z.record(z.string(), z.number());

export const worthJson = z.object({ orders: z.int(), amount: moneyJson });

const rowJson = listedOrderJson.extend({
  receivedAt: z.iso.datetime(),
  riskScore: z.number().nullable(),
  action: z.enum(ACTIONS),
  outcome: z.enum(OUTCOMES),
  platformRisk: z.enum(PLATFORM_RISKS).nullable(),
  dispute: z.enum(DISPUTE_KINDS).nullable(),
});

const levelJson = worthJson.extend({
  chargedBack: z.int().describe("charged back for fraud"),
  cancelled: z.int().describe("canceled by anyone, Holdfast included, or declined by a person"),
});

const reportJson = z.object({
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  days: z.int(),
  mode: z.enum(["active", "shadow"]).describe("mode of the current policy"),
  orders: z.int(),
  decided: z.int(),
  held: worthJson,
  cancelled: worthJson,
  tagged: worthJson,
  agreed: z
    .object({ orders: z.int(), of: z.int(), pending: z.int() })
    .describe("held or canceled orders that the platform flagged, or that ended canceled"),
  credits: z.object({ spent: z.int(), saved: z.int() }),
  byLevel: z.object({ low: levelJson, medium: levelJson, high: levelJson, critical: levelJson }),
  declined: z
    .partialRecord(z.enum([...DECLINE_REASONS, "none"]), z.int())
    .describe("orders that people declined, by their reason"),
  passed: worthJson.describe("fraud that passed: orders that were charged back for fraud"),
  rows: z.array(rowJson).describe("orders tagged, held, canceled, or disputed, newest first, at most 500"),
});

const reportQuery = z.object({ days: wholeNumber(1, 365).default(14) });

const REPORT_ROUTES = {
  "GET /report": {
    id: "showReport",
    summary: "Show what Holdfast did, or would have done while it only watched, and the outcomes.",
    role: "viewer",
    query: reportQuery,
    answers: { 200: reportJson },
  },
  "GET /report.csv": {
    id: "exportReport",
    summary: "Download the report's tagged, held, canceled, and disputed orders as a CSV file.",
    role: "viewer",
    query: reportQuery,
    answers: { 200: "text/csv" },
  },
} satisfies RouteDefinitions;

export function createReportRoutes(parts: LocalParts) {
  const { store, now } = parts;
  const reportOf = createWindowReports({ now, forMs: 0 })(async (tenant, window) => {
    const report = await makeReport(store, tenant, window, window.signal);
    const rows = report.rows.map(({ receivedAtMs, ...row }) => ({ ...row, receivedAt: toIso(receivedAtMs) }));
    return { ...report, rows };
  });
  return handleRoutes(REPORT_ROUTES, {
    async "GET /report"({ session: { tenant }, query: { days }, signal, answer }) {
      const { mode } = (await parts.policyOf(tenant)).policy;
      answer(200, { ...(await reportOf(tenant, days, signal)), mode });
    },
    "GET /report.csv": (call) => exportReport(parts, call),
  });
}

const HEADING = [
  "order_id",
  "name",
  "received_at",
  "amount",
  "currency",
  "risk_level",
  "risk_score",
  "action",
  "outcome",
  "platform_risk",
  "dispute",
];

async function exportReport(
  parts: LocalParts,
  { session, res, signal, query: { days } }: CallOf<typeof REPORT_ROUTES, "GET /report.csv">,
): Promise<void> {
  await noteAct(parts, session, "export", "report");
  const window = toWindow(parts.now(), days);
  const { timeZone } = await parts.localeOf(session.tenant);
  const pages = readReportPages(parts.store, session.tenant, { ...window, signal });
  // Before the response starts, so that a failure here can still be reported.
  const first = await pages.next();
  const day = toZonedIso(window.untilMs, timeZone).slice(0, 10);
  res.writeHead(200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="holdfast-report-${day}-${days}-days.csv"`,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });

  async function* lines(): AsyncGenerator<string> {
    yield CSV_START + toCsvLine(HEADING);
    for (const row of first.value ?? []) yield toCsvLine(toValues(row, timeZone));
    for await (const page of pages) yield page.map((row) => toCsvLine(toValues(row, timeZone))).join("");
  }

  try {
    await pipeline(Readable.from(lines()), res);
  } catch (error) {
    // Cut the connection, so that nobody mistakes a part of the file for the whole.
    parts.logger.warn({ err: error }, "a report couldn't be sent completely");
  }
}

function toValues(row: ReportRow, timeZone: string | null): readonly CsvValue[] {
  const { orderId, name, receivedAtMs, amount, currency, riskLevel, riskScore } = row;
  const receivedAt = toZonedIso(receivedAtMs, timeZone);
  const risk = [amount, currency, riskLevel, riskScore];
  return [orderId, name, receivedAt, ...risk, row.action, row.outcome, row.platformRisk, row.dispute];
}

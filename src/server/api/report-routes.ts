import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { createPolicies } from "../../pipeline/decide/policies.ts";
import {
  makeReport,
  readReportPages,
  type ReportRow,
  type ShadowReport,
} from "../../pipeline/report/shadow-report.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { ReceivedWindow } from "../../store/figures/replay-source.ts";
import { createSerialQueue } from "../../base/queues.ts";
import { noteAct } from "./access.ts";
import type { ApiCall, ApiRoute } from "./api-route.ts";
import { CSV_START, toCsvLine, type CsvValue } from "./csv.ts";
import { sendJson, sendProblem, whileConnected } from "../http/responses.ts";
import { parseNumberQuery, toQuery } from "../http/query.ts";
import { createSharedAnswers } from "../http/shared-answers.ts";
import { reportJson, toReportJson } from "./report-json.ts";
import type { ServerParts } from "../server-parts.ts";

type ReportParts = Pick<ServerParts, "store" | "now" | "logger">;

const DAY_MS = 86_400_000;
const DAYS = { days: { min: 1, max: 365, fallback: 14 } } as const;
const reportQuery = z.object({ days: z.string().optional().describe("1 to 365, default 14") });

/**
 * Make the report of a number of days. Of a tenant one is made at a time; it is given to all who wait for the same and
 * stopped when the caller disconnects.
 */
function createReports({ store, now }: ReportParts) {
  const turns = createSerialQueue();
  const reports = createSharedAnswers<TimedReport>({ forMs: 0, now });
  return (tenant: TenantId, days: number, caller: AbortSignal): Promise<TimedReport> =>
    reports(
      `${days}\0${tenant}`,
      (signal) =>
        turns(tenant, async () => {
          signal.throwIfAborted();
          const window = toWindow(now(), days);
          return { window, report: await makeReport(store, tenant, window, signal) };
        }),
      caller,
    );
}

interface TimedReport {
  readonly window: ReceivedWindow;
  readonly report: ShadowReport;
}

/** `GET /api/report` and `GET /api/report.csv`: what Holdfast decided, and how it compares with what happened. */
export function createReportRoutes(parts: ReportParts): readonly ApiRoute[] {
  const policyOf = createPolicies(parts.store);
  const reportOf = createReports(parts);
  return [
    {
      path: "/report",
      operations: {
        GET: {
          id: "showReport",
          summary: "Show what Holdfast did, or would have done in shadow mode, and the outcomes.",
          role: "viewer",
          query: reportQuery,
          answers: { 200: reportJson },
          async handle(call) {
            const days = readDays(call);
            if (days === null) return;
            const { tenant } = call.session;
            await whileConnected(call.res, async (caller) => {
              const { policy } = await policyOf(tenant);
              const { window, report } = await reportOf(tenant, days, caller);
              sendJson(call.res, 200, toReportJson(window, days, policy.mode, report));
            });
          },
        },
      },
    },
    {
      path: "/report.csv",
      operations: {
        GET: {
          id: "exportReport",
          summary: "Download the report's tagged, held, and canceled orders as a CSV file.",
          role: "viewer",
          query: reportQuery,
          answers: { 200: null },
          handle: (call) => whileConnected(call.res, (signal) => exportReport(parts, call, signal)),
        },
      },
    },
  ];
}

/** The requested number of days; null when the query is invalid. */
function readDays({ req, res }: ApiCall): number | null {
  const query = parseNumberQuery(toQuery(req), DAYS);
  if (query.outcome === "invalid") {
    sendProblem(res, {
      status: 400,
      detail: "The query is invalid. Fix the parameters listed in errors.",
      errors: query.errors,
    });
    return null;
  }
  return query.values.days ?? DAYS.days.fallback;
}

function toWindow(untilMs: number, days: number): ReceivedWindow {
  return { sinceMs: untilMs - days * DAY_MS, untilMs };
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
];

async function exportReport(parts: ReportParts, call: ApiCall, signal: AbortSignal): Promise<void> {
  const { session, res } = call;
  const days = readDays(call);
  if (days === null) return;
  await noteAct(parts, session, "export", "report");
  const window = toWindow(parts.now(), days);
  const pages = readReportPages(parts.store, session.tenant, { ...window, signal });
  // Before the response starts, so that a failure here can still be reported.
  const first = await pages.next();
  const day = new Date(window.untilMs).toISOString().slice(0, 10);
  res.writeHead(200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="holdfast-report-${day}-${days}-days.csv"`,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });

  async function* lines(): AsyncGenerator<string> {
    yield CSV_START + toCsvLine(HEADING);
    for (const { row } of first.value ?? []) yield toCsvLine(toValues(row));
    for await (const page of pages) yield page.map(({ row }) => toCsvLine(toValues(row))).join("");
  }

  try {
    await pipeline(Readable.from(lines()), res);
  } catch (error) {
    // The connection is cut, so that a part of the file is not taken for the whole.
    parts.logger.warn({ err: error }, "a report could not be sent completely");
  }
}

function toValues(row: ReportRow): readonly CsvValue[] {
  const { orderId, name, receivedAtMs, amount, currency, riskLevel, riskScore } = row;
  const receivedAt = new Date(receivedAtMs).toISOString();
  const { action, outcome, platformRisk } = row;
  return [orderId, name, receivedAt, amount, currency, riskLevel, riskScore, action, outcome, platformRisk];
}

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { createPolicies } from "../../pipeline/policies.ts";
import { makeReport, readReportPages, type ReportRow } from "../../pipeline/shadow-report.ts";
import type { ReceivedWindow } from "../../store/replay-source.ts";
import { noteAct } from "./access.ts";
import type { ApiCall, ApiRoute } from "./api-route.ts";
import { CSV_START, toCsvLine, type CsvValue } from "./csv.ts";
import { sendJson } from "../http/json-response.ts";
import { parseNumberQuery } from "../http/number-query.ts";
import { sendProblem } from "../http/problem-response.ts";
import { toQuery } from "../http/query.ts";
import { reportJson, toReportJson } from "./report-json.ts";
import type { ServerParts } from "../server-parts.ts";

type ReportParts = Pick<ServerParts, "store" | "now" | "logger">;

const DAY_MS = 86_400_000;
const DAYS = { days: { min: 1, max: 365, fallback: 14 } } as const;
const reportQuery = z.object({ days: z.string().optional().describe("1 to 365; 14 when left out") });

/** `GET /api/report` and `GET /api/report.csv`: what Holdfast decided, and how it compares with what happened. */
export function createReportRoutes(parts: ReportParts): readonly ApiRoute[] {
  const policyOf = createPolicies(parts.store);
  return [
    {
      path: "/report",
      operations: {
        GET: {
          id: "showReport",
          summary:
            "What Holdfast decided, or in shadow mode would have done, and what became of those orders.",
          role: "viewer",
          query: reportQuery,
          answers: { 200: reportJson },
          async handle(call) {
            const asked = toAsked(parts, call);
            if (asked === null) return;
            const { tenant } = call.session;
            const { policy } = await policyOf(tenant);
            const report = await makeReport(parts.store, tenant, asked.window);
            sendJson(call.res, 200, toReportJson(asked.window, asked.days, policy.mode, report));
          },
        },
      },
    },
    {
      path: "/report.csv",
      operations: {
        GET: {
          id: "exportReport",
          summary: "Every order of the report that was not simply allowed, as a CSV file.",
          role: "viewer",
          query: reportQuery,
          answers: { 200: null },
          handle: (call) => exportReport(parts, call),
        },
      },
    },
  ];
}

interface Asked {
  readonly days: number;
  readonly window: ReceivedWindow;
}

/** The window that is asked for; null when the query was refused. */
function toAsked({ now }: ReportParts, { req, res }: ApiCall): Asked | null {
  const query = parseNumberQuery(toQuery(req), DAYS);
  if (query.outcome === "invalid") {
    sendProblem(res, { status: 400, detail: "the query cannot be used", errors: query.errors });
    return null;
  }
  const days = query.values.days ?? DAYS.days.fallback;
  const untilMs = now();
  return { days, window: { sinceMs: untilMs - days * DAY_MS, untilMs } };
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

async function exportReport(parts: ReportParts, call: ApiCall): Promise<void> {
  const { session, res } = call;
  const asked = toAsked(parts, call);
  if (asked === null) return;
  await noteAct(parts, session, "export", "report");
  const pages = readReportPages(parts.store, session.tenant, asked.window);
  // Before the answer begins: what fails here can still be told.
  const first = await pages.next();
  const day = new Date(asked.window.untilMs).toISOString().slice(0, 10);
  res.writeHead(200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="holdfast-report-${day}-${asked.days}-days.csv"`,
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
    parts.logger.warn({ err: error }, "a report could not be sent to its end");
  }
}

function toValues(row: ReportRow): readonly CsvValue[] {
  const { orderId, name, receivedAtMs, amount, currency, riskLevel, riskScore } = row;
  const receivedAt = new Date(receivedAtMs).toISOString();
  const { action, outcome, platformRisk } = row;
  return [orderId, name, receivedAt, amount, currency, riskLevel, riskScore, action, outcome, platformRisk];
}

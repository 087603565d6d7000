import { z } from "zod";
import { makeReport, readReportPages, type ReportRow } from "../../../pipeline/report/decision-report.ts";
import { PLATFORM_RISKS } from "../../../order/order-context.ts";
import { DISPUTE_KINDS } from "../../../platform/platform.ts";
import { ACTIONS, DECLINE_REASONS } from "../../../order/decision.ts";
import { OUTCOMES } from "../../../policy/replay-tally.ts";
import { toIso } from "../../../base/iso-time.ts";
import { moneyJson, worthJson } from "../base/money-json.ts";
import { noteAct } from "../base/note-access.ts";
import { listedOrderJson } from "../orders/order-json.ts";
import { handleRoutes, type CallOf, type RouteDefinitions } from "../../http/api-route.ts";
import type { CsvValue } from "../../../base/csv.ts";
import { sendCsv } from "../../http/csv-response.ts";
import { wholeNumber } from "../../http/query.ts";
import { createWindowReports, toWindow } from "./window-reports.ts";
import { readShopMoney } from "../../parts/shop-money.ts";
import { outcomesByLevelJson } from "./calibration-routes.ts";
import { UNDISPUTED_AFTER_MS } from "../../../pipeline/report/outcome.ts";
import { toZonedIso, type LocalParts } from "../../parts/shop-locales.ts";

const DAY_MS = 86_400_000;

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

const levelsJson = z.object({ low: levelJson, medium: levelJson, high: levelJson, critical: levelJson });

const valueJson = z.object({
  orders: z.int(),
  value: z.number().nullable().describe("in the shop's currency; null if that isn't known"),
  apart: moneyJson.describe("sums in currencies without a rate; not part of `value`"),
});

const kindsJson = z.object({
  decided: z.int(),
  fraudStopped: valueJson.describe("known fraud that was held or canceled, or would have been"),
  fraudMissed: valueJson.describe(
    "known fraud that was neither held nor canceled, or that was let go after that",
  ),
  goodStopped: valueJson.describe("good orders that were held or canceled, or would have been"),
  unknownStopped: valueJson.describe("held or canceled orders whose outcome isn't known"),
});

const valueReportJson = kindsJson.extend({
  currency: z.string().nullable().describe("the shop's currency"),
  rates: z
    .array(z.object({ currency: z.string(), from: z.iso.date(), rate: z.number() }))
    .readonly()
    .describe("the exchange rates that were used"),
  falsePositives: z
    .object({
      good: z.int(),
      known: z.int().describe("held or canceled orders whose outcome is known"),
      share: z.number().nullable().describe("`good` of `known`; null if `known` is below `needed`"),
      needed: z.int(),
    })
    .describe("how many of the held or canceled orders were good"),
  chargebacks: z.object({
    orders: z.int().describe("orders with a chargeback, won ones included"),
    of: z.int().describe("orders that were sold"),
    share: z.number().nullable(),
    watchAt: z.number(),
    limit: z.number().describe("share from which card networks act"),
  }),
  reviewTime: z
    .object({ orders: z.int(), medianMs: z.number().nullable(), p90Ms: z.number().nullable() })
    .describe("from Holdfast's first decision to a person's"),
  weeks: z
    .array(kindsJson.extend({ start: z.iso.date(), sold: z.int(), chargebacks: z.int() }))
    .describe("by week, Monday first; the first and the last may be cut off by the period"),
});

const outcomesJson = z.object({
  undisputedDays: z.int().describe("a passed order counts as good after this many days"),
  decided: z.int().describe("decided orders in the period, with and without a known outcome"),
  disputed: z.int().describe("of these, orders with a payment dispute of any kind"),
  byLevel: outcomesByLevelJson,
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
  credits: z.object({
    spent: z.int(),
    saved: z.int(),
    cost: z
      .number()
      .nullable()
      .describe("in the shop's currency; null until an owner enters a credit's price"),
  }),
  value: valueReportJson,
  outcomes: outcomesJson,
  byLevel: levelsJson,
  agents: z
    .object({ byLevel: levelsJson })
    .nullable()
    .describe("orders that AI agents placed; null if the policy names no channels of agents"),
  declined: z
    .partialRecord(z.enum([...DECLINE_REASONS, "none"]), z.int())
    .describe("orders that people declined, by their reason"),
  buyers: z
    .object({
      asked: z.int(),
      answered: z.int(),
      right: z.int(),
      released: z.int().describe("released by a right answer"),
      chargedBack: z.int().describe("released ones with a chargeback since, won ones included"),
    })
    .describe("orders whose buyers were asked in the period"),
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
    const { creditPrice, ...money } = await readShopMoney(parts, tenant);
    const { agentChannels } = (await parts.policyOf(tenant)).policy;
    const countsAgents = agentChannels.length > 0;
    const asked = { ...window, money, creditPrice, countsAgents };
    const report = await makeReport(store, tenant, asked, window.signal);
    const rows = report.rows.map(({ receivedAtMs, buyer: _buyer, ...row }) => ({
      ...row,
      receivedAt: toIso(receivedAtMs),
    }));
    const undisputedDays = UNDISPUTED_AFTER_MS / DAY_MS;
    return { ...report, rows, outcomes: { ...report.outcomes, undisputedDays } };
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
  "buyer_answer",
];

async function exportReport(
  parts: LocalParts,
  { session, res, signal, query: { days } }: CallOf<typeof REPORT_ROUTES, "GET /report.csv">,
): Promise<void> {
  await noteAct(parts, session, "export", "report");
  const window = toWindow(parts.now(), days);
  const { timeZone } = await parts.localeOf(session.tenant);
  async function* pages(): AsyncGenerator<readonly (readonly CsvValue[])[]> {
    const read = readReportPages(parts.store, session.tenant, { ...window, signal });
    for await (const rows of read) yield rows.map((row) => toValues(row, timeZone));
  }

  const day = toZonedIso(window.untilMs, timeZone).slice(0, 10);
  const name = `holdfast-report-${day}-${days}-days.csv`;
  await sendCsv(parts, res, { name, heading: HEADING, pages: pages() });
}

function toValues(row: ReportRow, timeZone: string | null): readonly CsvValue[] {
  const { orderId, name, receivedAtMs, amount, currency, riskLevel, riskScore } = row;
  const receivedAt = toZonedIso(receivedAtMs, timeZone);
  const risk = [amount, currency, riskLevel, riskScore];
  return [
    { id: orderId },
    name,
    receivedAt,
    ...risk,
    row.action,
    row.outcome,
    row.platformRisk,
    row.dispute,
    row.buyer,
  ];
}

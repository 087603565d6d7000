import { z } from "zod";
import { PLATFORM_RISKS } from "../../order/order-context.ts";
import type { ReportRow, ShadowReport } from "../../pipeline/report/shadow-report.ts";
import type { Policy } from "../../policy/policy.ts";
import { ACTIONS } from "../../order/decision.ts";
import { OUTCOMES } from "../../policy/replay-tally.ts";
import type { ReceivedWindow } from "../../store/figures/replay-source.ts";
import { RISK_LEVELS } from "../../order/result.ts";

/** Sums by currency, in major units: `{ "USD": 4210.5 }`. */
export const moneyJson = z.record(z.string(), z.number());

/** Number and value of orders. */
export const worthJson = z.object({ orders: z.int(), amount: moneyJson });

const rowJson = z.object({
  orderId: z.string(),
  name: z.string(),
  receivedAt: z.iso.datetime(),
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  riskLevel: z.enum(RISK_LEVELS).nullable(),
  riskScore: z.number().nullable(),
  action: z.enum(ACTIONS),
  outcome: z.enum(OUTCOMES),
  platformRisk: z.enum(PLATFORM_RISKS).nullable(),
});

/** What Holdfast decided in a window, and how it compares with what happened. */
export const reportJson = z.object({
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
    .describe("of the orders held or canceled, those that the platform flagged or that ended canceled"),
  credits: z.object({ spent: z.int(), saved: z.int() }),
  byLevel: z.object({ low: worthJson, medium: worthJson, high: worthJson, critical: worthJson }),
  rows: z.array(rowJson).describe("orders tagged, held, or canceled, newest first, at most 500"),
});

/** A report as the API tells it. */
export function toReportJson(
  { sinceMs, untilMs }: ReceivedWindow,
  days: number,
  mode: Policy["mode"],
  report: ShadowReport,
): z.infer<typeof reportJson> {
  const { orders, decided, held, cancelled, tagged, agreed, credits, byLevel } = report;
  return {
    since: toIso(sinceMs),
    until: toIso(untilMs),
    days,
    mode,
    orders,
    decided,
    held,
    cancelled,
    tagged,
    agreed,
    credits,
    byLevel,
    rows: report.rows.map(toRowJson),
  };
}

function toRowJson({ receivedAtMs, ...row }: ReportRow): z.infer<typeof rowJson> {
  return { ...row, receivedAt: toIso(receivedAtMs) };
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

import { z } from "zod";
import { toIso } from "../../../base/iso-time.ts";
import {
  countDisputeMonth,
  FEWEST_DISPUTES,
  GAUGE_STATES,
  toDisputeGauge,
  toDisputeMonth,
  WATCH_FROM,
} from "../../../pipeline/watch/dispute-gauge.ts";
import type { CsvValue } from "../../../base/csv.ts";
import type { TenantId } from "../../../platform/platform.ts";
import { handleRoutes, type RouteDefinitions } from "../../http/api-route.ts";
import { sendCsv } from "../../http/csv-response.ts";
import { toZonedIso, type LocalParts } from "../../parts/shop-locales.ts";
import { noteAct } from "../base/note-access.ts";

const DISPUTE_MONTH_ROUTES = {
  "GET /report/disputes": {
    id: "showDisputeMonth",
    summary: "Show this month's disputes over its orders, against a card network's limits.",
    role: "viewer",
    answers: {
      200: z.object({
        month: z.string().describe("by the shop's calendar, such as 2026-11"),
        since: z.iso.datetime(),
        until: z.iso.datetime(),
        state: z
          .enum(GAUGE_STATES)
          .describe(
            "`few`: too few to tell; `watch`: close to both limits, or about to be; `over`: above both",
          ),
        disputes: z.int().describe("chargebacks that banks raised this month, of any network and reason"),
        orders: z.int().describe("orders of this month that Holdfast didn't cancel, paid by card or not"),
        share: z.number().nullable().describe("null with too few disputes"),
        fewest: z.int().describe("below this number of disputes, nothing is said"),
        limitShare: z.number(),
        limitCount: z.int(),
        watchFrom: z.number().describe("part of both limits from which an alert is raised"),
        forecast: z
          .object({ disputes: z.int(), low: z.int(), high: z.int() })
          .nullable()
          .describe("disputes by the end of the month if it goes on like this, with a 95 % interval"),
        fraudReportsVisible: z
          .literal(false)
          .describe("banks' fraud reports (TC40) also count for Visa, and platforms don't share them"),
      }),
    },
  },
  "GET /report/disputes.csv": {
    id: "exportDisputeMonth",
    summary: "Download this month's disputes over its orders as a CSV file.",
    role: "viewer",
    answers: { 200: "text/csv" },
  },
} satisfies RouteDefinitions;

export function createDisputeMonthRoutes(parts: LocalParts) {
  return handleRoutes(DISPUTE_MONTH_ROUTES, {
    async "GET /report/disputes"({ session: { tenant }, signal, answer }) {
      const { month, window, gauge, limits } = await readGauge(parts, tenant, signal);
      answer(200, {
        month,
        since: toIso(window.sinceMs),
        until: toIso(window.untilMs),
        ...gauge,
        fewest: FEWEST_DISPUTES,
        ...limits,
        watchFrom: WATCH_FROM,
        fraudReportsVisible: false,
      });
    },
    async "GET /report/disputes.csv"({ session, res, signal }) {
      await noteAct(parts, session, "export", "report");
      const read = await readGauge(parts, session.tenant, signal);
      async function* pages() {
        yield [toValues(read)];
      }
      const name = `holdfast-disputes-${read.month}.csv`;
      await sendCsv(parts, res, { name, heading: HEADING, pages: pages() });
    },
  });
}

/** A shop's month so far, against its limits. */
async function readGauge(
  { store, now, settings, localeOf }: LocalParts,
  tenant: TenantId,
  signal: AbortSignal,
) {
  const nowMs = now();
  const { timeZone } = await localeOf(tenant);
  const { month, window } = toDisputeMonth(nowMs, timeZone);
  const counts = await countDisputeMonth(store, tenant, { ...window, untilMs: nowMs }, signal);
  const { limitShare, limitCount } = (await settings.of(tenant)).disputes;
  const limits = { limitShare, limitCount };
  return { month, window, limits, gauge: toDisputeGauge(counts, window, limits, nowMs), nowMs, timeZone };
}

const HEADING = [
  "month",
  "until",
  "state",
  "disputes",
  "orders",
  "share",
  "limit_share",
  "limit_count",
  "forecast_disputes",
  "forecast_low",
  "forecast_high",
];

function toValues(read: Awaited<ReturnType<typeof readGauge>>): readonly CsvValue[] {
  const { month, gauge, limits, nowMs, timeZone } = read;
  const { state, disputes, orders, share, forecast } = gauge;
  const expected = [forecast?.disputes ?? null, forecast?.low ?? null, forecast?.high ?? null];
  const counted = [disputes, orders, share, limits.limitShare, limits.limitCount];
  return [month, toZonedIso(nowMs, timeZone), state, ...counted, ...expected];
}

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
import { handleRoutes, type RouteDefinitions } from "../../http/api-route.ts";
import type { LocalParts } from "../../parts/shop-locales.ts";

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
} satisfies RouteDefinitions;

export function createDisputeMonthRoutes(parts: Pick<LocalParts, "store" | "now" | "settings" | "localeOf">) {
  const { store, now, settings, localeOf } = parts;
  return handleRoutes(DISPUTE_MONTH_ROUTES, {
    async "GET /report/disputes"({ session: { tenant }, signal, answer }) {
      const nowMs = now();
      const { month, window } = toDisputeMonth(nowMs, (await localeOf(tenant)).timeZone);
      const counts = await countDisputeMonth(store, tenant, { ...window, untilMs: nowMs }, signal);
      const { limitShare, limitCount } = (await settings.of(tenant)).disputes;
      answer(200, {
        month,
        since: toIso(window.sinceMs),
        until: toIso(window.untilMs),
        ...toDisputeGauge(counts, window, { limitShare, limitCount }, nowMs),
        fewest: FEWEST_DISPUTES,
        limitShare,
        limitCount,
        watchFrom: WATCH_FROM,
        fraudReportsVisible: false,
      });
    },
  });
}

import { z } from "zod";
import { expected } from "../../../base/field-codes.ts";
import { createCalendar } from "../../../base/day-spans.ts";
import { toRatesAt } from "../../../mapping/exchange-rates.ts";
import { ACTIONS } from "../../../order/decision.ts";
import { toCountryCode } from "../../../order/countries/country-code.ts";
import { RISK_LEVELS } from "../../../order/risk-level.ts";
import { HOLD_WARNING_MS } from "../../../pipeline/order-life/hold-deadline.ts";
import { createOutcomeFilter } from "../../../pipeline/report/outcome.ts";
import type { TenantId } from "../../../platform/platform.ts";
import { OUTCOMES } from "../../../policy/replay-tally.ts";
import { oneOf } from "../../../policy/schema-fields.ts";
import {
  BUYER_FILTERS,
  DISPUTE_FILTERS,
  ORDER_SORTS,
  ORDER_STATES,
  type OrderFilter,
} from "../../../store/store.ts";
import { readShopMoney } from "../../parts/shop-money.ts";
import type { LocalParts } from "../../parts/shop-locales.ts";
import { parseDays } from "./search-days.ts";

/** Longer than any email address or order name. */
const MAX_SEARCH_LENGTH = 320;
const SEARCH_EXPECTED = expected("characters", { max: MAX_SEARCH_LENGTH });
const DAY_MS = 86_400_000;
/** Both levels of orders that a shop usually holds or cancels. */
const HIGH_OR_CRITICAL = "high,critical";
const moment = z.union([z.iso.datetime(), z.iso.date()], expected("day-or-time"));

/** Which orders a list has. */
export const orderFilterQuery = z.object({
  level: oneOf([...RISK_LEVELS, HIGH_OR_CRITICAL]).optional(),
  since: moment
    .optional()
    .describe("orders received at this moment or later; a day begins in the shop's time zone"),
  until: moment.optional().describe("orders received before this moment, or until the end of this day"),
  action: oneOf(ACTIONS).optional(),
  state: oneOf(ORDER_STATES).optional(),
  outcome: oneOf(OUTCOMES).optional().describe("how the order ended"),
  dispute: oneOf(DISPUTE_FILTERS)
    .optional()
    .describe("orders with any dispute, one of this kind, or one that ended like this"),
  buyerAnswer: oneOf(BUYER_FILTERS)
    .optional()
    .describe("orders whose buyers answered this when they were asked, or, for `asked`, nothing yet"),
  country: z
    .string()
    .transform((text) => toCountryCode(text) ?? text)
    .pipe(z.string().regex(/^[A-Z]{2}$/, expected("country")))
    .optional()
    .describe("where the order ships to, or else is billed"),
  view: oneOf(["queue"]).optional().describe("`queue`: orders that need a decision, nearest deadline first"),
  q: z
    .string()
    .trim()
    .min(1, SEARCH_EXPECTED)
    .max(MAX_SEARCH_LENGTH, SEARCH_EXPECTED)
    .optional()
    .describe(
      "an order name with or without #, an order ID, an email address, an amount such as `59.90` or `$1,249.00`, or a day such as `2026-11-05`. If nothing matches: the beginning of an order name or of words in the names of buyer, recipient, company and products, part of an email address, the beginning of an IP address, a card's last four digits or a country, in the newest 5,000 orders of the list. At most 500 orders are found",
    ),
  due: oneOf(["soon", "overdue"])
    .optional()
    .describe("held orders whose deadline is within 6 hours, or has passed"),
  degraded: oneOf(["true"]).optional().describe("orders that were decided without the service"),
});

export const orderSortQuery = z.object({
  sort: oneOf(ORDER_SORTS)
    .optional()
    .describe(
      "how to sort. Amounts are compared in the shop's currency; those without a rate come last. `evidence`: nearest deadline of a bank that waits for evidence first. Default: `deadline` in the queue, which begins with urgent orders, else `newest`",
    ),
});

export type OrderFilterQuery = z.output<typeof orderFilterQuery>;

type FilterParts = Pick<LocalParts, "store" | "now" | "localeOf">;

export async function toOrderFilter(
  { store, now, localeOf }: FilterParts,
  tenant: TenantId,
  query: OrderFilterQuery,
): Promise<OrderFilter> {
  const { q, level, since, until, due, degraded, outcome, ...filter } = query;
  const nowMs = now();
  const { timeZone } = await localeOf(tenant);
  const calendar = createCalendar(timeZone);
  const days = q === undefined ? null : parseDays(q, calendar, nowMs);
  const held =
    due === "soon" ? { afterMs: nowMs, untilMs: nowMs + HOLD_WARNING_MS } : { afterMs: -1, untilMs: nowMs };
  return {
    ...filter,
    ...toWindow(
      since === undefined ? undefined : toMoment(since, 0, calendar),
      until === undefined ? undefined : toMoment(until, 1, calendar),
      days,
    ),
    search: days === null ? q : undefined,
    level: level === HIGH_OR_CRITICAL ? ["high", "critical"] : level,
    held: due === undefined ? undefined : held,
    degraded: degraded === undefined ? undefined : true,
    accept: outcome === undefined ? undefined : createOutcomeFilter(store, tenant, outcome),
  };
}

/** A moment, or the beginning of a day, or of one `later`. */
function toMoment(text: string, later: number, calendar: ReturnType<typeof createCalendar>): number {
  const isDay = text.length === "2026-11-23".length;
  return isDay ? calendar.beginOf(Date.parse(text) / DAY_MS + later) : Date.parse(text);
}

/** The days that were searched for, as far as they are within the dates. */
function toWindow(
  sinceMs: number | undefined,
  untilMs: number | undefined,
  days: ReturnType<typeof parseDays>,
): Pick<OrderFilter, "sinceMs" | "untilMs"> {
  if (days === null) return { sinceMs, untilMs };
  return {
    sinceMs: Math.max(days.sinceMs, sinceMs ?? 0),
    untilMs: Math.min(days.untilMs, untilMs ?? Infinity),
  };
}

/** What amounts are worth now, to sort by them. */
export async function readRates(parts: LocalParts, tenant: TenantId): Promise<ReadonlyMap<string, number>> {
  return toRatesAt(await readShopMoney(parts, tenant), parts.now());
}

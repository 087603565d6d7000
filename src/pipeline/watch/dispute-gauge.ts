import { createCalendar } from "../../base/day-spans.ts";
import type { DisputeSettings } from "../../settings/tenant-settings.ts";
import type { Store } from "../../store/store.ts";
import type { TimeWindow } from "../../store/slices.ts";
import type { TenantId } from "../../platform/platform.ts";

const DAY_MS = 86_400_000;
/** With fewer disputes, the true number may well be half or twice as many, and a share says nothing. */
export const FEWEST_DISPUTES = 10;
/** Before this many days of a month, no forecast: one bad day would be a bad month. */
const FORECAST_AFTER_MS = 3 * DAY_MS;
/** From this part of both limits on, people are alerted. */
export const WATCH_FROM = 0.75;
/** Half the width of a 95 % interval around the square root of a Poisson count. */
const HALF_WIDTH = 0.98;

export interface DisputeMonth {
  /** By the shop's calendar, `2026-11`. */
  readonly month: string;
  readonly window: TimeWindow;
}

/** The calendar month of a moment. Card networks count by calendar months. */
export function toDisputeMonth(nowMs: number, timeZone: string | null): DisputeMonth {
  const { dayAt, beginOf } = createCalendar(timeZone);
  const today = new Date(dayAt(nowMs) * DAY_MS);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  const [first, next] = [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)];
  const window = { sinceMs: beginOf(first / DAY_MS), untilMs: beginOf(next / DAY_MS) };
  return { month: today.toISOString().slice(0, 7), window };
}

/** `few`: too few disputes to say anything. `watch`: close to both limits, or about to be. `over`: both are exceeded. */
export const GAUGE_STATES = ["few", "calm", "watch", "over"] as const;

export interface DisputeGauge {
  readonly state: (typeof GAUGE_STATES)[number];
  readonly disputes: number;
  readonly orders: number;
  /** Null with too few disputes. */
  readonly share: number | null;
  /** The month's disputes if it goes on like this, with a 95 % interval; null if there are too few, or too early. */
  readonly forecast: { readonly disputes: number; readonly low: number; readonly high: number } | null;
}

type Limits = Pick<DisputeSettings, "limitShare" | "limitCount">;

/** A month's disputes over its orders, against a card network's limits. Pure. */
export function toDisputeGauge(
  { disputes, orders }: Pick<DisputeGauge, "disputes" | "orders">,
  { sinceMs, untilMs }: TimeWindow,
  limits: Limits,
  nowMs: number,
): DisputeGauge {
  if (disputes < FEWEST_DISPUTES || orders === 0)
    return { state: "few", disputes, orders, share: null, forecast: null };
  const passedMs = Math.min(nowMs, untilMs) - sinceMs;
  const part = passedMs / (untilMs - sinceMs);
  const root = Math.sqrt(disputes);
  const forecast =
    passedMs < FORECAST_AFTER_MS
      ? null
      : {
          disputes: Math.round(disputes / part),
          low: Math.max(disputes, Math.floor((root - HALF_WIDTH) ** 2 / part)),
          high: Math.ceil((Math.sqrt(disputes + 1) + HALF_WIDTH) ** 2 / part),
        };
  const share = disputes / orders;
  return {
    state: toState(share, disputes, forecast?.disputes ?? disputes, limits),
    disputes,
    orders,
    share,
    forecast,
  };
}

/** Networks act only if a month has both: a high share and many disputes. */
function toState(
  share: number,
  disputes: number,
  expected: number,
  { limitShare, limitCount }: Limits,
): DisputeGauge["state"] {
  if (share >= limitShare && disputes > limitCount) return "over";
  return share >= WATCH_FROM * limitShare && expected >= WATCH_FROM * limitCount ? "watch" : "calm";
}

/** Count a shop's disputes and sold orders of a month. */
export async function countDisputeMonth(
  store: Pick<Store, "outcomes" | "figures">,
  tenant: TenantId,
  window: TimeWindow,
  signal?: AbortSignal,
): Promise<Pick<DisputeGauge, "disputes" | "orders">> {
  const disputes = await store.outcomes.countChargebacks(tenant, window);
  const orders = await store.figures.countSold(tenant, window, signal);
  return { disputes, orders };
}

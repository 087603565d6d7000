import { createCalendar } from "../../base/day-spans.ts";
import { createConverter, type ShopMoney } from "../../mapping/exchange-rates.ts";
import type { Dispute } from "../../platform/platform.ts";
import { createWorthSum, type Money } from "../../policy/worth.ts";
import type { DecidedOrder } from "../../store/figures/replay-source.ts";
import type { TimeWindow } from "../../store/slices.ts";
import { isStopped } from "./calibration.ts";
import { isSold, toFraudOutcome, wasLetGo, type TracedOrder } from "./outcome.ts";

const DAY_MS = 86_400_000;
/** Below this number of known outcomes, one order more or less changes the share by several percent. */
export const ENOUGH_TO_TELL = 30;
/** Visa calls a merchant's disputes excessive from this share of the payments of a month, since April 2026. */
export const CHARGEBACK_LIMIT = 0.015;
/** Half of it: time to act. */
export const CHARGEBACK_WATCH = 0.0075;

export interface ValueWindow extends TimeWindow {
  /** Weeks begin on Monday in its time zone. */
  readonly money: ShopMoney;
}

/** Orders and what they are worth in the shop's currency. */
export interface Value {
  readonly orders: number;
  /** Null if the shop's currency isn't known. */
  readonly value: number | null;
  /** Sums by currency of amounts for which no rate is known. They aren't in `value`. */
  readonly apart: Money;
}

/** What Holdfast was worth to a shop in one period. Each figure counts the same orders: those decided in the window. */
export function createValueTally({ money, sinceMs, untilMs }: ValueWindow) {
  const converter = createConverter(money);
  const toWeek = createWeeks(money.timeZone);
  const newSums = () => createKindSums(converter);
  const period = newSums();
  const weeks = new Map<number, ReturnType<typeof newSums>>();
  for (let week = toWeek(sinceMs); week <= toWeek(untilMs - 1); week += 1) weeks.set(week, newSums());
  const reviewTimes: number[] = [];
  let stopped = 0;

  return {
    add(traced: TracedOrder): void {
      const { order } = traced;
      period.add(traced, untilMs);
      if (isStopped(order)) stopped += 1;
      weeks.get(toWeek(order.receivedAtMs))?.add(traced, untilMs);
      const tookMs = toReviewTime(order);
      if (tookMs !== null) reviewTimes.push(tookMs);
    },
    total() {
      const { sold, ...sums } = period.total();
      const good = sums.goodStopped.orders;
      const known = stopped - sums.unknownStopped.orders;
      return {
        currency: converter.currency,
        /** The rates that were used. */
        rates: converter.used(),
        ...sums,
        falsePositives: {
          good,
          /** Orders that were held or canceled, and whose outcome is known. */
          known,
          /** Null: too few to tell. */
          share: known < ENOUGH_TO_TELL ? null : good / known,
          needed: ENOUGH_TO_TELL,
        },
        chargebacks: {
          orders: sums.chargebacks,
          of: sold,
          share: sold === 0 ? null : sums.chargebacks / sold,
          watchAt: CHARGEBACK_WATCH,
          limit: CHARGEBACK_LIMIT,
        },
        reviewTime: toTimes(reviewTimes),
        weeks: [...weeks].map(([week, of]) => ({ start: toMonday(week), ...of.total() })),
      };
    },
  };
}

/** Orders by how they turned out, and whether Holdfast stopped them. */
function createKindSums(converter: ReturnType<typeof createConverter>) {
  const newSum = () => createValueSum(converter);
  const sums = {
    fraudStopped: newSum(),
    fraudMissed: newSum(),
    goodStopped: newSum(),
    unknownStopped: newSum(),
  };
  const counts = { decided: 0, sold: 0, chargebacks: 0 };

  function toKind({ order, trace }: TracedOrder, nowMs: number): keyof typeof sums | null {
    const outcome = toFraudOutcome(order, trace, nowMs);
    if (!isStopped(order)) return outcome === "fraud" ? "fraudMissed" : null;
    if (outcome === "fraud") return wasLetGo(order, trace) ? "fraudMissed" : "fraudStopped";
    return outcome === "good" ? "goodStopped" : "unknownStopped";
  }

  return {
    add(traced: TracedOrder, nowMs: number): void {
      const { order, trace } = traced;
      const isChargedBack = (trace?.disputes ?? []).some(isChargeback);
      counts.decided += 1;
      if (isChargedBack) counts.chargebacks += 1;
      if (isChargedBack || isSold(order, trace)) counts.sold += 1;
      const kind = toKind(traced, nowMs);
      if (kind !== null) sums[kind].add(order);
    },
    total: () => ({
      ...counts,
      /** Fraud that was held or canceled, or would have been in watch-only mode. */
      fraudStopped: sums.fraudStopped.total(),
      /** Fraud that was neither held nor canceled, or that was let go after that. */
      fraudMissed: sums.fraudMissed.total(),
      /** Good orders that were held or canceled. */
      goodStopped: sums.goodStopped.total(),
      /** Held or canceled, and nobody knows yet whether it was fraud. */
      unknownStopped: sums.unknownStopped.total(),
    }),
  };
}

function createValueSum(converter: ReturnType<typeof createConverter>) {
  const inShop = createWorthSum();
  const apart = createWorthSum();
  const { currency: shops } = converter;
  let orders = 0;
  return {
    add({ amount, currency, receivedAtMs }: DecidedOrder): void {
      orders += 1;
      if (amount === null || currency === null) return;
      const value = converter.toValue(amount, currency, receivedAtMs);
      if (value === null) apart.add(amount, currency);
      else inShop.add(value, shops);
    },
    total: (): Value => ({
      orders,
      value: shops === null ? null : (inShop.total().amount[shops] ?? 0),
      apart: apart.total().amount,
    }),
  };
}

/** Networks also count chargebacks that the shop wins. */
function isChargeback({ kind, status }: Dispute): boolean {
  return kind === "chargeback" && status !== "prevented";
}

/** How long an order waited for a person, from Holdfast's first decision on; null if no person decided it. */
function toReviewTime({ decision, decidedAtMs, firstDecidedAtMs }: DecidedOrder): number | null {
  if (decision.source !== "person" || decidedAtMs === null || firstDecidedAtMs === null) return null;
  return decidedAtMs > firstDecidedAtMs ? decidedAtMs - firstDecidedAtMs : null;
}

function toTimes(times: readonly number[]) {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? null;
  return { orders: sorted.length, medianMs: at(0.5), p90Ms: at(0.9) };
}

/** The number of a moment's week by a zone's calendar. */
function createWeeks(timeZone: string | null): (ms: number) => number {
  const { dayAt } = createCalendar(timeZone);
  // The epoch was a Thursday.
  return (ms) => Math.floor((dayAt(ms) + 3) / 7);
}

function toMonday(week: number): string {
  return new Date((week * 7 - 3) * DAY_MS).toISOString().slice(0, 10);
}

import { describe, expect, it } from "vitest";
import type { ShopMoney } from "../../../src/mapping/exchange-rates.ts";
import type { Decision } from "../../../src/order/decision.ts";
import type { TracedOrder } from "../../../src/pipeline/report/outcome.ts";
import {
  createValueTally,
  ENOUGH_TO_TELL,
  type ValueWindow,
} from "../../../src/pipeline/report/value-report.ts";
import { toTimelineEntry } from "../../../src/pipeline/timeline.ts";
import type { KeptDispute } from "../../../src/store/outcomes/disputes.ts";
import type { OrderTrace } from "../../../src/store/outcomes/outcomes.ts";
import type { OrderState } from "../../../src/store/store.ts";
import { decision, T0 } from "../../store/samples.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DOLLARS: ShopMoney = { currency: "USD", rates: [], timeZone: null };
const WINDOW: Omit<ValueWindow, "money"> = { sinceMs: T0 - 30 * DAY_MS, untilMs: T0 };

const MACHINE = { ...decision({ action: "hold" }), policyVersion: 1 };
/** Held, then a person decided. */
const APPROVED: Partial<Decision> = { action: "allow", source: "person", machine: MACHINE };
const DECLINED: Partial<Decision> = {
  action: "cancel",
  source: "person",
  declineReason: "stolen-payment",
  machine: MACHINE,
};
const ALLOWED: Partial<Decision> = { action: "allow", riskLevel: "low" };
const HELD: Partial<Decision> = { action: "hold" };

const CHARGEBACK: KeptDispute = {
  disputeId: "1",
  orderId: "1",
  kind: "chargeback",
  status: "lost",
  reason: "fraudulent",
  isFraud: true,
  initiatedAtMs: T0,
  seenAtMs: T0,
};

const SHIPPED = toTimelineEntry(T0, { kind: "hold-impossible", ended: "shipped" }, "", "platform");
const CANCELED = toTimelineEntry(T0, { kind: "cancel-done" }, "", "holdfast");

interface Case {
  readonly amount?: number | null;
  readonly currency?: string;
  readonly receivedAtMs?: number;
  readonly reviewMs?: number;
  readonly disputes?: readonly KeptDispute[];
  readonly events?: OrderTrace["events"];
  readonly state?: OrderState;
}

function traced(decided: Partial<Decision>, of: Case = {}): TracedOrder {
  const { amount = 100, currency = "USD", receivedAtMs = T0 - DAY_MS, reviewMs = 0 } = of;
  const { disputes = [], events = [], state = "settled" } = of;
  return {
    order: {
      orderId: "1",
      name: "#1",
      receivedAtMs,
      state,
      amount,
      currency,
      skipReason: null,
      problem: null,
      effects: "live",
      decision: decision(decided),
      decidedAtMs: receivedAtMs + reviewMs,
      firstDecidedAtMs: receivedAtMs,
      facts: null,
      mapped: null,
      signals: null,
      links: null,
    },
    trace: { events, observed: null, disputes },
  };
}

function report(orders: readonly TracedOrder[], money = DOLLARS, window = WINDOW) {
  const tally = createValueTally({ ...window, money });
  for (const order of orders) tally.add(order);
  return tally.total();
}

const times = (count: number, order: TracedOrder) => Array.from({ length: count }, () => order);

describe("the value report", () => {
  it("doesn't say that all good orders were stopped when few outcomes are known", () => {
    // Of 571 orders, 5 were approved after a hold, and nothing is known of the others yet.
    const { falsePositives, goodStopped } = report([
      ...times(5, traced(APPROVED)),
      ...times(546, traced(ALLOWED)),
      ...times(20, traced(HELD)),
    ]);
    expect(goodStopped.orders).toBe(5);
    expect(falsePositives).toEqual({ good: 5, known: 5, share: null, needed: ENOUGH_TO_TELL });
  });

  it("gives the share of good orders among the stopped ones, of at least as many as needed", () => {
    const orders = [...times(9, traced(APPROVED)), ...times(21, traced(DECLINED))];
    expect(report(orders).falsePositives).toEqual({ good: 9, known: 30, share: 0.3, needed: 30 });
    expect(report(orders.slice(1)).falsePositives.share).toBeNull();
  });

  it("counts all known fraud that wasn't stopped as missed, not only chargebacks", () => {
    const declinedAfterTag = { ...DECLINED, machine: { ...MACHINE, action: "tag" } } as const;
    const { fraudMissed, fraudStopped } = report([
      ...times(3, traced(ALLOWED, { disputes: [CHARGEBACK] })),
      ...times(4, traced(declinedAfterTag)),
      ...times(2, traced(DECLINED)),
    ]);
    expect(fraudMissed).toEqual({ orders: 7, value: 700, apart: {} });
    expect(fraudStopped).toEqual({ orders: 2, value: 200, apart: {} });
  });

  it("counts fraud that was held and then let go as missed, because its money is lost", () => {
    const lost = { disputes: [CHARGEBACK] };
    const { fraudMissed, fraudStopped, falsePositives } = report([
      // A person approved it, or its deadline released it.
      traced(APPROVED, lost),
      traced(HELD, lost),
      // It shipped before it could be held; then a person declined it.
      traced(DECLINED, { events: [SHIPPED] }),
      // These weren't let go: the first is still held, the second was canceled, the last was only watched.
      traced(HELD, { ...lost, state: "review" }),
      traced({ action: "cancel" }, { ...lost, events: [CANCELED] }),
      traced({ ...HELD, enforce: false }, lost),
    ]);
    expect([fraudMissed.orders, fraudStopped.orders]).toEqual([3, 3]);
    // Holdfast was right about all of them.
    expect(falsePositives).toMatchObject({ good: 0, known: 6 });
  });

  it("counts held orders whose outcome nobody knows apart from both", () => {
    const { unknownStopped, fraudStopped, goodStopped } = report([
      traced(HELD),
      traced({ action: "cancel" }),
    ]);
    expect([unknownStopped.orders, fraudStopped.orders, goodStopped.orders]).toEqual([2, 0, 0]);
  });

  it("adds in the shop's currency at the rate of each order's day, and lists what has no rate apart", () => {
    const rates = [
      { currency: "EUR", from: "2026-11-10", rate: 1.2 },
      { currency: "EUR", from: "2026-11-01", rate: 1.1 },
      { currency: "GBP", from: "2026-11-01", rate: 2 },
    ];
    const of = (currency: string, receivedAtMs: number) =>
      traced(DECLINED, { amount: 10, currency, receivedAtMs });
    const { fraudStopped, rates: used } = report(
      [
        of("USD", Date.UTC(2026, 10, 3)),
        of("EUR", Date.UTC(2026, 10, 9, 23)),
        of("eur", Date.UTC(2026, 10, 10)),
        // Before its first rate, the currency has that rate.
        of("EUR", Date.UTC(2026, 9, 25)),
        of("JPY", Date.UTC(2026, 10, 10)),
        of("CHF", Date.UTC(2026, 10, 10)),
        traced(DECLINED, { amount: null }),
      ],
      { currency: "USD", rates, timeZone: null },
    );
    expect(fraudStopped).toEqual({ orders: 7, value: 44, apart: { CHF: 10, JPY: 10 } });
    expect(used).toEqual([
      { currency: "EUR", from: "2026-11-01", rate: 1.1 },
      { currency: "EUR", from: "2026-11-10", rate: 1.2 },
    ]);
  });

  it("takes the rate of an order's day by the shop's calendar", () => {
    const rates = [
      { currency: "EUR", from: "2026-10-01", rate: 1.1 },
      { currency: "EUR", from: "2026-11-01", rate: 2 },
    ];
    // Eight in the evening of October 31 in New York.
    const evening = traced(DECLINED, { amount: 10, currency: "EUR", receivedAtMs: Date.UTC(2026, 10, 1, 0) });
    const money = { currency: "USD", rates, timeZone: "America/New_York" };
    expect(report([evening], money).fraudStopped.value).toBe(11);
    expect(report([evening], { ...money, timeZone: null }).fraudStopped.value).toBe(20);
  });

  it("adds nothing up while the shop's currency isn't known", () => {
    const { currency, goodStopped } = report([traced(APPROVED)], {
      currency: null,
      rates: [],
      timeZone: null,
    });
    expect([currency, goodStopped]).toEqual([null, { orders: 1, value: null, apart: { USD: 100 } }]);
  });

  it("measures chargebacks against sold orders", () => {
    const { chargebacks } = report([
      ...times(2, traced(ALLOWED, { disputes: [{ ...CHARGEBACK, status: "won" }] })),
      traced(ALLOWED, { disputes: [{ ...CHARGEBACK, status: "prevented" }] }),
      traced(ALLOWED, { disputes: [{ ...CHARGEBACK, kind: "inquiry" }] }),
      ...times(95, traced(ALLOWED)),
      ...times(5, traced(DECLINED)),
      traced(DECLINED, { events: [SHIPPED] }),
    ]);
    expect(chargebacks).toEqual({ orders: 2, of: 100, share: 0.02, watchAt: 0.0075, limit: 0.015 });
    expect(report([]).chargebacks.share).toBeNull();
  });

  it("measures how long orders waited for a person", () => {
    const { reviewTime } = report([
      ...[1, 2, 3, 40].map((minutes) => traced(APPROVED, { reviewMs: minutes * MINUTE_MS })),
      traced(ALLOWED, { reviewMs: 90 * MINUTE_MS }),
    ]);
    expect(reviewTime).toEqual({ orders: 4, medianMs: 2 * MINUTE_MS, p90Ms: 40 * MINUTE_MS });
    expect(report([]).reviewTime).toEqual({ orders: 0, medianMs: null, p90Ms: null });
  });

  it("has every week of the period, from Monday in the shop's time zone", () => {
    // In Tokyo, Monday the 16th has begun.
    const sundayEvening = Date.UTC(2026, 10, 15, 16);
    const window = { sinceMs: Date.UTC(2026, 10, 4), untilMs: Date.UTC(2026, 10, 20, 12) };
    const orders = [
      traced(DECLINED, { receivedAtMs: sundayEvening }),
      traced(APPROVED, { receivedAtMs: Date.UTC(2026, 10, 5) }),
    ];
    const weeks = (timeZone: string | null) =>
      report(orders, { ...DOLLARS, timeZone }, window).weeks.map(({ start, fraudStopped, goodStopped }) => [
        start,
        fraudStopped.orders,
        goodStopped.value,
      ]);
    expect(weeks("Asia/Tokyo")).toEqual([
      ["2026-11-02", 0, 100],
      ["2026-11-09", 0, 0],
      ["2026-11-16", 1, 0],
    ]);
    expect(weeks(null).map(([, count]) => count)).toEqual([0, 1, 0]);
  });
});

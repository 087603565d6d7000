import { describe, expect, it } from "vitest";
import {
  toFraudOutcome,
  toOutcome,
  UNDISPUTED_AFTER_MS,
  type FraudOutcome,
} from "../../../src/pipeline/report/outcome.ts";
import type { KeptDispute } from "../../../src/store/outcomes/disputes.ts";
import type { OrderTrace } from "../../../src/store/outcomes/outcomes.ts";
import type { TimelineEvent } from "../../../src/store/orders/timeline.ts";
import type { Decision, DeclineReason } from "../../../src/order/decision.ts";
import { decision } from "../../store/samples.ts";

type Order = Omit<Parameters<typeof toFraudOutcome>[0], "receivedAtMs">;

const order = (changes: Partial<Order> = {}): Order => {
  return { effects: "live", decision: decision(), skipReason: null, state: "settled", ...changes };
};
const told = (event: TimelineEvent): OrderTrace => {
  return { events: [{ kind: event.kind, event }], observed: null, disputes: [] };
};
const seen = (changes: object = {}): OrderTrace => {
  const observed = { observedAtMs: 1, known: true, cancelled: false, shipped: false, platformRisk: null };
  return { events: [], observed: { ...observed, ...changes }, disputes: [] };
};
const disputed = (changes: Partial<KeptDispute> = {}): OrderTrace => {
  const dispute: KeptDispute = {
    disputeId: "1",
    orderId: "2",
    kind: "chargeback",
    status: "open",
    reason: "fraudulent",
    isFraud: true,
    initiatedAtMs: 1,
    seenAtMs: 1,
    ...changes,
  };
  return { events: [], observed: null, disputes: [dispute] };
};
const byPerson = (action: "allow" | "cancel") => order({ decision: decision({ action, source: "person" }) });

/** It had shipped, and a person took it out of the queue. */
const HANDLED = order({ decision: decision({ action: "allow", source: "person", handled: true }) });

describe("toOutcome", () => {
  it.each<[outcome: string, order: Order, trace: OrderTrace | undefined]>([
    ["charged-back", order(), disputed()],
    ["charged-back", byPerson("allow"), disputed({ status: "lost" })],
    ["charged-back", order(), { ...told({ kind: "cancel-done" }), ...disputed({ status: "refunded" }) }],
    ["approved", byPerson("allow"), disputed({ kind: "inquiry" })],
    ["unknown", order(), disputed({ status: "won" })],
    ["unknown", order(), disputed({ status: "prevented" })],
    ["unknown", order(), disputed({ isFraud: false, reason: "product_not_received" })],
    ["approved", byPerson("allow"), seen({ shipped: true })],
    ["declined", byPerson("cancel"), told({ kind: "cancel-done" })],
    ["handled", HANDLED, seen({ shipped: true })],
    ["charged-back", HANDLED, disputed()],
    ["approved", order(), told({ kind: "hold-overridden", by: "person" })],
    ["unknown", order(), told({ kind: "hold-overridden", by: "app", app: "Flow" })],
    ["open", order({ state: "review" }), told({ kind: "hold-overridden", by: "app" })],
    ["shipped", order(), { ...told({ kind: "hold-overridden", by: "app" }), ...seen({ shipped: true }) }],
    ["unknown", order(), told({ kind: "hold-overridden", by: "unknown" })],
    ["cancelled", order(), told({ kind: "cancelled-on-platform", topic: "orders/cancelled" })],
    ["cancelled", order(), told({ kind: "settled", problems: [], ended: "cancelled" })],
    ["cancelled", order(), told({ kind: "cancel-done" })],
    ["cancelled", order(), told({ kind: "hold-moot", ended: "cancelled" })],
    ["cancelled", order({ skipReason: "CANCELLED" }), undefined],
    ["shipped", order(), told({ kind: "settled", problems: [], ended: "shipped" })],
    ["shipped", order({ state: "failed" }), told({ kind: "hold-impossible", ended: "shipped" })],
    ["shipped", order(), seen({ shipped: true })],
    ["cancelled", order(), seen({ shipped: true, cancelled: true })],
    ["open", order(), seen()],
    ["open", order({ state: "review" }), undefined],
    ["unknown", order(), undefined],
    ["unknown", order(), told({ kind: "settled", problems: [] })],
    ["unknown", order(), seen({ known: false })],
  ])("is %s", (outcome, past, trace) => {
    expect(toOutcome(past, trace)).toBe(outcome);
  });
});

describe("toFraudOutcome", () => {
  const RECEIVED_MS = 1_000;
  const OLD_MS = RECEIVED_MS + UNDISPUTED_AFTER_MS;
  const of = (past: Order, trace?: OrderTrace, nowMs = OLD_MS) =>
    toFraudOutcome({ ...past, receivedAtMs: RECEIVED_MS }, trace, nowMs);
  const declinedFor = (declineReason?: DeclineReason) =>
    order({ decision: decision({ action: "cancel", source: "person", declineReason }) });
  const by = (changes: Partial<Decision>) => order({ decision: decision({ source: "local", ...changes }) });
  const canceledAsFraud = told({
    kind: "cancelled-on-platform",
    topic: "orders/cancelled",
    asFraud: true,
  });

  const refunded = told({ kind: "refunded" });
  const together = (...traces: OrderTrace[]): OrderTrace => ({
    events: traces.flatMap(({ events }) => events),
    observed: null,
    disputes: traces.flatMap(({ disputes }) => disputes),
  });

  it.each<[outcome: FraudOutcome | null, what: string, order: Order, trace?: OrderTrace]>([
    ["fraud", "an open chargeback", by({ action: "allow" }), disputed()],
    ["fraud", "a chargeback of what a person approved", byPerson("allow"), disputed({ status: "lost" })],
    ["fraud", "a decline for fraud", declinedFor("suspected-fraud")],
    ["fraud", "a decline for a stolen card", declinedFor("stolen-payment")],
    ["fraud", "a decline for false details", declinedFor("false-details")],
    ["fraud", "a cancel as fraud of what was held", by({ action: "hold" }), canceledAsFraud],
    [
      "fraud",
      "a cancel as fraud of what watch-only mode left alone",
      by({ action: "cancel", enforce: false }),
      canceledAsFraud,
    ],
    [
      null,
      "Holdfast's own cancel, which the platform names fraud",
      by({ action: "cancel" }),
      canceledAsFraud,
    ],
    [null, "Holdfast's own cancel", by({ action: "cancel" }), told({ kind: "cancel-done" })],
    [
      null,
      "a cancel for another reason",
      by({ action: "hold" }),
      told({ kind: "cancelled-on-platform", topic: "orders/cancelled" }),
    ],
    [null, "a decline for the customer's wish", declinedFor("customer-request")],
    [null, "a decline because nobody answered", declinedFor("not-confirmed")],
    [null, "a decline without a reason", declinedFor()],
    [null, "an inquiry that may become a chargeback", by({ action: "allow" }), disputed({ kind: "inquiry" })],
    [
      null,
      "a chargeback that was paid back before",
      by({ action: "allow" }),
      disputed({ status: "prevented" }),
    ],
    ["good", "a chargeback that the shop won", by({ action: "allow" }), disputed({ status: "won" })],
    ["good", "a dispute about goods", by({ action: "allow" }), disputed({ isFraud: false })],
    ["good", "an approval", byPerson("allow")],
    [
      "good",
      "a hold that a person took off on the platform",
      by({}),
      told({ kind: "hold-overridden", by: "person" }),
    ],
    [
      null,
      "a hold that an app took off on the platform",
      by({ action: "hold" }),
      told({ kind: "hold-overridden", by: "app" }),
    ],
    ["good", "an old order that was let through", by({ action: "allow" })],
    ["good", "an old order that was tagged", by({ action: "tag" })],
    ["good", "an old held order that shipped", by({ action: "hold" }), seen({ shipped: true })],
    [null, "an old held order of which nothing is known", by({ action: "hold" })],
    [null, "an old order that failed", { ...by({ action: "allow" }), state: "failed" }],
    [
      null,
      "an old order from before Holdfast",
      { ...by({ action: "allow", reasons: ["level:low", "record-only"] }), effects: "record" },
    ],
    ["refunded", "an old order that was let through and refunded", by({ action: "allow" }), refunded],
    ["refunded", "a held order that somebody refunded", by({ action: "hold" }), refunded],
    ["fraud", "a chargeback beside a refund", by({ action: "allow" }), together(refunded, disputed())],
    [null, "a refund after an inquiry", by({}), together(refunded, disputed({ kind: "inquiry" }))],
    ["good", "a refund after an approval", byPerson("allow"), refunded],
    ["fraud", "a refund after a decline for fraud", declinedFor("stolen-payment"), refunded],
    ["fraud", "a refund after a cancel as fraud", by({}), together(refunded, canceledAsFraud)],
    [
      null,
      "a refund after Holdfast's own cancel",
      by({ action: "cancel" }),
      together(refunded, told({ kind: "cancel-done" })),
    ],
    [null, "a test order that was refunded", { ...by({}), skipReason: "TEST_ORDER" }, refunded],
    [null, "an old test order", { ...by({ action: "allow" }), skipReason: "TEST_ORDER" }],
    [null, "an order without an amount", { ...by({ action: "allow" }), skipReason: "ZERO_AMOUNT" }],
  ])("is %s for %s", (outcome, _what, past, trace) => {
    expect(of(past, trace)).toBe(outcome);
  });

  it("doesn't call an order good before the time for disputes is over, unless a person approved it", () => {
    const early = OLD_MS - 1;
    expect(of(by({ action: "allow" }), undefined, early)).toBeNull();
    expect(of(by({ action: "hold" }), seen({ shipped: true }), early)).toBeNull();
    expect(of(byPerson("allow"), undefined, early)).toBe("good");
    expect(of(by({ action: "allow" }), refunded, early)).toBe("refunded");
  });
});

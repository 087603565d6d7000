import { describe, expect, it } from "vitest";
import { toOutcome } from "../../../src/pipeline/report/outcome.ts";
import type { KeptDispute } from "../../../src/store/outcomes/disputes.ts";
import type { OrderTrace } from "../../../src/store/outcomes/outcomes.ts";
import type { TimelineEvent } from "../../../src/store/orders/timeline.ts";
import { decision } from "../../store/samples.ts";

type Order = Parameters<typeof toOutcome>[0];

const order = (changes: Partial<Order> = {}): Order => {
  return { decision: decision(), skipReason: null, state: "settled", ...changes };
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
    ["approved", order(), told({ kind: "hold-overridden" })],
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

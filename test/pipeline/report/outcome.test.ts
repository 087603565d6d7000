import { describe, expect, it } from "vitest";
import { toOutcome } from "../../../src/pipeline/report/outcome.ts";
import type { OrderTrace } from "../../../src/store/outcomes/outcomes.ts";
import { decision } from "../../store/samples.ts";

type Order = Parameters<typeof toOutcome>[0];

const order = (changes: Partial<Order> = {}): Order => {
  return { decision: decision(), skipReason: null, state: "settled", ...changes };
};
const told = (kind: string, detail = ""): OrderTrace => ({ events: [{ kind, detail }], observed: null });
const seen = (changes: object = {}): OrderTrace => {
  const observed = { observedAtMs: 1, known: true, cancelled: false, shipped: false, platformRisk: null };
  return { events: [], observed: { ...observed, ...changes } };
};
const byPerson = (action: "allow" | "cancel") => order({ decision: decision({ action, source: "person" }) });

describe("toOutcome", () => {
  it.each<[outcome: string, order: Order, trace: OrderTrace | undefined]>([
    ["approved", byPerson("allow"), seen({ shipped: true })],
    ["declined", byPerson("cancel"), told("cancel-done")],
    ["approved", order(), told("hold-overridden")],
    ["cancelled", order(), told("cancelled-on-platform", "orders/cancelled")],
    ["cancelled", order(), told("settled", "cancelled-on-platform")],
    ["cancelled", order(), told("cancel-done")],
    ["cancelled", order(), told("hold-moot", "already-cancelled")],
    ["cancelled", order({ skipReason: "CANCELLED" }), undefined],
    ["shipped", order(), told("settled", "fulfilled")],
    ["shipped", order({ state: "failed" }), told("hold-impossible", "already-fulfilled")],
    ["shipped", order(), seen({ shipped: true })],
    ["cancelled", order(), seen({ shipped: true, cancelled: true })],
    ["open", order(), seen()],
    ["open", order({ state: "review" }), undefined],
    ["unknown", order(), undefined],
    ["unknown", order(), told("settled", "the platform follows the decision")],
    ["unknown", order(), seen({ known: false })],
  ])("is %s", (outcome, past, trace) => {
    expect(toOutcome(past, trace)).toBe(outcome);
  });
});

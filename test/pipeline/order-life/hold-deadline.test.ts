import { describe, expect, it } from "vitest";
import { HELD } from "../../support/situations.ts";
import { judgeHold } from "../../../src/pipeline/order-life/hold-deadline.ts";
import type { OrderContext } from "../../../src/order/order-context.ts";
import type { Decision } from "../../../src/order/decision.ts";
import type { MappedOrder } from "../../../src/platform/platform.ts";
import { parsePolicy } from "../../../src/policy/policy.ts";
import { toOrderFacts, toStoredFacts } from "../../../src/policy/order-facts.ts";
import { anOrder } from "../../support/orders.ts";

const POLICY = parsePolicy({ hold: { onDeadline: "cancel" } });
const DECISION: Decision = {
  action: "hold",
  tags: [],
  reasons: ["level:high"],
  source: "service",
  degraded: false,
  riskLevel: "high",
  riskScore: 73,
  enforce: true,
  policyVersion: 1,
};

function toOutcome(
  mapped: MappedOrder | null,
  optedOut?: true,
  changes: Partial<Decision> = {},
  policy = POLICY,
) {
  const facts = { ...toStoredFacts(toOrderFacts({})), optedOut };
  const finding = judgeHold(
    { holdDeadlineMs: 0, decision: { ...DECISION, ...changes }, mapped, facts },
    HELD,
    policy,
    { nowMs: 1, isWarned: true },
  );
  return finding.kind === "overdue" ? finding.outcome : finding.kind;
}

const placed = (context: OrderContext): MappedOrder => ({
  outcome: "screenable",
  request: anOrder(),
  test: false,
  context,
});

describe("judgeHold", () => {
  it("cancels at the deadline on the service's answer, unless the customer is opted out", () => {
    expect(toOutcome(placed({ customerTags: ["vip"] }))).toBe("cancel");
    expect(toOutcome(placed({ customerTags: ["Holdfast-Manual-Review"] }))).toBe("keep");
  });

  it("doesn't cancel an order that is still held although the latest answer allows it", () => {
    expect(toOutcome(null, undefined, { action: "allow", riskLevel: "low" })).toBe("keep");
  });

  it("keeps an order that a bank asks about, whatever the policy says", () => {
    const disputed = { disputed: true, source: "policy" } as const;
    expect(toOutcome(null, undefined, disputed)).toBe("keep");
    const release = parsePolicy({ hold: { onDeadline: "release" } });
    expect(toOutcome(null, undefined, {}, release)).toBe("release");
    expect(toOutcome(null, undefined, disputed, release)).toBe("keep");
  });

  it("doesn't release an order that should have been canceled and couldn't be", () => {
    const release = parsePolicy({ hold: { onDeadline: "release" } });
    expect(toOutcome(null, undefined, { action: "cancel", riskLevel: "critical" }, release)).toBe("keep");
    const machine = { ...DECISION, action: "cancel" } as const;
    expect(toOutcome(null, undefined, { riskLevel: "critical", machine }, release)).toBe("keep");
  });

  it.each([
    "no-policy-saved",
    "opted-out",
    "local-never-cancels",
    "hold-released",
    "policy-changed",
  ] as const)("keeps what was held instead of canceled, whatever the policy says: %s", (heldInstead) => {
    for (const onDeadline of ["release", "cancel"]) {
      const saved = parsePolicy({ hold: { onDeadline } });
      expect(toOutcome(null, undefined, { heldInstead }, saved)).toBe("keep");
    }
  });

  it("remembers who is opted out after the content was erased", () => {
    expect(toOutcome(null)).toBe("cancel");
    expect(toOutcome(null, true)).toBe("keep");
  });
});

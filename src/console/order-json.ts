import type { Decision } from "../policy/decision.ts";
import type { OrderDifference } from "../store/revision.ts";
import type { OrderRecord, StepRecord, TimelineEntry } from "../store/store.ts";
import type { VerificationResult } from "../verification/result.ts";

/** An order as the list of the API shows it. Nothing of the request, which is personal. */
export function toOrderJson(order: OrderRecord) {
  const { decision } = order;
  return {
    orderId: order.orderId,
    name: order.name,
    receivedAt: toIso(order.receivedAtMs),
    state: order.state,
    riskLevel: decision?.riskLevel ?? null,
    riskScore: decision?.riskScore ?? null,
    action: decision?.action ?? null,
    source: decision?.source ?? null,
    degraded: decision?.degraded ?? false,
    skipReason: order.skipReason,
    creditsSpent: order.creditsSpent,
    holdDeadline: toIsoOrNull(order.holdDeadlineMs),
  };
}

/** An order as the API shows it alone: why it was decided so, and what happened to it. */
export function toOrderDetailJson(
  order: OrderRecord,
  timeline: readonly TimelineEntry[],
  steps: readonly StepRecord[],
  changes: readonly OrderDifference[],
) {
  return {
    ...toOrderJson(order),
    decidedAt: toIsoOrNull(order.decidedAtMs),
    settledAt: toIsoOrNull(order.settledAtMs),
    problem: order.problem,
    ...toDecisionJson(order.decision),
    ...toResultJson(order.result),
    timeline: timeline.map(({ atMs, kind, detail, actor }) => ({ at: toIso(atMs), kind, detail, actor })),
    // A step's memory is the adapter's own and stays inside.
    steps: steps.map(({ step, state, detail, atMs }) => ({ step, state, detail, at: toIso(atMs) })),
    // What somebody changed on the platform: personal, as the order's own page there is.
    changes: changes.map(({ atMs, material, fields }) => ({
      at: toIso(atMs),
      material,
      fields: fields.map(({ path, before, after }) => ({ path, before, after })),
    })),
  };
}

function toDecisionJson(decision: Decision | null) {
  return {
    /** False in shadow mode; null until decided. */
    enforced: decision?.enforce ?? null,
    tags: decision?.tags ?? [],
    reasons: decision?.reasons ?? [],
    policyVersion: decision?.policyVersion ?? null,
  };
}

function toResultJson(result: VerificationResult | null) {
  return {
    factors: result?.riskFactors ?? [],
    reasoning: result?.reasoning ?? null,
    recommendations: result?.recommendations ?? [],
  };
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

function toIsoOrNull(ms: number | null): string | null {
  return ms === null ? null : toIso(ms);
}

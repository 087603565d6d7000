import { z } from "zod";
import { ACTIONS, DECLINE_REASONS, type Decision } from "../../order/decision.ts";
import type { OrderDifference } from "../../store/orders/revision.ts";
import { ORDER_STATES, type OrderRecord, type StepRecord, type TimelineEntry } from "../../store/store.ts";
import { PERSON_ACTS } from "../../store/orders/order-record.ts";
import { RISK_LEVELS, type VerificationResult } from "../../order/result.ts";

const moment = z.iso.datetime();
const changedValue = z.union([z.string(), z.number()]).nullable();

/** An order as the list of the API shows it. */
export const orderJson = z.object({
  orderId: z.string(),
  name: z.string(),
  receivedAt: moment,
  state: z.enum(ORDER_STATES),
  riskLevel: z.enum(RISK_LEVELS).nullable(),
  riskScore: z.number().nullable(),
  action: z.enum(ACTIONS).nullable(),
  source: z.enum(["service", "cache", "local", "policy", "person"]).nullable(),
  degraded: z.boolean(),
  skipReason: z.string().nullable(),
  unchecked: z
    .string()
    .nullable()
    .describe("why the service didn't check the order: a skip reason or an error code"),
  creditsSpent: z.int(),
  holdDeadline: moment.nullable(),
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  why: z.array(z.string()).readonly().describe("at most three reasons, most serious first"),
  decidedBy: z.string().nullable().describe("`person:ID` if a person decided"),
  pendingDecision: z
    .object({
      verdict: z.enum(["approve", "decline"]),
      by: z.string().describe("`person:ID`"),
      at: moment,
      effectiveAt: moment,
    })
    .nullable()
    .describe("a person's decision that can still be undone; takes effect at `effectiveAt`"),
});

/** An order as the API shows it alone. */
export const orderDetailJson = orderJson.extend({
  decidedAt: moment.nullable(),
  settledAt: moment.nullable(),
  problem: z.string().nullable(),
  enforced: z.boolean().nullable(),
  tags: z.array(z.string()).readonly(),
  reasons: z.array(z.string()).readonly(),
  policyVersion: z.int().nullable(),
  declineReason: z.enum(DECLINE_REASONS).nullable().describe("why a person declined it, where they said"),
  factors: z
    .array(
      z.object({
        factor: z.string(),
        category: z.string(),
        severity: z.string(),
        description: z.string(),
      }),
    )
    .readonly(),
  reasoning: z.string().nullable(),
  recommendations: z.array(z.string()).readonly(),
  timeline: z.array(
    z.object({
      at: moment,
      kind: z.string(),
      detail: z.string(),
      actor: z.string(),
      note: z.string().nullable().describe("a person's note"),
    }),
  ),
  pending: z
    .object({ act: z.enum(PERSON_ACTS), actor: z.string(), at: moment })
    .nullable()
    .describe("a person's decision that waits for the current work to end"),
  steps: z.array(z.object({ step: z.string(), state: z.string(), detail: z.string(), at: moment })),
  changes: z.array(
    z.object({
      at: moment,
      material: z.boolean(),
      fields: z.array(z.object({ path: z.string(), before: changedValue, after: changedValue })),
    }),
  ),
});

/** An order as the API's list shows it. The only personal data is the reasons for its risk. */
export function toOrderJson(order: OrderRecord): z.infer<typeof orderJson> {
  const { decision } = order;
  return {
    orderId: order.orderId,
    name: order.name,
    receivedAt: toIso(order.receivedAtMs),
    state: order.state,
    ...(decision === null ? UNDECIDED : toDecidedJson(decision)),
    skipReason: order.skipReason,
    creditsSpent: order.creditsSpent,
    holdDeadline: toIsoOrNull(order.holdDeadlineMs),
    amount: order.amount,
    currency: order.currency,
    why: toWhy(order.result),
    pendingDecision: toPendingDecisionJson(order),
  };
}

const UNDECIDED = {
  riskLevel: null,
  riskScore: null,
  action: null,
  source: null,
  degraded: false,
  unchecked: null,
  decidedBy: null,
} as const;

function toDecidedJson({ riskLevel, riskScore, action, source, degraded, unchecked, actor }: Decision) {
  return {
    riskLevel,
    riskScore,
    action,
    source,
    degraded,
    unchecked: unchecked ?? null,
    decidedBy: actor ?? null,
  };
}

/** An order as the API shows it alone: why it was decided so, and what happened to it. */
export function toOrderDetailJson(
  order: OrderRecord,
  timeline: readonly TimelineEntry[],
  steps: readonly StepRecord[],
  changes: readonly OrderDifference[],
): z.infer<typeof orderDetailJson> {
  return {
    ...toOrderJson(order),
    decidedAt: toIsoOrNull(order.decidedAtMs),
    settledAt: toIsoOrNull(order.settledAtMs),
    problem: order.problem,
    ...toDecisionJson(order.decision),
    ...toResultJson(order.result),
    timeline: timeline.map(({ atMs, kind, detail, actor, note = null }) => {
      return { at: toIso(atMs), kind, detail, actor, note };
    }),
    pending: toPendingJson(order),
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
    declineReason: decision?.declineReason ?? null,
  };
}

const WHY_SHOWN = 3;
const SEVERITIES: readonly string[] = ["critical", "high", "medium", "low"];

function toWhy(result: VerificationResult | null): readonly string[] {
  const factors = result?.riskFactors ?? [];
  return factors
    .toSorted((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity))
    .slice(0, WHY_SHOWN)
    .map(({ factor, description }) => description || factor);
}

function toPendingJson({ verdict }: OrderRecord) {
  return verdict === null ? null : { act: verdict.act, actor: verdict.actor, at: toIso(verdict.atMs) };
}

function toPendingDecisionJson({ verdict }: OrderRecord) {
  if (verdict === null || verdict.act === "recheck") return null;
  const { act, actor, atMs, effectiveAtMs = atMs } = verdict;
  return { verdict: act, by: actor, at: toIso(atMs), effectiveAt: toIso(effectiveAtMs) };
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
